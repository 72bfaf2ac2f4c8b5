#include "harness/conformance/cluster_comparison.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/registry/whole_request.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/conformance/recorder_client.h"
#include "harness/document/json.h"

namespace fixpoint::conformance {
namespace {

using document::Result;
using document::Value;

/// Writes recorders that are shell scripts into the folder of the test.
class FakeRecorder : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              ("fixpoint-" + std::to_string(getpid()) + "-" + test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Recorder script(const std::string& text, double seconds_max = 20) const {
    const std::string path = (folder_ / "recorder").string();
    std::ofstream(path) << "#!/bin/sh\n" << text;
    ::chmod(path.c_str(), 0700);
    return {.argv = {path}, .seconds_max = seconds_max};
  }
  std::string problem(const Recorder& recorder) const {
    const auto answers = ask(recorder, {{"a", "{}"}, {"b", "{}"}}, Death::is_an_error);
    return answers ? "" : answers.error().text();
  }

  std::filesystem::path folder_;
};

TEST_F(FakeRecorder, AnswersInOrder) {
  const auto answers = ask(script("cat"), {{"a", "1"}, {"b", "2"}}, Death::is_an_error);
  ASSERT_TRUE(answers.ok()) << answers.error().text();
  EXPECT_EQ((*answers)[0].line, "1");
  EXPECT_EQ((*answers)[1].line, "2");
}

TEST_F(FakeRecorder, TakesMoreThanAPipeHolds) {
  std::vector<Question> questions;
  for (int i = 0; i < 200; ++i) questions.push_back({std::to_string(i), std::string(20'000, 'x')});
  const auto answers = ask(script("cat"), questions, Death::is_an_error);
  ASSERT_TRUE(answers.ok()) << answers.error().text();
  EXPECT_EQ(answers->back().line, questions.back().line);
}

TEST_F(FakeRecorder, EveryWayToFailHasItsLine) {
  EXPECT_NE(problem(script("cat >/dev/null; echo went wrong >&2; exit 7"))
                .find("ended with exit code 7 after 0 answers to 2 requests: went wrong"),
            std::string::npos);
  EXPECT_NE(problem(script("exit 7")).find("exit code 7"), std::string::npos) << "without reading";
  EXPECT_NE(problem(script("cat >/dev/null; kill -9 $$")).find("ended by signal 9"), std::string::npos);
  EXPECT_NE(problem(script("head -n 1")).find("only 1 answers to 2 requests"), std::string::npos);
  EXPECT_NE(problem(script("cat; echo more")).find("gave 3 answers to 2 requests"), std::string::npos);
  EXPECT_NE(problem(script("sleep 100", 0.3)).find("was killed: no end after"), std::string::npos);
  EXPECT_NE(problem(script("cat; exec >&- 2>&-; sleep 100", 0.3)).find("ended by signal 9"),
            std::string::npos);
  EXPECT_NE(problem({.argv = {(folder_ / "none").string()}}).find("cannot be started"), std::string::npos);
}

TEST_F(FakeRecorder, ARefusedLineEndsItsProcessOnly) {
  const auto recorder = script(
      "while read -r line; do case $line in *bad*) echo \"line 1 (b): no\" >&2; exit 1;; esac; echo "
      "\"$line\"; "
      "done");
  const auto answers = ask(recorder, {{"a", "1"}, {"b", "bad"}, {"c", "3"}}, Death::is_an_error);
  ASSERT_TRUE(answers.ok()) << answers.error().text();
  EXPECT_EQ((*answers)[0].line, "1");
  EXPECT_EQ((*answers)[1].refusal, "line 1 (b): no");
  EXPECT_EQ((*answers)[2].line, "3");
}

TEST(Recorder, CommandsAreSplitAtBlanks) {
  EXPECT_EQ(split_command("  a  -b c "), (std::vector<std::string>{"a", "-b", "c"}));
  EXPECT_TRUE(split_command(" ").empty());
}

/// Answers as the simulator does, except for Pods with hostNetwork.
Result<std::vector<Answered>> with_planted_bug(const std::vector<Question>& questions, Death) {
  std::vector<Answered> answers;
  for (const Question& question : questions) {
    Value line = *document::read_json(question.line, {}, document::Strictness::foreign);
    if (line["kind"].text() == "default") {
      const auto out = apiserver::defaulted_pod(line["in"]);
      if (!out) {
        line.set("error", out.error().message);
      } else {
        Value wrong = *out;
        if (wrong["spec"]["hostNetwork"].is_true()) wrong.edit("spec").set("dnsPolicy", "planted");
        line.set("out", std::move(wrong));
      }
    } else {
      Value errors = Value::empty_list();
      const auto found = apiserver::errors_of_request(line["operation"].text(), line["pod"], line["old"]);
      for (const auto& error : *found) errors.push_back({{"type", error.type}, {"field", error.field}});
      line.set("errors", std::move(errors));
    }
    answers.push_back({.line = document::write_json(line)});
  }
  return answers;
}

TEST(Live, FindsAPlantedBugAndShrinksIt) {
  const LiveOptions options{.kinds = {"default", "validate"}, .lines = 1500, .seed = 3};
  const auto report = run_live(options, with_planted_bug);
  ASSERT_TRUE(report.ok()) << report.error().text();
  EXPECT_EQ(report->by_kind.at("validate").counts.agreed, 1500);
  EXPECT_GE(report->by_kind.at("default").counts.disagreed, 2);
  EXPECT_GT(report->sites.size(), 80u);
  ASSERT_FALSE(report->disagreements.empty());
  const Disagreement& first = report->disagreements.front();
  EXPECT_TRUE(first.is_shrunk);
  EXPECT_GT(first.times, 1) << "the same bug is one report";
  EXPECT_EQ(document::write_json(first.line["in"]), R"({"spec":{"hostNetwork":true}})");
}

TEST(Live, IsAFunctionOfItsSeed) {
  std::vector<std::string> lines[2];
  for (auto& into : lines) {
    const LiveOptions options{.kinds = {"decode", "patch", "admit"}, .lines = 50, .seed = 3};
    const auto refuse_all = [&](const std::vector<Question>& questions, Death) {
      std::vector<Answered> answers;
      for (const Question& question : questions) {
        into.push_back(question.line);
        answers.push_back({.refusal = "no"});
      }
      return Result<std::vector<Answered>>(std::move(answers));
    };
    const auto report = run_live(options, refuse_all);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->by_kind.at("admit").refused, 50);
    EXPECT_EQ(report->by_kind.at("admit").counts.all(), 0) << "refused is not agreed";
  }
  EXPECT_EQ(lines[0], lines[1]);
  EXPECT_EQ(lines[0].size(), 150u);
}

TEST(Live, AnAnswerToAnotherQuestionEndsIt) {
  const auto answering = [](const std::string& line) {
    return [line](const std::vector<Question>& questions, Death) {
      return Result<std::vector<Answered>>(std::vector<Answered>(questions.size(), Answered{.line = line}));
    };
  };
  const LiveOptions options{.kinds = {"warn"}, .lines = 1};
  EXPECT_NE(run_live(options, answering("nonsense")).error().text().find("is no JSON"), std::string::npos);
  EXPECT_NE(run_live(options, answering(R"({"kind":"warn","id":"else"})")).error().text().find("\"else\""),
            std::string::npos);
}

/// Runs the real recorder if there is one; corpus/conformance/record builds it.
TEST(Live, AgreesWithTheRealRecorder) {
  const char* command = std::getenv("FIXPOINT_RECORDER");
  if (command == nullptr) GTEST_SKIP() << "FIXPOINT_RECORDER names no recorder";
  const Recorder recorder{.argv = split_command(command)};
  const LiveOptions options{.kinds = {"default", "decode", "patch", "warn", "validate", "admit"},
                            .lines = 200};
  const auto report = run_live(options, [&](const std::vector<Question>& questions, Death death) {
    return ask(recorder, questions, death);
  });
  ASSERT_TRUE(report.ok()) << report.error().text();
  for (const Disagreement& each : report->disagreements) {
    ADD_FAILURE() << document::write_json(each.line) << "\n" << each.compared.differences.front();
  }
  for (const auto& [kind, counted] : report->by_kind) EXPECT_GE(counted.counts.agreed, 190) << kind;
}

}  // namespace
}  // namespace fixpoint::conformance
