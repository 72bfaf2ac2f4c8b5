#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "harness/cli/command.h"
#include "harness/cli/program_test.h"
#include "harness/document/json.h"
#include "harness/golden_test.h"
#include "harness/measure/latency_figures.h"
#include "reports/schema_model.h"

namespace fixpoint::cli {
namespace {

constexpr const char* kBenchSchemas = FIXPOINT_SOURCE "/reports/schemas";

measure::BenchFigure call_of(const std::string& injector, double p50) {
  return {.injector = injector,
          .pod_bytes = 3000,
          .calls = 2000,
          .patch_bytes = 812,
          .p50 = p50,
          .p90 = p50 + 1,
          .p99 = p50 + 2,
          .max = 4127.25};
}

measure::BenchFigure admission_of(const std::vector<std::string>& chain, double p50) {
  measure::BenchFigure figure = call_of("", p50);
  figure.chain = chain;
  figure.patch_bytes = 0;
  figure.calls_per_admission = 5.97;
  return figure;
}

/// Any figure that can be measured; the index keeps those of one file apart.
measure::BenchFigure random_figure(std::int64_t index) {
  const auto latency = [] {
    return *rc::gen::suchThat(rc::gen::positive<double>(),
                              [](double number) { return std::isfinite(number) && number > 0; });
  };
  measure::BenchFigure figure{.pod_bytes = index + 1, .calls = *rc::gen::inRange<std::int64_t>(1, 1'000'000)};
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
  std::vector<measure::BenchFigure> figures;
  for (std::int64_t i = 0, count = *rc::gen::inRange(0, 6); i < count; ++i)
    figures.push_back(random_figure(i));
  const std::string text = document::write_json_pretty(measure::write_baseline(figures));
  const auto read = measure::read_baseline(document::read_json(text).value());
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == figures);
  RC_ASSERT(reports::schema_problems(kBenchSchemas, "bench-baseline.json", text) == "");
}

TEST(BenchBaseline, IsReadStrictly) {
  const std::string good =
      document::write_json(measure::write_baseline({call_of("a", 4), admission_of({"a", "b"}, 40)}));
  ASSERT_TRUE(measure::read_baseline(document::read_json(good).value()).ok());
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
    const auto read = measure::read_baseline(document::read_json(text).value());
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_NE(read.error().text().find(row.says), std::string::npos) << read.error().text();
    EXPECT_EQ(reports::schema_problems(kBenchSchemas, "bench-baseline.json", text) != "", row.schema_sees)
        << text;
  }
}

/// Figures of ten times their baseline that answer these medians one after the other.
class SlowFigures {
 public:
  void add(const std::string& name, std::vector<double> medians) {
    medians_.push_back({.name = name, .left = std::move(medians)});
    slow.push_back({.row = {.figure = call_of(name, 100), .base = call_of(name, 10)}});
  }
  std::optional<document::Error> measure() {
    for (std::size_t i = 0; i < slow.size(); ++i) {
      slow[i].measure = [this, &one = medians_[i]]() -> document::Result<measure::BenchFigure> {
        asked += one.name;
        if (one.at == one.left.size()) return document::Error{"no answer"};
        return call_of(one.name, one.left[one.at++]);
      };
    }
    return measure_again(slow, [this] { return asked += '|', asked.size() < asked_max; });
  }

