#include "harness/measure/case_costs.h"

#include <gtest/gtest.h>

#include "harness/cli/work_folder_model.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "reports/costs.h"

namespace fixpoint::measure {
namespace {

constexpr std::int64_t kFourSizes[] = {1, 2, 4, 8};

TEST(CaseCosts, AreTheBestOfRoundsThatTakeTheSizesInTurn) {
  std::vector<std::int64_t> asked;
  const auto rows = measure_costs("x", kFourSizes, {3}, [&](std::int64_t size) {
    asked.push_back(size);
    const auto round = (asked.size() - 1) / 4;
    // The durations are whole seconds, so that one call fills a turn.
    return Took{(round == 1 ? 1.0 : 2.0) * static_cast<double>(size), round == 2 ? 1e-9 : 2e-9};
  });
  EXPECT_EQ(asked, (std::vector<std::int64_t>{1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8}));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[3].axis, "x");
  EXPECT_EQ(rows[3].size, 8);
  EXPECT_DOUBLE_EQ(rows[3].microseconds, 8e6);
  EXPECT_DOUBLE_EQ(rows[3].byte_nanoseconds, 1);
}

TEST(CaseCosts, OfAFewMicrosecondsAreTakenManyTimesATurn) {
  int asked = 0;
  const std::int64_t one[] = {1};
  const auto rows =
      measure_costs("x", one, {2}, [&](std::int64_t) { return Took{++asked % 10 == 0 ? 1e-4 : 1e-3}; });
  EXPECT_GT(asked, 30);
  EXPECT_DOUBLE_EQ(rows[0].microseconds, 100);
  asked = 0;
  measure_costs("x", one, {1}, [&](std::int64_t) { return ++asked, Took{}; });
  EXPECT_EQ(asked, 1000) << "also when the clock stands still";
}

TEST(CaseCosts, ADisturbanceIsMeasuredAway) {
  int asked = 0;
  const auto rows = measure_until_calm("x", kFourSizes, {1}, [&](std::int64_t size) {
    return Took{(++asked == 3 ? 100.0 : 1.0) * static_cast<double>(size)};
  });
  EXPECT_EQ(asked, 8) << "once more, and then no more";
  EXPECT_FALSE(reports::has_steep_step(reports::curves_of(rows)));
}

TEST(CaseCosts, ThatNobodyWaitsForAreNone) {
  int asked = 0;
  const CostRounds rounds{.rounds = 100, .is_over = [&] { return asked >= 6; }};
  const auto each = [&](std::int64_t size) {
    ++asked;
    return Took{static_cast<double>(size * size)};
  };
  EXPECT_TRUE(measure_costs("x", kFourSizes, rounds, each).empty());
  EXPECT_EQ(asked, 6) << "nothing more is begun";
  asked = 0;
  EXPECT_TRUE(measure_until_calm("x", kFourSizes, {1, rounds.is_over}, each).empty())
      << "it would have been measured again";
}

TEST(CaseCosts, WhatIsQuadraticStaysSo) {
  int asked = 0;
  const auto rows = measure_until_calm("x", kFourSizes, {1}, [&](std::int64_t size) {
    ++asked;
    return Took{static_cast<double>(size * size)};
  });
  EXPECT_EQ(asked, 16) << "three times more";
  EXPECT_EQ(reports::verdict_of(reports::curves_of(rows)), "3 quadratic steps");
}

TEST(CaseCosts, ALargerCaseCostsMore) {
  for (const CostAxis& axis : cost_axes()) {
    const std::int64_t ends[] = {axis.sizes.front(), axis.sizes.back()};
    const auto rows = measure_costs(axis.name, ends, {2},
                                    [&](std::int64_t size) { return examine_new_case(axis.at(size)); });
    EXPECT_GT(rows[1].microseconds, rows[0].microseconds) << axis.name;
    EXPECT_GT(rows[0].byte_nanoseconds, 0) << axis.name;
  }
}

class BenchCases : public testing::Test {
 protected:
  cli::WorkFolder::Ran run(const std::string& line) const {
    return folder_.run(FIXPOINT_PROGRAM, FIXPOINT_SOURCE "/corpus", line);
  }
  const cli::WorkFolder folder_{"bench-cases"};
};

TEST_F(BenchCases, MeasuresWhatAReportThenShows) {
  const auto measured = run("bench cases webhooks kilobytes --rounds 1 --json --html curves.html");
  const auto record = reports::read_events(measured.out);
  ASSERT_TRUE(record.ok()) << measured.out << measured.err;
  ASSERT_EQ(record->costs.size(), 8u);
  const auto curves = reports::curves_of(record->costs);
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0].points.back().size, 20);
  EXPECT_EQ(curves[1].points.back().size, 1024);
  // The duration depends on the machine, but the exit code must follow from it.
  EXPECT_EQ(measured.code, reports::has_steep_step(curves) ? 1 : 0) << measured.out;
  EXPECT_EQ(measured.err, reports::steep_text(curves));
  EXPECT_NE(folder_.read("curves.html").find(reports::verdict_of(curves) + "</h1>"), std::string::npos);

  EXPECT_EQ(run("fuzz peers/sidecar-guarded --seed 1 --cases 20 --jobs 1").code, 0);
  EXPECT_EQ(run("report run --format html").out.find("h-costs"), std::string::npos);
  folder_.write("run/bench.ndjson", measured.out);
  EXPECT_NE(run("report run --format html").out.find("h-costs"), std::string::npos);
  const auto summary = document::read_json(run("report run --format json").out);
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ((*summary)["costs"].size(), 8u);

  folder_.write("run/bench.ndjson", measured.out + "{\"event\":\"cost\",\"axis\":\"x\",\"size\":0}\n");
  const auto broken = run("report run");
  EXPECT_EQ(broken.code, 2);
  EXPECT_EQ(broken.err, "fixpoint: run/bench.ndjson: line 9: /size: expected a whole number above 0\n");
}

TEST_F(BenchCases, PrintsATable) {
  const auto ran = run("bench cases webhooks --rounds 1");
  EXPECT_TRUE(ran.out.starts_with("webhooks ")) << ran.out;
  EXPECT_NE(ran.out.find("\n20  "), std::string::npos) << ran.out;
  EXPECT_EQ(ran.code == 0, ran.out.ends_with("no step grows faster than the Case\n")) << ran.out;
}

TEST_F(BenchCases, RefusesWhatItCannotMeasure) {
  const auto axis = run("bench cases container");
  EXPECT_EQ(axis.code, 2);
  EXPECT_EQ(
      axis.err,
      "fixpoint: bench cases: expected containers, webhooks or kilobytes, found \"container\" (did you mean "
      "\"containers\"?)\n");
  const auto rounds = run("bench cases --rounds 0");
  EXPECT_EQ(rounds.code, 2);
  EXPECT_EQ(rounds.err, "fixpoint: --rounds: expected 1 to 1000\n");
  const auto html = run("bench cases webhooks --rounds 1 --html /nowhere/x.html");
  EXPECT_EQ(html.code, 3);
  EXPECT_NE(html.err.find("/nowhere/x.html"), std::string::npos) << html.err;
}

}  // namespace
}  // namespace fixpoint::measure
