#include "harness/runner/run_summary.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fixpoint::runner {
namespace {

RunSummary summary_of(std::uint64_t acted, std::uint64_t no_effect) {
  RunSummary summary;
  summary.cases = acted + no_effect;
  summary.acted["hook"] = {.acted = acted, .no_effect = no_effect};
  summary.properties["converges"] = {.asked = 1, .held = 1};
  return summary;
}

TEST(MissingVerdict, IsOfASubjectThatActedInTooFewCases) {
  EXPECT_TRUE(missing_verdicts(summary_of(10, 190)).empty());
  EXPECT_EQ(missing_verdicts(summary_of(9, 191)).at(0), "hook acted in 9 of 200 Cases, fewer than 5%");
  EXPECT_TRUE(missing_verdicts(summary_of(1, 198)).empty()) << "fewer than 200 Cases judge only none at all";
  EXPECT_EQ(missing_verdicts(summary_of(0, 3)).at(0), "hook acted in 0 of 3 Cases");
  RunSummary strict = summary_of(40, 160);
  strict.acted_min = 30;
  EXPECT_EQ(missing_verdicts(strict).size(), 1U);
}

TEST(MissingVerdict, QuotesTheRefusalsThatWereMostFrequent) {
  RunSummary summary = summary_of(0, 300);
  Acted& counts = summary.acted["hook"];
  for (int i = 0; i < 5; ++i) counts.take_denial("no role found");
  counts.take_denial("rare");
  for (int i = 0; i < 3; ++i) counts.take_denial("no port");
  EXPECT_EQ(
      missing_verdicts(summary).at(0),
      "hook acted in 0 of 300 Cases; it refused 5 with \"no role found\"; it refused 3 with \"no port\"");
}

TEST(MissingVerdict, NamesTheKindForWhichHalfOfTheCasesAreRefused) {
  const properties::Observation lacking{.kind = std::string(properties::kUnservedKind),
                                        .webhook = "c/hook",
                                        .path = "webhook",
                                        .reason = "refuses Pods for a kind: no matches for kind \"App\""};
  RunSummary summary = summary_of(100, 100);
  summary.observe(lacking, 49);
  EXPECT_TRUE(missing_verdicts(summary).empty());
  summary.observe(lacking);
  EXPECT_EQ(missing_verdicts(summary).at(0),
            "c/hook refuses Pods for a kind: no matches for kind \"App\" (in 50 Cases)");
}

TEST(MissingVerdict, AddsUpOverRuns) {
  RunSummary sum = summary_of(1, 100);
  sum.acted["hook"].take_denial("no");
  sum.add(sum);
  EXPECT_EQ(sum.acted["hook"].denials.at("no"), 2U);
  EXPECT_EQ(missing_verdicts(sum).at(0),
            "hook acted in 2 of 202 Cases, fewer than 5%; it refused 2 with \"no\"");
}

TEST(MissingVerdict, ShowsNoSecretOfADenial) {
  Acted counts;
  counts.take_denial("password=hunter2 is weak");
  EXPECT_EQ(counts.denials.at("password=redacted is weak"), 1U);
}

TEST(MissingVerdict, OfRunsTogetherIsThatOfTheStricterOne) {
  RunSummary lenient = summary_of(1, 199), strict = summary_of(40, 160), sum;
  lenient.acted_min = 0;
  strict.acted_min = 30;
  sum.add(lenient);
  EXPECT_TRUE(missing_verdicts(sum).empty()) << "what nothing was added to demands nothing";
  sum.add(strict);
  EXPECT_EQ(missing_verdicts(sum).at(0), "hook acted in 41 of 400 Cases, fewer than 30%");
  RunSummary other_order;
  other_order.add(strict);
  other_order.add(lenient);
  EXPECT_EQ(missing_verdicts(other_order), missing_verdicts(sum));
}

/// A run about Pods, on which the webhook acts, and about Widgets, on which it acts or not.
RunSummary about_two_kinds(bool acts_on_both) {
  RunSummary summary = summary_of(300, 300);
  for (std::uint64_t i = 0; i < 300; ++i) {
    summary.take("pods", true, {{"converges", Decision::held}});
    summary.take("widgets.example.io", acts_on_both,
                 {{"converges", acts_on_both ? Decision::held : Decision::skipped}});
  }
  return summary;
}

TEST(MissingVerdict, IsOfAKindOnWhichNobodyActs) {
  EXPECT_TRUE(missing_verdicts(about_two_kinds(true)).empty());
  EXPECT_EQ(missing_verdicts(about_two_kinds(false)),
            std::vector<std::string>{"no webhook under test acted on widgets.example.io in 300 Cases"});
}

TEST(VacuityChecks, AreOfEachKind) {
  RunSummary summary = about_two_kinds(true);
  summary.kinds["widgets.example.io"].properties["converges"] = {.asked = 300, .skipped = 300};
  const auto checks = vacuity_checks_of(summary, false, 200);
  const auto it =
      std::ranges::find(checks, "converges was reached for widgets.example.io", &VacuityCheck::name);
  ASSERT_NE(it, checks.end());
  EXPECT_FALSE(it->held);
  EXPECT_EQ(vacuity_checks_of(about_two_kinds(true), false, 200).size(), 1U);
}

TEST(VacuityChecks, WantNothingOfWhatConcernsHardlyAnyCase) {
  EXPECT_TRUE((Tally{.asked = 900, .skipped = 7, .not_applicable = 893}).was_reached());
  EXPECT_FALSE((Tally{.asked = 900, .skipped = 8, .not_applicable = 892}).was_reached());
  EXPECT_FALSE((Tally{.asked = 3, .skipped = 3}).was_reached());
}

TEST(RunSummary, AddsUpItsKinds) {
  RunSummary sum = about_two_kinds(true);
  sum.add(about_two_kinds(false));
  EXPECT_EQ(sum.kinds.at("widgets.example.io").cases, 600U);
  EXPECT_EQ(sum.kinds.at("widgets.example.io").acted, 300U);
  EXPECT_EQ(sum.kinds.at("widgets.example.io").properties.at("converges").skipped, 300U);
}

}  // namespace
}  // namespace fixpoint::runner