  std::vector<measure::SlowFigure> slow;
  std::string asked;  ///< the names in turn, and a bar where there was a rest
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
  measure::BenchFigure few = call_of("a-webhook\x1b[31m", 20051.5);
  few.calls = 97;
  measure::BenchFigure chain = admission_of({"kserve/modelcar@0.12.1", "peers/sidecar-guarded"}, 40.25);
  const measure::BenchTable plain{.calls_asked = 2000}, compared{.has_baseline = true, .calls_asked = 2000};
  std::string text = measure::bench_head(plain);
  text += measure::bench_row(plain, {.figure = call_of("kserve/modelcar@0.12.1", 4.5)});
  text += measure::bench_row(plain, {.figure = few}) + measure::chain_line(chain) +
          measure::bench_row(plain, {.figure = chain});
  const measure::BenchJudgement slower{.figure = few, .base = call_of("", 51.25)};
  chain.calls = 1500;
  text += "\n" + measure::bench_head(compared) + measure::bench_row(compared, slower) +
          measure::chain_line(chain) +
          measure::bench_row(compared, {.figure = chain, .base = admission_of({}, 44.5)}) +
          measure::bench_row(compared, {.figure = chain}) + measure::bench_row_for_now(compared, slower) +
          measure::again_line() + measure::unasked_line(1) + measure::unasked_line(2) +
          measure::slower_line(slower);
  expect_golden("harness/cli/golden/bench.txt", text);
}

TEST(BenchEvents, AreWhatTheirSchemaSays) {
  const measure::BenchFigure call = call_of("a", 4.5), chain = admission_of({"a", "b"}, 40);
  for (const measure::BenchFigure& figure : {call, chain}) {
    for (const measure::BenchJudgement& row :
         {measure::BenchJudgement{figure}, measure::BenchJudgement{figure, call_of("a", 0.5)}}) {
      for (const bool with_baseline : {false, true}) {
        const std::string text = document::write_json(measure::bench_event(row, with_baseline));
        EXPECT_EQ(reports::schema_problems(kBenchSchemas, "events.json", text), "") << text;
      }
    }
  }
  EXPECT_EQ(document::write_json(measure::bench_event({chain, call_of("a", 20)}, true)),
            R"({"event":"bench","chain":["a","b"],"podBytes":3000,"calls":2000,"callsPerAdmission":5.97,)"
            R"("microseconds":{"p50":40,"p90":41,"p99":42,"max":4127.25},)"
            R"("baseline":{"p50":20,"ratio":2,"slower":true}})");
}

TEST(BenchFigures, ArePercentilesOfWhatWasMeasured) {
  std::vector<double> microseconds;
  for (int i = 0; i <= 100; ++i) microseconds.push_back(i + 0.004);
  measure::BenchFigure figure;
  measure::set_latency(figure, microseconds);
  EXPECT_EQ(figure.calls, 101);
  EXPECT_EQ(figure.p50, 50);
  EXPECT_EQ(figure.p90, 90);
  EXPECT_EQ(figure.p99, 99);
  EXPECT_EQ(figure.max, 100);
  measure::set_latency(figure, {0.0001});
  EXPECT_EQ(figure.p50, 0.01) << "no figure is nothing";
}

