#include "harness/score/scoreboard.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/golden_test.h"

namespace fixpoint::score {
namespace {

const ReportedItem kAlarm{"warning", "preserves-others", "mirror/mirror.example.io",
                          "spec.containers[0].image changed from \"a\" to \"b\"", 1};

Score bug() {
  return {.name = "defects/env-without-guard",
          .expected = "no-duplicate-names",
          .runs = 20,
          .found = 20,
          .cases = 10'000,
          .until = {3, 1234},
          .milliseconds = {35, 410},
          .size = {4, 5},
          .problems = {1, 1}};
}
Score wrong_stranger() {
  return {
      .name = "proxy-env",
      .runs = 2,
      .found = 2,
      .cases = 400,
      .acted = 268,
      .milliseconds = {310, 1250},
      .findings = {2, 3},
      .problems = {1, 2},
      .others = {{"error", "answers", "proxy/proxy.example.io", "the webhook refuses a Pod:\nKeyError", 2}}};
}
Score right_stranger() {
  return {.name = "image-mirror",
          .is_right = true,
          .runs = 2,
          .cases = 300,
          .acted = 300,
          .no_verdict = 1,
          .complaints = {"no verdict: image-mirror acted in 0 of 20 Cases"},
          .alarms = {kAlarm},
          .observations = {{"observation", "rewrites", "mirror/mirror.example.io", "rewrites an image", 2}}};
}
Score not_run_stranger() { return {.name = "vault-agent", .is_right = true, .not_run = "needs go"}; }

Scoreboard strangers() {
  return {.family = "strangers",
          .bound = "8s",
          .seeds = 2,
          .scores = {right_stranger(), wrong_stranger(), not_run_stranger()}};
}
Scoreboard one(const Score& score) { return {.family = "bugs", .scores = {score}}; }

/// The committed tables are those of the committed figures.
TEST(Scoreboard, IsATableThatIsCommittedBesideIt) {
  for (const std::string file : {"corpus/scoreboard", "corpus/strangers/scoreboard"}) {
    const auto board = read_scoreboard_file(FIXPOINT_SOURCE "/" + file + ".json");
    ASSERT_TRUE(board.ok()) << board.error().text();
    expect_golden(file + ".md", scoreboard_text(*board));
  }
}

TEST(Scoreboard, NamesInItsTableWhatIsWrong) {
  const std::string text = scoreboard_text(strangers());
  for (const char* part : {"| proxy-env    | wrong | 67.0%  | 2/2", "not run: needs go",
                           "\n## False alarms\n\n- image-mirror: warning ",
                           "\n## Other findings on wrong ones\n\n- proxy-env: error answers in "
                           "proxy/proxy.example.io, in 2 of 2 runs: ",
                           "\n## Observations\n\n- image-mirror: rewrites",
                           "\n## Without a verdict\n\n- image-mirror: `no verdict: "})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(text.find("KeyError\n\n- "), std::string::npos) << "one line an item";
}

TEST(Scoreboard, ReadsBack) {
  Scoreboard all = strangers();
  all.scores.push_back(bug());
  const auto again = read_scoreboard(write_scoreboard(all));
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_EQ(again->scores, all.scores);
  EXPECT_EQ(again->bound, "8s");
  EXPECT_EQ(again->seeds, 2);
}

TEST(Scoreboard, WhatIsNoneIsRefusedInOneLine) {
  const struct {
    const char* members;
    const char* place;
  } rows[] = {{R"("kind":"Case")", "/kind"},
              {R"("seeds":1)", "/kind"},
              {R"("kind":"Scoreboard","seeds":"x")", "/seeds"},
              {R"("kind":"Scoreboard","family":"beasts")", "/family"},
              {R"("kind":"Scoreboard","bugs":[])", "/bugs"},
              {R"("kind":"Scoreboard","scores":[{}])", "/scores/0/name"},
              {R"("kind":"Scoreboard","scores":[{"name":"a","alarms":[{"severity":"bad"}]}])",
               "/scores/0/alarms/0/severity"}};
  for (const auto& row : rows) {
    const std::string text = std::string(R"({"apiVersion":"fixpoint/v1",)") + row.members + "}";
    const auto read = read_scoreboard(document::read_json(text).value());
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().place, row.place) << text;
  }
}

TEST(Scoreboard, TheSpreadOfFiguresIsTheirMiddleAndTheirLargest) {
  EXPECT_EQ(spread_of({}), (Spread{0, 0}));
  EXPECT_EQ(spread_of({7}), (Spread{7, 7}));
  EXPECT_EQ(spread_of({9, 1, 5, 3}), (Spread{3, 9}));
}

TEST(Scoreboard, NothingIsLostAgainstItselfNorWhereItWasNotRun) {
  EXPECT_TRUE(losses(strangers(), strangers(), false).empty());
  Scoreboard fresh = strangers();
  for (Score& score : fresh.scores)
    score = {.name = score.name, .is_right = score.is_right, .not_run = "needs python3"};
  EXPECT_TRUE(losses(strangers(), fresh, false).empty());
  EXPECT_TRUE(losses(fresh, strangers(), false).empty());
  Score fewer = bug();
  fewer.runs = fewer.found = 3;
  fewer.size.worst += 2;
  EXPECT_TRUE(losses(one(bug()), one(fewer), false).empty());
}

/// A change that makes a score worse, and the loss that must be reported.
struct Worse {
  Score (*of)();
  void (*spoil)(Score& fresh);
  const char* says;
};

TEST(Scoreboard, EveryKindOfLossIsNamed) {
  const Worse rows[] = {
      {bug, [](Score& fresh) { fresh.found = 19; },
       "defects/env-without-guard: is found in 19 of 20 runs, the scoreboard says 20 of 20"},
      {bug, [](Score& fresh) { fresh.expected = "converges"; },
       "defects/env-without-guard: is found by converges, the scoreboard says no-duplicate-names"},
      {bug, [](Score& fresh) { fresh.alarms = {{"error", "valid-spec", "", "why", 1}}; },
       "defects/env-without-guard: is right and blamed by valid-spec (error): why"},
      {bug, [](Score& fresh) { fresh.size.worst = 10; },
       "defects/env-without-guard: is shrunk to the size 10, the scoreboard says 5"},
      {bug, [](Score& fresh) { fresh.problems = {3, 3}; },
       "defects/env-without-guard: is 3 problems, the scoreboard says 1"},
      {right_stranger, [](Score& fresh) { fresh.alarms.push_back({"error", "valid-spec", "", "why", 1}); },
       "image-mirror: is right and blamed by valid-spec (error): why"},
      {wrong_stranger, [](Score& fresh) { fresh.is_right = true; },
       "proxy-env: is right, the scoreboard says wrong"},
      {wrong_stranger,
       [](Score& fresh) {
         fresh.no_verdict = 2;
         fresh.complaints = {"it cannot be reached"};
       },
       "proxy-env: no verdict in 2 of 2 runs: it cannot be reached"},
      {wrong_stranger, [](Score& fresh) { fresh.name = "new"; }, "new: does not stand on the scoreboard"}};
  for (const Worse& row : rows) {
    Score fresh = row.of();
    row.spoil(fresh);
    EXPECT_EQ(losses(one(row.of()), one(fresh), true), std::vector<std::string>{row.says});
  }
}

TEST(Scoreboard, WhatWasFoundNowAndThenMustNotVanish) {
  Score before = bug(), now = bug();
  before.found = 19;
  now.found = 1;
  EXPECT_TRUE(losses(one(before), one(now), false).empty());
  now.found = 0;
  EXPECT_EQ(losses(one(before), one(now), false).size(), 1u);
}

TEST(Scoreboard, FewerAlarmsAndOtherFindingsAreNoLossAndAPartIsComparedAlone) {
  Scoreboard fresh = strangers();
  fresh.scores[0].alarms = {};
  fresh.scores[1].others.push_back(kAlarm);
  EXPECT_TRUE(losses(strangers(), fresh, false).empty());
  fresh.scores.pop_back();
  EXPECT_TRUE(losses(strangers(), fresh, true).empty());
  EXPECT_EQ(losses(strangers(), fresh, false),
            std::vector<std::string>{"vault-agent: stands on the scoreboard and is known no more"});
}

}  // namespace
}  // namespace fixpoint::score
