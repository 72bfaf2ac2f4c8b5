#include "harness/cli/standard_output.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "harness/cli/program_test.h"
#include "harness/cli/work_folder_model.h"

namespace fixpoint::cli {
namespace {

namespace files = std::filesystem;

constexpr const char* kFull = "fixpoint: standard output cannot be written: No space left on device\n";

/// Runs lines of bash that redirect standard output.
class StandardOutput : public testing::Test {
 protected:
  static constexpr const char* kCorpus = FIXPOINT_SOURCE "/corpus";

  void SetUp() override {
    if (!files::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
    folder_.write("pod.yaml", "kind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: x}]}\n");
    folder_.write("patch.json", R"([{"op":"add","path":"/b","value":2}])");
    folder_.write("document.json", R"({"a":1})");
    folder_.write("review.json",
                  R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1",)"
                  R"("operation":"CREATE","object":{"metadata":{"name":"p"},"spec":{"containers":[]}}}})"
                  "\n");
    folder_.write("hooks.yaml", kOneWebhook);
    folder_.write("gate.yaml",
                  "apiVersion: fixpoint/v1\nkind: Policy\n"
                  "subjects: [peers/sidecar-guarded]\nseeds: [1]\nbudget: {cases: 20}\n");
  }
  WorkFolder::Ran shell(const std::string& line) const {
    return folder_.shell("export FIXPOINT_CORPUS='" + std::string(kCorpus) + "'; " + line);
  }
  const WorkFolder folder_{"standard-output"};
};

/// Returns the commands that `fixpoint --help` lists.
std::vector<std::string> all_commands(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help.substr(help.find("Commands:\n") + 10));
  for (std::string line; std::getline(lines, line) && !line.empty();)
    names.push_back(line.substr(2, line.find(' ', 2) - 2));
  return names;
}

/// One command line for each command that prints, except `live`, which needs a cluster.
const std::vector<std::string> kLines{
    "--help",
    "--version",
    "version",
    "list",
    "list --json",
    "demo d0",
    "explain converges",
    "man",
    "completion bash",
    "fuzz peers/sidecar-guarded --seed 1 --cases 20 --out a --json",
    "fuzz peers/sidecar-guarded --seed 1 --cases 20 --out b",
    "replay $REGRESSION",
    "shrink $REGRESSION",
    "admit $REGRESSION",
    "admit --trace $REGRESSION",
    "inject peers/sidecar-guarded pod.yaml",
    "eval object.metadata.name pod.yaml",
    "default pod.yaml",
    "validate pod.yaml",
    "patch patch.json document.json",
    "conform $FIXPOINT_CORPUS/conformance/kubernetes/patch.ndjson",
    "compare peers/sidecar-guarded peers/sidecar-appended --seed 1 --cases 5 --out c --json",
    "compare peers/sidecar-guarded peers/sidecar-appended --seed 1 --cases 5 --out d",
    "advise peers/sidecar-guarded --seed 1 --cases 5 --out e",
    "bench peers/sidecar-guarded --calls 20",
    "bench cases --rounds 1",
    "gate --config gate.yaml --out g",
    "init hooks.yaml",
    "corpus list",
    "corpus add pod.yaml --to seeds",
    "corpus merge run --out joined",
    "report run",
    "cluster pod.yaml",
    "serve peers/sidecar-guarded",
    "serve peers/sidecar-guarded --stdio <review.json"};

TEST_F(StandardOutput, ThatIsFullIsAnErrorOfEveryCommand) {
  ASSERT_EQ(shell(FIXPOINT_PROGRAM " fuzz peers/sidecar-guarded --seed 1 --cases 20 --quiet").code, 0);
  const auto expect_error = [&](const std::string& line) {
    const auto full = shell(
        "REGRESSION=$FIXPOINT_CORPUS/regressions/modelcar-volume-added-again.json\n"
        "timeout 60 " FIXPOINT_PROGRAM " " +
        line + " >/dev/full");
    EXPECT_EQ(full.code, 3) << line << "\n" << full.err;
    EXPECT_NE(full.err.find(kFull), std::string::npos) << line << "\n" << full.err;
  };
  const auto commands = all_commands(shell(FIXPOINT_PROGRAM " --help").out);
  EXPECT_GT(commands.size(), 20u);
  for (const std::string& command : commands) {
    expect_error(command + " --help");
    const bool is_run = std::any_of(kLines.begin(), kLines.end(), [&](const std::string& line) {
      return line.starts_with(command) && (line.size() == command.size() || line[command.size()] == ' ');
    });
    EXPECT_TRUE(is_run || command == "live") << command << ": no line of it is run here";
  }
  for (const std::string& line : kLines) expect_error(line);
}

TEST_F(StandardOutput, ThatIsFullEndsALongRunAtOnce) {
  const auto full =
      shell("timeout 60 " FIXPOINT_PROGRAM " fuzz peers/sidecar-guarded --time 0 --json >/dev/full");
  EXPECT_EQ(full.code, 3) << "a timeout is 124";
  EXPECT_EQ(full.err, kFull);
}

TEST_F(StandardOutput, ThatIsClosedIsAnErrorAndNoFile) {
  const auto closed = shell(FIXPOINT_PROGRAM " default pod.yaml >&-");
  EXPECT_EQ(closed.code, 3);
  EXPECT_EQ(closed.err, "fixpoint: standard output cannot be written: Bad file descriptor\n");
  const auto both =
      shell(FIXPOINT_PROGRAM " fuzz peers/sidecar-guarded --seed 1 --cases 20 --out closed >&- 2>&- <&-");
  EXPECT_EQ(both.code, 3);
  EXPECT_TRUE(folder_.read("closed/events.ndjson").starts_with("{\"event\":\"start\""))
      << folder_.read("closed/events.ndjson");
}

/// A reader that closes the pipe causes no error messages, even if SIGPIPE is ignored.
TEST_F(StandardOutput, ThatNobodyReadsAnyMoreEndsQuietly) {
  const auto left =
      shell("{ sleep 0.2; env --default-signal=PIPE " FIXPOINT_PROGRAM " man; echo $? >code; } | true");
  EXPECT_EQ(left.err, "");
  EXPECT_EQ(folder_.read("code"), "141\n");
  const auto unheard = shell("trap '' PIPE; { sleep 0.2; " FIXPOINT_PROGRAM " man; echo $? >code; } | true");
  EXPECT_EQ(unheard.err, "");
  EXPECT_EQ(folder_.read("code"), "3\n");
  const auto head = shell(FIXPOINT_PROGRAM " list | head -1");
  EXPECT_EQ(head.code, 0);
  EXPECT_EQ(head.err, "");
  EXPECT_FALSE(head.out.empty());
}

TEST_F(StandardOutput, OfBadInputStaysBadInput) {
  const auto bad = shell(FIXPOINT_PROGRAM " fuzz --jobs no >/dev/full");
  EXPECT_EQ(bad.code, 2);
}

TEST_F(StandardOutput, AndFilesBeyondTheLimitOfTheirSizeAreErrors) {
  const auto output = shell("(ulimit -f 1; exec " FIXPOINT_PROGRAM " man >long)");
  EXPECT_EQ(output.code, 3);
  EXPECT_EQ(output.err, "fixpoint: standard output cannot be written: File too large\n");
  const auto file = shell("(ulimit -f 1; exec " FIXPOINT_PROGRAM
                          " fuzz defects/volume-without-guard --seed 1 --cases 200 --quiet --out cut)");
  EXPECT_EQ(file.code, 3);
  EXPECT_NE(file.err.find("cannot be written: File too large"), std::string::npos) << file.err;
}

}  // namespace
}  // namespace fixpoint::cli
