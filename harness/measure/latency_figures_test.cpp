#include "harness/measure/latency_figures.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "harness/document/json.h"
#include "harness/golden_test.h"
#include "reports/report_schema_model.h"

namespace fixpoint::measure {
namespace {

constexpr const char* kFigureSchemas = FIXPOINT_SOURCE "/reports/schemas";

BenchFigure call_of(const std::string& injector, double p50) {
  return {.injector = injector,
          .pod_bytes = 3000,
          .calls = 2000,
          .patch_bytes = 812,
          .p50 = p50,
          .p90 = p50 + 1,
          .p99 = p50 + 2,
          .max = 4127.25};
}

BenchFigure admission_of(const std::vector<std::string>& chain, double p50) {
  BenchFigure figure = call_of("", p50);
  figure.chain = chain;
  figure.patch_bytes = 0;
  figure.calls_per_admission = 5.97;
  return figure;
}

/// Draws any figure that can be measured; the index makes its name unique within a file.
BenchFigure random_figure(std::int64_t index) {
  const auto latency = [] {
    return *rc::gen::suchThat(rc::gen::positive<double>(),
                              [](double number) { return std::isfinite(number) && number > 0; });
  };
  BenchFigure figure{.pod_bytes = index + 1, .calls = *rc::gen::inRange<std::int64_t>(1, 1'000'000)};
  if (*rc::gen::arbitrary<bool>()) {
    figure.chain =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(rc::gen::string<std::string>()));
    for (std::string& member : figure.chain) member = "m" + std::to_string(member.size());
    figure.calls_per_admission = *rc::gen::element(0.0, 0.33, 1.0, 4.0, 5.97);
  } else {
    figure.injector = "kserve/x" + std::to_string(*rc::gen::inRange(0, 5));
    figure.patch_bytes = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
  }
  figure.p50 = latency();
  figure.p90 = latency();
  figure.p99 = latency();
  figure.max = latency();
  return figure;
}

RC_GTEST_PROP(BenchBaseline, ReadsBackAsItWasWritten, ()) {
  std::vector<BenchFigure> figures;
  for (std::int64_t i = 0, count = *rc::gen::inRange(0, 6); i < count; ++i)
    figures.push_back(random_figure(i));
  const std::string text = document::write_json_pretty(write_baseline(figures));
  const auto read = read_baseline(document::read_json(text).value());
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == figures);
  RC_ASSERT(reports::schema_problems(kFigureSchemas, "bench-baseline.json", text) == "");
}

TEST(BenchBaseline, IsReadStrictly) {
  const std::string good =
      document::write_json(write_baseline({call_of("a", 4), admission_of({"a", "b"}, 40)}));
  ASSERT_TRUE(read_baseline(document::read_json(good).value()).ok());
  const struct {
    const char *from, *to, *says;
    bool schema_sees = true;
  } rows[] = {
      {"fixpoint/v1", "fixpoint/v2", "/apiVersion: expected one of \"fixpoint/v1\", found \"fixpoint/v2\""},
      {"\"apiVersion\":\"fixpoint/v1\",", "", "/apiVersion: expected fixpoint/v1"},
      {"BenchBaseline", "Scoreboard", "/kind: expected one of \"BenchBaseline\""},
      {"\"podBytes\"", "\"podByte\"", "/figures/0/podBytes: expected a whole number, found nothing"},
      {"\"calls\":2000", "\"calls\":0", "/figures/0/calls: expected at least 1"},
      {"\"p50\":4,", "\"p50\":0,", "/figures/0/microseconds/p50: expected a number above 0"},
      {"\"p50\":4,", "\"p50\":\"4\",", "/figures/0/microseconds/p50: expected a number above 0"},
      {"\"p50\":4,", "\"p50\":1e999,", "/figures/0/microseconds/p50: expected a number above 0"},
      {"\"p99\":6,", "", "/figures/0/microseconds/p99: expected a number above 0"},
      {"\"max\":4127.25", "\"max\":4127.25,\"mean\":5", "/figures/0/microseconds/mean: "},
      {"\"patchBytes\":812", "\"patchBytes\":812,\"machine\":\"x\"", "/figures/0/machine: "},
      {"\"chain\":[\"a\",\"b\"]", "\"chain\":[]", "/figures/1/chain: expected the names of its members"},
      {"\"chain\":[\"a\",\"b\"]", "\"injector\":\"a\"", "/figures/1/patchBytes: "},
      {"{\"chain\"",
       R"({"injector":"a","podBytes":3000,"calls":3,"patchBytes":0,"microseconds":)"
       R"({"p50":1,"p90":1,"p99":1,"max":1}},{"chain")",
       "/figures/1: there is a figure of a, 3 kB Pod already", false},
  };
  for (const auto& row : rows) {
    std::string text = good;
    const auto at = text.find(row.from);
    ASSERT_NE(at, std::string::npos) << row.from;
    text.replace(at, std::string(row.from).size(), row.to);
    const auto read = read_baseline(document::read_json(text).value());
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_NE(read.error().text().find(row.says), std::string::npos) << read.error().text();
    EXPECT_EQ(reports::schema_problems(kFigureSchemas, "bench-baseline.json", text) != "", row.schema_sees)
        << text;
  }
}

/// Figures ten times as slow as their baseline; each further measurement returns the next of these medians.
class SlowFigures {
 public:
  void add(const std::string& name, std::vector<double> medians) {
    medians_.push_back({.name = name, .left = std::move(medians)});
    slow.push_back({.row = {.figure = call_of(name, 100), .base = call_of(name, 10)}});
  }
  std::optional<document::Error> measure() {
    for (std::size_t i = 0; i < slow.size(); ++i) {
      slow[i].measure = [this, &one = medians_[i]]() -> document::Result<BenchFigure> {
        asked += one.name;
        if (one.at == one.left.size()) return document::Error{"no answer"};
        return call_of(one.name, one.left[one.at++]);
      };
    }
    return measure_again(slow, [this] { return asked += '|', asked.size() < asked_max; });
  }

