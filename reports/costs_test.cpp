#include "reports/costs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/golden_test.h"
#include "reports/assets_model.h"
#include "reports/report_formats.h"

namespace fixpoint::reports {
namespace {

constexpr std::int64_t kSizes[] = {3, 5, 10, 50, 200};

/// Returns one row for each size, with the cost of a Case of that size.
template <class Cost>
std::vector<CostRow> rows_of(const Cost& cost) {
  std::vector<CostRow> rows;
  for (const std::int64_t size : kSizes)
    rows.push_back({"containers", size, cost(static_cast<double>(size))});
  return rows;
}

TEST(Costs, AQuadraticSeriesIsReportedStepByStep) {
  const auto curves = curves_of(rows_of([](double size) { return 0.5 * size * size; }));
  EXPECT_TRUE(has_steep_step(curves));
  EXPECT_EQ(verdict_of(curves), "4 quadratic steps");
  for (std::size_t i = 1; i < std::size(kSizes); ++i) EXPECT_NEAR(*curves[0].points[i].growth, 2, 1e-9);
}

TEST(Costs, OneStepIsReportedWithItsPlace) {
  const auto curves = curves_of(rows_of([](double size) { return size < 50 ? 10 * size : 40 * size; }));
  EXPECT_EQ(
      steep_text(curves),
      "STEEP  containers from 10 to 50: 100.0 to 2000.0 µs grows as size^1.86, expected at most size^1.6\n");
}

TEST(Costs, NeitherALineNorALogarithmNorAConstantIsSteep) {
  for (const auto cost :
       {+[](double size) { return 40 + 3 * size; }, +[](double size) { return 0.01 * size; },
        +[](double size) { return size * (1 + std::log(size)); }, +[](double) { return 7.0; }}) {
    const auto curves = curves_of(rows_of(cost));
    EXPECT_FALSE(has_steep_step(curves)) << steep_text(curves);
    EXPECT_EQ(steep_text(curves), "");
    EXPECT_EQ(verdict_of(curves), "no step grows faster than the Case");
  }
}

RC_GTEST_PROP(Costs, NoiseIsNoStepAndHidesNone, ()) {
  const double base = *rc::gen::inRange(0, 1000), each = *rc::gen::inRange(1, 100);
  const auto noisy = [](double cost) { return cost * *rc::gen::inRange(93, 108) / 100; };
  RC_ASSERT(!has_steep_step(curves_of(rows_of([&](double size) { return noisy(base + each * size); }))));
  const auto square = curves_of(rows_of([&](double size) { return noisy(each * size * size); }));
  RC_ASSERT(verdict_of(square) == "4 quadratic steps");
}

TEST(Costs, WhatTheMachineIsSlowerWithMuchMemoryIsNoGrowth) {
  const auto judged = [](double first_byte, double last_byte) {
    return curves_of(
        std::vector<CostRow>{{"kilobytes", 128, 2000, first_byte}, {"kilobytes", 1024, 64000, last_byte}});
  };
  EXPECT_TRUE(has_steep_step(judged(0, 0))) << "nothing is known of the machine";
  EXPECT_TRUE(has_steep_step(judged(8, 0)));
  EXPECT_TRUE(has_steep_step(judged(8, 8)));
  EXPECT_TRUE(has_steep_step(judged(32, 8))) << "a byte of a small Pod costs more: that excuses nothing";
  const auto slower = judged(8, 32);
  EXPECT_FALSE(has_steep_step(slower));
  EXPECT_NEAR(*slower[0].points[1].growth, 1, 1e-9);
}

TEST(Costs, TheBestOfASizeCountsInWhateverOrderTheyCome) {
  const std::vector<CostRow> rows{{"webhooks", 20, 900},
                                  {"containers", 3, 60},
                                  {"webhooks", 5, 80},
                                  {"webhooks", 20, 300},
                                  {"webhooks", 20, 700}};
  const auto curves = curves_of(rows);
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0].axis, "webhooks");
  ASSERT_EQ(curves[0].points.size(), 2u);
  EXPECT_EQ(curves[0].points[0].size, 5);
  EXPECT_FALSE(curves[0].points[0].growth);
  EXPECT_EQ(curves[0].points[1].microseconds, 300);
  EXPECT_EQ(curves[0].points[1].per_unit, 15);
  EXPECT_NEAR(*curves[0].points[1].growth, std::log(300.0 / 80) / std::log(4), 1e-9);
  EXPECT_EQ(curves[1].points.size(), 1u) << "one size is no curve yet, and no step";
}

const std::vector<CostRow> kRows{{"containers", 3, 61.24, 9},   {"containers", 12, 120.5, 8.5},
                                 {"containers", 200, 2400, 9},  {"webhooks", 3, 61, 8},
                                 {"webhooks", 20, 390, 8},      {"kilobytes", 2, 52, 10},
                                 {"kilobytes", 128, 1410, 7.5}, {"kilobytes", 1024, 90000, 15}};

TEST(Costs, ReadAsTheyShould) {
  auto rows = kRows;
  expect_golden("reports/golden/costs_steep.txt", costs_text(curves_of(rows)));
  expect_golden("reports/golden/costs.html", without_assets(write_costs_html(curves_of(rows), "0.1.0")));
  rows.back().microseconds = 5200;
  expect_golden("reports/golden/costs.txt", costs_text(curves_of(rows)));
}

TEST(Costs, OfARunStandInItsPageWhenItHasThem) {
  RunRecord record{.complete = true};
  EXPECT_EQ(write_as("html", record).find("What a Case costs"), std::string::npos);
  record.costs = kRows;
  const std::string page = without_assets(write_as("html", record));
  EXPECT_NE(page.find("<h2 id=\"h-costs\">What a Case costs as it grows</h2>"), std::string::npos);
  EXPECT_NE(page.find("1 quadratic step"), std::string::npos);
  EXPECT_NE(page.find("PASSED: nothing found"), std::string::npos) << "it is no verdict on the webhooks";
}

TEST(Costs, AxesSteerNothing) {
  const std::vector<CostRow> rows{{"<img src=x>\"'\x1b[31m\n::error::x", 3, 1}, {"</script>", 3, 1}};
  const std::string page = without_assets(write_costs_html(curves_of(rows), "<b>"));
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(page.find("</script>\""), std::string::npos);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_EQ(costs_text(curves_of(rows)).find("\x1b"), std::string::npos);
  EXPECT_EQ(costs_text(curves_of(rows)).find("\n::error"), std::string::npos);
}

}  // namespace
}  // namespace fixpoint::reports