class BenchProgram : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("m.yaml", kOneWebhook);
    write("slow.sh", webhook_in_bash("sleep 0.02"));
  }
  Outcome bench(const std::string& arguments) const { return run("bench " + arguments, "nowhere"); }
  static std::string behind(const std::string& command) {
    return " --webhook 'proxy.example.io=exec:" + command + "' ";
  }
  static std::string hostile(const std::string& behaviour) {
    return behind(std::string(FIXPOINT_HOSTILE_WEBHOOK) + " " + behaviour);
  }
  /// The saved file with every figure divided.
  void scale_down(const std::string& from, const std::string& to, double divisor) const {
    auto figures = measure::read_baseline_file(path(from)).value();
    for (measure::BenchFigure& figure : figures) figure.p50 /= divisor;
    write(to, document::write_json_pretty(measure::write_baseline(figures)));
  }
  static bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(BenchProgram, BadInputIsOneLine) {
  write("other.json", R"({"apiVersion":"fixpoint/v1","kind":"BenchBaseline","figures":[]})");
  write("newer.json", R"({"apiVersion":"fixpoint/v9","kind":"BenchBaseline","figures":[]})");
  const struct {
    const char *arguments, *says;
  } rows[] = {
      {"--calls 2", "--calls: expected 3 to 10000000"},
      {"--calls -1", "--calls: expected a whole number from 0 to 18446744073709551615, found -1"},
      {"bugs --silence -1", "--silence: expected a whole number from 0 to 18446744073709551615, found -1"},
      {"bugs --cases 0", "--cases: expected at least 1"},
      {"case", "bench: neither a subject nor a subcommand \"case\" (did you mean \"cases\"?)"},
      {"--time soon", "--time soon: expected a duration"},
      {"--tolerance 2", "--tolerance: expected --baseline FILE with it"},
      {"--baseline other.json --tolerance 0.5", "--tolerance 0.5: expected a number of at least 1"},
      {"--baseline other.json --tolerance 2x", "--tolerance 2x: expected a number of at least 1"},
      {"--baseline none.json", "none.json"},
      {"--baseline newer.json", "newer.json: /apiVersion: expected one of \"fixpoint/v1\""},
      {"--baseline m.yaml", "m.yaml: /apiVersion: expected one of \"fixpoint/v1\""},
      {"kserve/modelcar --baseline other.json", "it has none of the figures that are asked for"},
      {"kserve/modelcart", "did you mean"},
      {"kserve/hpa", "kserve/hpa@0.20.0 is a reconciler"},
      {"m.yaml", "nothing answers behind hooks/proxy.example.io"},
      {"m.yaml --webhook proxy.example.io=https://example.org/mutate", "example.org"},
      {"kserve/modelcar --webhook proxy.example.io=exec:x", "no subject here has this webhook"},
      {"kserve/modelcar --limit depth=3", "--limit"},
      {"kserve/modelcar kserve/agent --chain",
       "--chain: kserve/agent@0.20.0: its configuration inferenceservice.serving.kserve.io stands in"},
  };
  for (const auto& row : rows) {
    const Outcome outcome = bench(row.arguments);
    EXPECT_EQ(outcome.code, 2) << row.arguments << outcome.out;
    EXPECT_TRUE(says(outcome.err, row.says)) << row.arguments << "\n" << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "") << row.arguments;
  }
}

TEST_F(BenchProgram, MeasuresTheDefaultChainAndSavesIt) {
  const Outcome bench_all = bench("--chain --calls 5 --save base.json");
  EXPECT_EQ(bench_all.code, 0) << bench_all.err;
  EXPECT_TRUE(says(bench_all.out, "\nchain of kserve/pod-mutator@0.20.0, peers/")) << bench_all.out;
  EXPECT_TRUE(says(bench_all.out, " calls per admission\n")) << bench_all.out;
  const auto figures = measure::read_baseline_file(path("base.json"));
  ASSERT_TRUE(figures.ok()) << figures.error().text();
  const auto rows = static_cast<std::ptrdiff_t>(figures->size());
  EXPECT_EQ(std::count(bench_all.out.begin(), bench_all.out.end(), '\n'), rows + 2);
  EXPECT_EQ(std::count_if(figures->begin(), figures->end(), [](const auto& one) { return one.is_chain(); }),
            3);
  for (const measure::BenchFigure& figure : *figures) {
    EXPECT_EQ(figure.calls, 5);
    if (figure.is_chain()) {
      EXPECT_EQ(figure.calls_per_admission, 6) << "each twice";
    } else {
      EXPECT_GT(figure.patch_bytes, 2) << figure.name() << " acts on its Pod";
    }
    EXPECT_TRUE(figure.p50 <= figure.p90 && figure.p90 <= figure.p99 && figure.p99 <= figure.max);
  }
}

