#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/cli/subject_names.h"
#include "harness/document/json.h"
#include "harness/runner/learning/subject.h"
#include "harness/score/bug_hunt.h"
#include "harness/score/score_command.h"
#include "injectors/bundled.h"

namespace fixpoint::score {
namespace {

constexpr const char* kCorpus = FIXPOINT_SOURCE "/corpus";
constexpr const char* kBoard = FIXPOINT_SOURCE "/corpus/scoreboard.json";

struct Said {
  int code;
  std::string text;
};
Said says(const Arguments& arguments) {
  setenv("FIXPOINT_CORPUS", kCorpus, 1);
  testing::internal::CaptureStdout();
  const int code = score_bugs(arguments);
  std::fflush(stdout);
  return {code, testing::internal::GetCapturedStdout()};
}

TEST(KnownBugs, EachHasTwoVariantsAndAPropertyThatIsThere) {
  const auto bugs = known_bugs(kCorpus);
  ASSERT_TRUE(bugs.ok()) << bugs.error().text();
  const auto& catalog = injectors::bundled().catalog;
  std::size_t published = 0, sequences = 0;
  for (const Bug& bug : *bugs) {
    published += bug.fingerprint.empty() ? 0 : 1;
    sequences += bug.is_sequence ? 1 : 0;
    EXPECT_NE(bug.subject, bug.fixed);
    EXPECT_EQ(runner::without_release(bug.subject), runner::without_release(bug.fixed)) << bug.name;
    const auto kinds = properties::observation_kinds();
    EXPECT_TRUE(catalog.find(bug.property) != nullptr || catalog.find_of_sequences(bug.property) != nullptr ||
                std::find(kinds.begin(), kinds.end(), bug.property) != kinds.end())
        << bug.name;
  }
  EXPECT_GE(published, 12u);
  EXPECT_GE(sequences, 3u);
  EXPECT_GE(bugs->size() - published, 50u);
}

TEST(KnownBugs, AFailureOfAReleaseIsTheLastThatShowsItAndTheNext) {
  const auto bugs = known_bugs(kCorpus).value();
  const auto modelcar = std::find_if(
      bugs.begin(), bugs.end(), [](const Bug& bug) { return bug.name == "modelcar-volume-added-again"; });
  ASSERT_NE(modelcar, bugs.end());
  EXPECT_EQ(modelcar->subject, "kserve/modelcar@0.12.0");
  EXPECT_EQ(modelcar->fixed, "kserve/modelcar@0.12.1");
  EXPECT_EQ(modelcar->property, "no-duplicate-names");
}

TEST(Hunts, AreAFunctionOfTheirSeed) {
  const auto bugs = known_bugs(kCorpus).value();
  const auto once = hunt(bugs.front(), cli::bundled_run, 5, 2000).value(),
             again = hunt(bugs.front(), cli::bundled_run, 5, 2000).value();
  ASSERT_TRUE(once.finding && again.finding);
  EXPECT_EQ(*once.finding, *again.finding);
  EXPECT_EQ(once.others, again.others);
}

TEST(Hunts, OnAFixedVariantFindNothing) {
  Bug bug = known_bugs(kCorpus).value().front();
  bug.subject = bug.fixed;
  EXPECT_FALSE(hunt(bug, cli::bundled_run, 1, 300).value().finding);
}

/// A "fixed" variant that still has the bug: the check for false alarms must raise one.
TEST(Silences, OnABuggyVariantAreNone) {
  Bug bug = known_bugs(kCorpus).value().front();
  bug.fixed = bug.subject;
  const auto silence = listen(bug, cli::bundled_run, 1, 300).value();
  EXPECT_EQ(silence.cases, 300u);
  EXPECT_GT(silence.alarms.size(), 0u);
}

/// A part of what CI checks with three seeds: one bug of each table of defects, and one of the releases.
TEST(Scores, OfTheCommittedScoreboardStillHold) {
  const auto said = says({"defects/env-without-guard",
                          "defects/guard-under-another-key",
                          "defects/typed-round-trip",
                          "defects/probes-ignored",
                          "defects/numbers-as-doubles",
                          "defects/uid-not-echoed",
                          "modelcar-volume-added-again",
                          "exec-probe-handed-to-the-agent",
                          "metrics-path-env-appended-again",
                          "hpa-deletes-users-autoscaler-under-external",
                          "--seeds",
                          "2",
                          "--silence",
                          "200",
                          "--problems",
                          "300",
                          "--jobs",
                          "2",
                          "--check",
                          kBoard});
  EXPECT_EQ(said.code, campaign::kNothingFound) << said.text;
}

/// `--check` names the bug whose committed score a run cannot reach.
TEST(Scores, ThatAreLostAreNamed) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("fixpoint-scores-" + std::to_string(std::hash<std::string>{}(kBoard)) + ".json");
  std::ofstream(path) << R"({"apiVersion":"fixpoint/v1","kind":"Scoreboard","family":"bugs",
    "scores":[{"name":"defects/timestamp","expected":"text-survives",
    "runs":1,"found":1,"size":{"median":1,"worst":1}}]})";
  const auto said = says({"defects/timestamp", "--seeds", "1", "--silence", "0", "--check", path});
  std::filesystem::remove(path);
  EXPECT_EQ(said.code, campaign::kFound);
  EXPECT_EQ(said.text,
            "LOST   defects/timestamp: is found by deterministic, the scoreboard says text-survives\n");
}

/// Apart from durations, the scores do not depend on the number of threads.
TEST(Scores, AreTheSameWithAnyNumberOfJobs) {
  const auto of = [](const char* jobs) {
    auto board = document::read_json(says({"defects/timestamp", "defects/annotations-wiped", "--seeds", "2",
                                           "--silence", "100", "--json", "--jobs", jobs})
                                         .text)
                     .value();
    for (std::size_t i = 0; i < board["scores"].size(); ++i)
      board.edit("scores").edit(i).remove("milliseconds");
    return document::write_json(board);
  };
  EXPECT_EQ(of("1"), of("3"));
}

TEST(Scores, SayInOneLineWhatIsWrongWithTheCommandLine) {
  for (const Arguments& arguments : {Arguments{"--silence", "-1"}, Arguments{"--cases", "0"}}) {
    testing::internal::CaptureStderr();
    const auto said = says(arguments);
    EXPECT_EQ(said.code, campaign::kBadInput);
    EXPECT_TRUE(testing::internal::GetCapturedStderr().find(arguments.front() + ": expected") !=
                std::string::npos);
  }
}

TEST(Scores, OfABugThatIsNotThereAreNot) {
  testing::internal::CaptureStderr();
  const auto said = says({"defects/timestamps"});
  const std::string error = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.code, campaign::kBadInput);
  EXPECT_EQ(error,
            "fixpoint: there is no bug \"defects/timestamps\" (did you mean \"defects/timestamp\"?)\n");
}

}  // namespace
}  // namespace fixpoint::score
