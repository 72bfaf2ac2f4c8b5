#include "reports/stranger_scores.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/golden_test.h"

namespace fixpoint::reports {
namespace {

const ReportedItem kAlarmOfStranger{.severity = "warning",
                                    .property = "preserves-others",
                                    .webhook = "mirror/mirror.example.io",
                                    .because = "spec.containers[0].image changed from \"a\" to \"b\"",
                                    .runs = 1};

StrangerScore wrong_stranger() {
  return {.name = "proxy-env",
          .runs = 2,
          .cases = 400,
          .acted = 268,
          .found = 2,
          .milliseconds = {310, 1250},
          .findings = {2, 3},
          .problems = {1, 2},
          .unexpected = {{.severity = "error",
                          .property = "answers",
                          .webhook = "proxy/proxy.example.io",
                          .because = "the webhook refuses a Pod:\nKeyError",
                          .runs = 2}}};
}
StrangerScore right_stranger() {
  return {.name = "image-mirror",
          .is_right = true,
          .runs = 2,
          .cases = 300,
          .acted = 300,
          .no_verdict = 1,
          .complaints = {"no verdict: image-mirror acted in 0 of 20 Cases"},
          .alarmed_runs = 1,
          .unexpected = {kAlarmOfStranger},
          .observations = {{.severity = "observation",
                            .property = "rewrites",
                            .webhook = "mirror/mirror.example.io",
                            .because = "rewrites spec.containers[*].image",
                            .runs = 2}}};
}
StrangerScore missed_stranger() {
  return {.name = "cert-volume", .runs = 2, .cases = 350, .acted = 10, .found = 0};
}
StrangerScore not_run_stranger() { return {.name = "vault-agent", .is_right = true, .not_run = "needs go"}; }

StrangerBoard all_strangers() {
  return {.bound = "8s",
          .seeds = 2,
          .strangers = {missed_stranger(), right_stranger(), wrong_stranger(), not_run_stranger()}};
}

TEST(StrangerScores, ReadAsTheyShould) {
  expect_golden("reports/golden/strangers.md", stranger_board_text(all_strangers()));
}
TEST(StrangerScores, AsJsonReadAsTheyShould) {
  expect_golden("reports/golden/strangers.json",
                document::write_json_pretty(write_stranger_board(all_strangers())));
}

TEST(StrangerScores, ReadBack) {
  const auto again = read_stranger_board(write_stranger_board(all_strangers()));
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_EQ(again->strangers, all_strangers().strangers);
  EXPECT_EQ(again->bound, "8s");
  EXPECT_EQ(again->seeds, 2);
}

TEST(StrangerScores, ThatAreNoneAreRefusedInOneLine) {
  const struct {
    const char* text;
    const char* place;
  } rows[] = {
      {R"({"apiVersion":"fixpoint/v1","kind":"Scoreboard"})", "/kind"},
      {R"({"apiVersion":"fixpoint/v1"})", "/kind"},
      {R"({"apiVersion":"fixpoint/v1","kind":"StrangerScoreboard","strangers":[{}]})", "/strangers/0/name"},
      {R"({"apiVersion":"fixpoint/v1","kind":"StrangerScoreboard","strangers":[{"name":"a",
         "otherFindings":[{"severity":"bad","property":"p","because":"b"}]}]})",
       "/strangers/0/otherFindings/0/severity"},
      {R"({"apiVersion":"fixpoint/v1","kind":"StrangerScoreboard","bugs":[]})", "/bugs"}};
  for (const auto& row : rows) {
    const auto read = read_stranger_board(document::read_json(row.text).value());
    ASSERT_FALSE(read.ok()) << row.text;
    EXPECT_EQ(read.error().place, row.place) << row.text;
  }
}

TEST(StrangerScores, HaveLostNothingAgainstThemselvesNorWhereTheyWereNotRun) {
  EXPECT_TRUE(losses(all_strangers(), all_strangers(), false).empty());
  StrangerBoard fresh = all_strangers();
  for (StrangerScore& score : fresh.strangers)
    score = {.name = score.name, .is_right = score.is_right, .not_run = "needs python3"};
  EXPECT_TRUE(losses(all_strangers(), fresh, false).empty());
  EXPECT_TRUE(losses(fresh, all_strangers(), false).empty());
}

/// A change that makes one stranger's score worse, and the loss that must be reported.
struct WorseStranger {
  StrangerScore (*of)();
  void (*spoil)(StrangerScore& fresh);
  const char* says;
};

TEST(StrangerScores, NameEveryKindOfLoss) {
  const WorseStranger rows[] = {
      {wrong_stranger, [](StrangerScore& fresh) { fresh.found = 1; },
       "proxy-env: is found in 1 of 2 runs, the scoreboard says 2 of 2"},
      {right_stranger,
       [](StrangerScore& fresh) { fresh.unexpected.push_back({"error", "valid-spec", "", "why", 1}); },
       "image-mirror: is right and blamed by valid-spec (error): why"},
      {wrong_stranger, [](StrangerScore& fresh) { fresh.is_right = true; },
       "proxy-env: is right, the scoreboard says wrong"},
      {missed_stranger,
       [](StrangerScore& fresh) {
         fresh.no_verdict = 2;
         fresh.complaints = {"it cannot be reached"};
       },
       "cert-volume: no verdict in 2 of 2 runs: it cannot be reached"},
      {wrong_stranger, [](StrangerScore& fresh) { fresh.name = "new"; },
       "new: does not stand on the scoreboard"}};
  for (const WorseStranger& row : rows) {
    StrangerBoard committed = all_strangers(), fresh = all_strangers();
    committed.strangers = fresh.strangers = {row.of()};
    row.spoil(fresh.strangers.front());
    EXPECT_EQ(losses(committed, fresh, true), std::vector<std::string>{row.says});
  }
}

TEST(StrangerScores, TakeFewerAndOtherFindingsForNoLoss) {
  StrangerBoard fresh = all_strangers();
  fresh.strangers[1].unexpected = {};
  fresh.strangers[2].unexpected.push_back(kAlarmOfStranger);
  EXPECT_TRUE(losses(all_strangers(), fresh, false).empty());
  fresh.strangers.pop_back();
  EXPECT_TRUE(losses(all_strangers(), fresh, true).empty());
  EXPECT_EQ(losses(all_strangers(), fresh, false),
            std::vector<std::string>{"vault-agent: stands on the scoreboard and is known no more"});
}

}  // namespace
}  // namespace fixpoint::reports