TEST_F(BenchProgram, ComparesWithABaseline) {
  ASSERT_EQ(bench("kserve/modelcar --calls 50 --save base.json").code, 0);
  // Twenty times is more than a busy machine does to a median; a thousandth is less than it can heal.
  const Outcome same = bench("kserve/modelcar --calls 50 --baseline base.json --tolerance 20");
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_TRUE(says(same.out, " baseline  ratio  patch\n")) << same.out;
  EXPECT_FALSE(says(same.out, "SLOWER")) << same.out;
  scale_down("base.json", "faster.json", 1000);
  const Outcome slower = bench("kserve/modelcar --calls 50 --baseline faster.json --tolerance 20");
  EXPECT_EQ(slower.code, 1) << slower.out << slower.err;
  for (const char* kilobytes : {"1", "3", "20"}) {
    const std::string line = "\nSLOWER  kserve/modelcar@0.20.0, " + std::string(kilobytes) + " kB Pod: p50 ";
    EXPECT_TRUE(says(slower.out, line)) << slower.out;
  }
  const auto again = slower.out.find("\nmeasured again, up to three times: the best of each\n");
  ASSERT_NE(again, std::string::npos) << slower.out;
  EXPECT_GT(again, slower.out.rfind(", measured again below\n")) << "first all others";
  const Outcome events = bench("kserve/modelcar --calls 5 --json --baseline faster.json");
  EXPECT_EQ(std::count(events.out.begin(), events.out.end(), '\n'), 3) << "each figure once: " << events.out;
}

TEST_F(BenchProgram, SaysWhatABaselineDoesNotKnow) {
  ASSERT_EQ(bench("kserve/modelcar kserve/agent --calls 5 --save base.json").code, 0);
  const Outcome text =
      bench("kserve/modelcar peers/sidecar-guarded --calls 5 --baseline base.json --tolerance 1e6");
  EXPECT_EQ(text.code, 0) << text.out << text.err;
  EXPECT_TRUE(says(text.out, ", not in the baseline\n")) << text.out;
  EXPECT_TRUE(says(text.out, "3 figures of the baseline were not asked for\n")) << text.out;
  const Outcome events = bench(
      "kserve/modelcar peers/sidecar-guarded --chain --calls 5 --json --baseline base.json --tolerance 1e6");
  std::istringstream lines(events.out);
  int known = 0, unknown = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(reports::schema_problems(kBenchSchemas, "events.json", line), "") << line;
    const auto event = document::read_json(line).value();
    (event["baseline"].is_object() ? known : unknown) += 1;
    EXPECT_EQ(event["calls"].integer(), 5);
  }
  EXPECT_EQ(known, 3);
  EXPECT_EQ(unknown, 6) << "those of the sidecar and of the chain";
}

TEST_F(BenchProgram, NamesAPlantedSlowWebhook) {
  const Outcome fast = bench("m.yaml --calls 3 --save base.json" + hostile("sidecar"));
  EXPECT_EQ(fast.code, 0) << fast.out << fast.err;
  const Outcome slow = bench("m.yaml --calls 3 --tolerance 3 --baseline base.json" + behind("bash slow.sh"));
  EXPECT_EQ(slow.code, 1) << slow.out << slow.err;
  EXPECT_TRUE(says(slow.out, "\nSLOWER  hooks, 1 kB Pod: p50 ")) << slow.out;
}

TEST_F(BenchProgram, EndsInTimeAndSaysOnHowManyCallsAFigureRests) {
  const Outcome slow = bench("m.yaml --time 200ms --json --chain" + behind("bash slow.sh"));
  EXPECT_EQ(slow.code, 0) << slow.out << slow.err;
  std::istringstream lines(slow.out);
  for (std::string line; std::getline(lines, line);) {
    const auto event = document::read_json(line).value();
    EXPECT_GE(event["calls"].integer().value(), 3) << line;
    EXPECT_LE(event["calls"].integer().value(), 10) << "twenty milliseconds each, within 200";
  }
  const Outcome text = bench("m.yaml --time 1ms" + hostile("allow"));
  EXPECT_TRUE(says(text.out, " of 2000 calls\n")) << text.out;
}

