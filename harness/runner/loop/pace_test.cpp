#include "harness/runner/loop/pace.h"

#include <gtest/gtest.h>

namespace fixpoint::runner {
namespace {

TEST(Pace, IsSlowBeforeTheFirstCallAndWhileCallsTakeLong) {
  Pace pace(true);
  EXPECT_TRUE(pace.is_slow());
  pace.take(0.01, 100);
  EXPECT_FALSE(pace.is_slow());
  pace.take(0.5, 2);
  EXPECT_TRUE(pace.is_slow());
  pace.take(9, 0);  // no call was made: what took long is ours
  EXPECT_TRUE(pace.is_slow());
}

TEST(Pace, CountsSlowCallsAlone) {
  Pace pace(true);
  EXPECT_EQ(pace.text(1), "");
  pace.take(4, 40);
  pace.take(4, 40);
  EXPECT_EQ(pace.text(1), "100 ms a call, 40 calls a Case: 15 Cases in a minute");
  EXPECT_EQ(pace.text(8), "100 ms a call, 40 calls a Case: 120 Cases in a minute");
  pace.take(0.1, 100'000);
  EXPECT_EQ(pace.text(1), "") << "no longer slow";
}

TEST(Pace, OfARunThatItsSeedDecidesIsNeverSlow) {
  Pace pace(false);
  pace.take(100, 1);
  EXPECT_FALSE(pace.is_slow());
}

TEST(Pace, KeepsRoundsShortWhereCasesTakeLong) {
  Pace pace(true);
  EXPECT_EQ(pace.cases_of_a_round(1024, 2), 2U) << "nobody knows yet";
  pace.take(3, 1);
  EXPECT_EQ(pace.cases_of_a_round(1024, 2), 2U);
  EXPECT_EQ(pace.cases_of_a_round(1, 2), 1U) << "of what is left";
  Pace other(true);
  for (int i = 0; i < 10; ++i) other.take(0.02, 10);
  EXPECT_EQ(other.cases_of_a_round(1024, 1), 25U) << "half a second";
  EXPECT_EQ(other.cases_of_a_round(1024, 4), 100U) << "of each thread";
  EXPECT_EQ(Pace(false).cases_of_a_round(1024, 2), 1024U);
}

TEST(Pace, AsksFirstWhatWasDecidedLeast) {
  const auto all = properties::all();
  std::vector<const properties::Property*> three{&all[0], &all[1], &all[2]};
  RunSummary summary;
  auto& pods = summary.kinds["pods"].properties;
  pods[std::string(all[0].name)] = {.asked = 9, .held = 2, .violated = 1};
  pods[std::string(all[1].name)] = {.asked = 9, .held = 9};
  pods[std::string(all[2].name)] = {.asked = 9, .skipped = 9};
  summary.kinds["jobs.batch"].properties[std::string(all[2].name)] = {.asked = 1, .held = 1};
  EXPECT_EQ(
      least_decided_first(three, summary),
      (PropertyOrders{{"pods", {&all[2], &all[0], &all[1]}}, {"jobs.batch", {&all[0], &all[1], &all[2]}}}));
}

}  // namespace
}  // namespace fixpoint::runner