  std::vector<SlowFigure> slow;
  std::string asked;  ///< the names of the measured figures, and a bar for each rest
  std::size_t asked_max = 100;

 private:
  struct Medians {
    std::string name;
    std::vector<double> left;
    std::size_t at = 0;
  };
  std::vector<Medians> medians_;
};

TEST(BenchJudgement, TakesTheBestOfThreeMoreBeforeAFigureIsSlower) {
  const struct {
    std::vector<double> medians;
    const char* asked;
    double best;
    bool is_slower;
  } rows[] = {{{12}, "|a", 12, false},
              {{90, 15}, "|a|a", 15, false},
              {{90, 80, 14}, "|a|a|a", 14, false},
              {{90, 80, 85}, "|a|a|a", 80, true},
              {{120, 130, 140}, "|a|a|a", 100, true}};
  for (const auto& row : rows) {
    SlowFigures figures;
    figures.add("a", row.medians);
    EXPECT_FALSE(figures.measure().has_value());
    EXPECT_EQ(figures.asked, row.asked);
    EXPECT_EQ(figures.slow[0].row.figure.p50, row.best);
    EXPECT_EQ(figures.slow[0].row.is_slower(), row.is_slower);
  }
}

TEST(BenchJudgement, ComesBackToASlowFigureWhenAllOthersHadTheirTurn) {
  SlowFigures figures;
  figures.add("a", {90, 80, 14});
  figures.add("b", {12});
  figures.add("c", {90, 15});
  EXPECT_FALSE(figures.measure().has_value());
  EXPECT_EQ(figures.asked, "|abc|ac|a");
}

TEST(BenchJudgement, DoesNotMeasureAgainWhatIsFastOrUnknown) {
  SlowFigures figures;
  figures.add("a", {});
  figures.slow[0].row.figure.p50 = 15;
  figures.add("b", {});
  figures.slow[1].row.base.reset();
  EXPECT_FALSE(figures.measure().has_value());
  EXPECT_EQ(figures.asked, "");
}

TEST(BenchJudgement, EndsWithACallThatFailsAndWhenNobodyWaits) {
  SlowFigures figures;
  figures.add("a", {});
  const auto problem = figures.measure();
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->text(), "no answer");
  SlowFigures stopped;
  stopped.add("a", {90, 80, 70});
  stopped.asked_max = 3;
  EXPECT_FALSE(stopped.measure().has_value());
  EXPECT_EQ(stopped.asked, "|a|");
  EXPECT_EQ(stopped.slow[0].row.figure.p50, 90);
}

TEST(BenchTable, ReadsAsItShould) {
  BenchFigure few = call_of("a-webhook\x1b[31m", 20051.5);
  few.calls = 97;
  BenchFigure chain = admission_of({"kserve/modelcar@0.12.1", "peers/sidecar-guarded"}, 40.25);
  const BenchTable plain{.calls_asked = 2000}, compared{.has_baseline = true, .calls_asked = 2000};
  std::string text = bench_head(plain);
  text += bench_row(plain, {.figure = call_of("kserve/modelcar@0.12.1", 4.5)});
  text += bench_row(plain, {.figure = few}) + chain_line(chain) + bench_row(plain, {.figure = chain});
  const BenchJudgement slower{.figure = few, .base = call_of("", 51.25)};
  chain.calls = 1500;
  text += "\n" + bench_head(compared) + bench_row(compared, slower) + chain_line(chain) +
          bench_row(compared, {.figure = chain, .base = admission_of({}, 44.5)}) +
          bench_row(compared, {.figure = chain}) + bench_row_for_now(compared, slower) + again_line() +
          unasked_line(1) + unasked_line(2) + slower_line(slower);
  expect_golden("harness/cli/golden/bench.txt", text);
}

TEST(BenchEvents, AreWhatTheirSchemaSays) {
  const BenchFigure call = call_of("a", 4.5), chain = admission_of({"a", "b"}, 40);
  for (const BenchFigure& figure : {call, chain}) {
    for (const BenchJudgement& row : {BenchJudgement{figure}, BenchJudgement{figure, call_of("a", 0.5)}}) {
      for (const bool with_baseline : {false, true}) {
        const std::string text = document::write_json(bench_event(row, with_baseline));
        EXPECT_EQ(reports::schema_problems(kFigureSchemas, "events.json", text), "") << text;
      }
    }
  }
  EXPECT_EQ(document::write_json(bench_event({chain, call_of("a", 20)}, true)),
            R"({"event":"bench","chain":["a","b"],"podBytes":3000,"calls":2000,"callsPerAdmission":5.97,)"
            R"("microseconds":{"p50":40,"p90":41,"p99":42,"max":4127.25},)"
            R"("baseline":{"p50":20,"ratio":2,"slower":true}})");
}

TEST(BenchFigures, ArePercentilesOfWhatWasMeasured) {
  std::vector<double> microseconds;
  for (int i = 0; i <= 100; ++i) microseconds.push_back(i + 0.004);
  BenchFigure figure;
  set_latency(figure, microseconds);
  EXPECT_EQ(figure.calls, 101);
  EXPECT_EQ(figure.p50, 50);
  EXPECT_EQ(figure.p90, 90);
  EXPECT_EQ(figure.p99, 99);
  EXPECT_EQ(figure.max, 100);
  set_latency(figure, {0.0001});
  EXPECT_EQ(figure.p50, 0.01) << "no figure is nothing";
}

}  // namespace
}  // namespace fixpoint::measure