TEST_F(BenchProgram, ACallThatFailsIsNoLatency) {
  const Outcome dead = bench("m.yaml --calls 3 --save base.json" + hostile("die"));
  EXPECT_EQ(dead.code, 3) << dead.out;
  EXPECT_TRUE(says(dead.err, "hooks, 1 kB Pod: hooks/proxy.example.io: the call failed: ")) << dead.err;
  EXPECT_EQ(std::count(dead.err.begin(), dead.err.end(), '\n'), 1) << dead.err;
  EXPECT_FALSE(std::filesystem::exists(path("base.json"))) << "whole or not at all";
  const Outcome later = bench("m.yaml --calls 50" + hostile("not-json"));
  EXPECT_EQ(later.code, 3) << later.out;
  const Outcome chain = bench("m.yaml peers/sidecar-guarded --chain --calls 3" + hostile("deny"));
  EXPECT_EQ(chain.code, 3) << "a denial is an answer, and the end of an admission: " << chain.out;
  EXPECT_TRUE(says(chain.err, "chain of hooks, peers/sidecar-guarded, 1 kB Pod: the Pod is refused: "))
      << chain.err;
}

/// Who waits a minute for figures does not want to lose them then.
TEST_F(BenchProgram, SaysAtOnceThatItCannotWrite) {
  std::filesystem::create_directories(path("folder"));
  for (const char* arguments :
       {"kserve/modelcar --calls 3 --save nowhere/base.json", "kserve/modelcar --calls 3 --save folder",
        "cases --html nowhere/curves.html"}) {
    const Outcome outcome = bench(arguments);
    EXPECT_EQ(outcome.code, 3) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_TRUE(says(outcome.err, ": cannot be written: ")) << outcome.err;
  }
  EXPECT_EQ(bench("kserve/modelcar --calls 3 --save base.json").code, 0);
  EXPECT_FALSE(std::filesystem::exists(path("base.json.part")));
}

TEST_F(BenchProgram, SaysThatWhatComesOutOfAChainIsRefused) {
  const Outcome twice = bench("m.yaml peers/sidecar-guarded --chain --calls 3" + hostile("sidecar"));
  EXPECT_EQ(twice.code, 0) << twice.out << twice.err;
  EXPECT_TRUE(says(twice.err, "chain of hooks, peers/sidecar-guarded, 1 kB Pod: what comes out is refused: "))
      << twice.err;
  EXPECT_EQ(std::count(twice.err.begin(), twice.err.end(), '\n'), 3) << "once a row";
}

TEST_F(BenchProgram, GivesARowToEachWebhookOfAFile) {
  std::string text = kOneWebhook;
  text += text.substr(text.find("  - name"));
  text.replace(text.rfind("proxy.example.io"), 16, "later.example.io");
  write("m.yaml", text);
  const Outcome both = bench("m.yaml --calls 3" + hostile("allow") +
                             "--webhook 'later.example.io=exec:" + FIXPOINT_HOSTILE_WEBHOOK + " allow'");
  EXPECT_EQ(both.code, 0) << both.err;
  for (const char* row : {"\nhooks/proxy.example.io  ", "\nhooks/later.example.io  "})
    EXPECT_TRUE(says(both.out, row)) << both.out;
}

/// A script that marks what it has seen does nothing to a Pod with its own mark.
TEST_F(BenchProgram, CallsASubjectOfAFileWithAPodThatItActsOn) {
  write("s.yaml", R"(apiVersion: fixpoint/v1
kind: Subject
name: marker
configuration:
  apiVersion: admissionregistration.k8s.io/v1
  kind: MutatingWebhookConfiguration
  metadata: {name: marker}
  webhooks:
    - name: mark.example.io
      admissionReviewVersions: [v1]
      sideEffects: None
      rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
webhooks:
  marker/mark.example.io:
    script:
      - when: {absent: /metadata/labels/seen}
        patch: [{op: add, path: /metadata/labels, value: {seen: "yes"}}]
)");
  const Outcome marked = bench("s.yaml --calls 3 --save base.json");
  ASSERT_EQ(marked.code, 0) << marked.err;
  const auto figures = measure::read_baseline_file(path("base.json"));
  ASSERT_TRUE(figures.ok());
  for (const measure::BenchFigure& figure : *figures) {
    EXPECT_EQ(figure.injector, "marker");
    EXPECT_EQ(figure.patch_bytes,
              std::string_view(R"([{"op":"add","path":"/metadata/labels","value":{"seen":"yes"}}])").size());
  }
}

}  // namespace
}  // namespace fixpoint::cli
