#include "reports/scoreboard.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/golden_test.h"

namespace fixpoint::reports {
namespace {

BugScore planted() {
  return {.name = "defects/env-without-guard",
          .subject = "defects/env-without-guard@buggy",
          .fixed = "defects/env-without-guard@fixed",
          .property = "no-duplicate-names",
          .seeds = 20,
          .found = 20,
          .verdicts = {{"growing", 19}, {"none", 1}},
          .others = {{"idempotent", 4}},
          .cases = {3, 1234},
          .milliseconds = {35, 410},
          .size = {4, 5},
          .webhooks = {1, 2},
          .problems = 1,
          .repair = "add-if-absent",
          .silent_cases = 10'000,
          .silent_fully_asked = 625};
}

BugScore published() {
  return {.name = "hpa-stays-under-external",
          .subject = "kserve/hpa@0.12.1",
          .fixed = "kserve/hpa@0.13.1",
          .property = "no-orphan",
          .seeds = 20,
          .found = 19,
          .verdicts = {{"none", 19}},
          .cases = {12, 80},
          .milliseconds = {5, 9},
          .size = {2, 2},
          .is_sequence = true,
          .silent_cases = 10'000,
          .silent_fully_asked = 10'000,
          .false_alarms = 1};
}

Scoreboard board() {
  return {.seeds = 20, .silence = 10'000, .cases_max = 20'000, .bugs = {planted(), published()}};
}

TEST(Scoreboard, ReadsAsItShould) { expect_golden("reports/golden/scoreboard.md", scoreboard_text(board())); }
TEST(Scoreboard, AsJsonReadsAsItShould) {
  expect_golden("reports/golden/scoreboard.json", document::write_json_pretty(write_scoreboard(board())));
}

TEST(Scoreboard, ReadsBack) {
  const auto again = read_scoreboard(write_scoreboard(board()));
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_EQ(again->bugs, board().bugs);
  EXPECT_EQ(again->seeds, 20);
}

TEST(Scoreboard, OfVersion010ReadsWithoutItsMutations) {
  const auto read =
      read_scoreboard(document::read_json(
                          R"({"apiVersion":"fixpoint/v1","kind":"Scoreboard","seeds":3,"bugs":[],
              "mutations":[{"part":"chain","rules":36,"noticed":35,"survivors":["a crash"]}]})")
                          .value());
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read->seeds, 3);
  EXPECT_TRUE(write_scoreboard(*read)["mutations"].is_null());
}

TEST(Scoreboard, WhatIsNoneIsRefusedInOneLine) {
  const struct {
    const char* text;
    const char* place;
  } rows[] = {
      {R"({"apiVersion":"fixpoint/v1","kind":"Case"})", "/kind"},
      {R"({"apiVersion":"fixpoint/v1"})", "/kind"},
      {R"({"apiVersion":"fixpoint/v1","kind":"Scoreboard","seeds":"x"})", "/seeds"},
      {R"({"apiVersion":"fixpoint/v1","kind":"Scoreboard","bugs":[{"name":"a"}]})", "/bugs/0/subject"},
      {R"({"apiVersion":"fixpoint/v1","kind":"Scoreboard","bug":[]})", "/bug"}};
  for (const auto& row : rows) {
    const auto read = read_scoreboard(document::read_json(row.text).value());
    ASSERT_FALSE(read.ok()) << row.text;
    EXPECT_EQ(read.error().place, row.place) << row.text;
  }
}

TEST(Scoreboard, TheSpreadOfFiguresIsTheirMiddleAndTheirLargest) {
  EXPECT_EQ(spread_of({}), (Spread{0, 0}));
  EXPECT_EQ(spread_of({7}), (Spread{7, 7}));
  EXPECT_EQ(spread_of({9, 1, 5, 3}), (Spread{3, 9}));
}

TEST(Scoreboard, NothingIsLostAgainstItself) {
  EXPECT_TRUE(losses(board(), board(), false).empty());
  Scoreboard fewer = board();
  fewer.bugs.front().seeds = fewer.bugs.front().found = 3;
  fewer.bugs.front().size.worst += 2;
  EXPECT_TRUE(losses(board(), fewer, false).empty());
}

/// Each change of a fresh run is reported as a loss with its name.
TEST(Scoreboard, EveryKindOfLossIsNamed) {
  const struct {
    void (*spoil)(BugScore& fresh);
    const char* says;
  } rows[] = {
      {[](BugScore& fresh) { fresh.found = 19; },
       "defects/env-without-guard: no-duplicate-names finds it in 19 of 20 seeds, the scoreboard says 20 of "
       "20; "
       "idempotent finds something"},
      {[](BugScore& fresh) { fresh.property = "converges"; },
       "defects/env-without-guard: is found by converges, the scoreboard says no-duplicate-names"},
      {[](BugScore& fresh) { fresh.false_alarms = 2; },
       "defects/env-without-guard: 2 false alarms on defects/env-without-guard@fixed, the scoreboard says 0"},
      {[](BugScore& fresh) { fresh.size.worst = 10; },
       "defects/env-without-guard: is shrunk to 10 values, the scoreboard says 5"},
      {[](BugScore& fresh) { fresh.problems = 3; },
       "defects/env-without-guard: is 3 problems, the scoreboard says 1"},
      {[](BugScore& fresh) { fresh.name = "defects/new"; },
       "defects/env-without-guard: stands on the scoreboard and is known no more"}};
  for (const auto& row : rows) {
    Scoreboard fresh = board();
    row.spoil(fresh.bugs.front());
    const auto lost = losses(board(), fresh, false);
    ASSERT_FALSE(lost.empty()) << row.says;
    EXPECT_EQ(lost.front(), row.says);
  }
}

TEST(Scoreboard, WhatWasFoundNowAndThenMustNotVanish) {
  Scoreboard fresh = board();
  fresh.bugs.back().found = 1;
  EXPECT_TRUE(losses(board(), fresh, false).empty());
  fresh.bugs.back().found = 0;
  EXPECT_EQ(losses(board(), fresh, false).size(), 1u);
}

TEST(Scoreboard, APartOfTheBugsIsComparedAlone) {
  Scoreboard fresh = board();
  fresh.bugs.pop_back();
  EXPECT_TRUE(losses(board(), fresh, true).empty());
  EXPECT_EQ(losses(board(), fresh, false).size(), 1u);
  fresh.bugs.front().name = "defects/new";
  EXPECT_EQ(losses(board(), fresh, true),
            std::vector<std::string>{"defects/new: does not stand on the scoreboard"});
}

}  // namespace
}  // namespace fixpoint::reports
