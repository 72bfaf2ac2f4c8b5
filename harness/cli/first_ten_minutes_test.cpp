#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "harness/cli/work_folder_model.h"
#include "harness/document/yaml.h"
#include "harness/patterns_model.h"

/// Walks docs/first-ten-minutes.md: writes its files, runs its commands, and compares exit codes and output.
namespace fixpoint::cli {
namespace {

/// A fenced block of a page: its kind (yaml, sh, text), the file that it is, and its lines.
struct Block {
  std::string section, kind, file;
  std::vector<std::string> lines = {};
};

std::vector<Block> blocks_of(const std::string& page) {
  std::vector<Block> blocks;
  std::string section;
  bool is_inside = false;
  std::ifstream file(page);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      is_inside = !is_inside;
      const std::string info = line.substr(3);
      const auto blank = std::min(info.find(' '), info.size());
      if (is_inside)
        blocks.push_back({section, info.substr(0, blank), info.substr(std::min(blank + 1, info.size()))});
    } else if (is_inside) {
      blocks.back().lines.push_back(line);
    } else if (line.starts_with("## ")) {
      section = line.substr(3);
    }
  }
  return blocks;
}

const std::vector<Block>& page() {
  static const auto blocks = blocks_of(FIXPOINT_SOURCE "/docs/first-ten-minutes.md");
  return blocks;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

constexpr std::string_view kAnything = "…";

/// Returns the first line of a text block that the output lacks; "…" stands for anything.
std::string line_that_is_missing(const std::vector<std::string>& lines, const std::string& said) {
  std::size_t at = 0;
  for (const std::string& line : lines) {
    for (std::size_t begin = 0; begin < line.size();) {
      const auto end = std::min(line.find(kAnything, begin), line.size());
      const auto found = said.find(line.substr(begin, end - begin), at);
      if (found == std::string::npos) return line;
      at = found + (end - begin);
      begin = end + kAnything.size();
    }
  }
  return "";
}

/// A fresh clone after a build, in which the sections of the page are walked.
class FirstTenMinutes : public testing::Test {
 protected:
  FirstTenMinutes() {
    folder_.shell("ln -s " FIXPOINT_PROGRAM
                  " fixpoint; for part in harness corpus build; do ln -s " FIXPOINT_SOURCE
                  "/$part $part; done");
  }

  void walk(const std::string& section) {
    int ran = 0;
    for (const Block& block : page()) {
      if (block.section != section) continue;
      if (!block.file.empty()) folder_.write(block.file, joined(block.lines));
      if (block.kind == "sh" && block.file.empty())
        for (const std::string& line : block.lines) ran += run(line) ? 1 : 0;
      if (block.kind != "text") continue;
      EXPECT_EQ(line_that_is_missing(block.lines, said_), "") << said_;
    }
    EXPECT_GT(ran, 0) << section;
  }

  /// Helm renders charts that the page does not have; its command is shown only.
  bool run(const std::string& line) {
    if (line.starts_with("helm ")) return false;
    const auto expected = all_found(line, "# exit code ([0-9]+)$");
    const auto result = folder_.shell("export FIXPOINT_INVOKED=./fixpoint FIXPOINT_CORPUS=none; " + line);
    said_ = result.out + result.err;
    EXPECT_EQ(result.code, expected.empty() ? 0 : std::stoi(expected.front()[1])) << line << "\n" << said_;
    return true;
  }

  WorkFolder folder_{"first-ten-minutes"};
  std::string said_;
};

TEST_F(FirstTenMinutes, WithAPolicyAndTheGate) {
  walk("A MutatingAdmissionPolicy");
  walk("In CI");
}

TEST_F(FirstTenMinutes, WithTheDemo) { walk("A demo"); }

TEST_F(FirstTenMinutes, WithNode) {
  if (std::system("command -v node >/dev/null") != 0) GTEST_SKIP() << "there is no node";
  walk("A webhook in Node");
}

TEST_F(FirstTenMinutes, WithPythonAndAChart) {
  if (std::system("command -v python3 >/dev/null") != 0) GTEST_SKIP() << "there is no python3";
  walk("A webhook in Python");
  walk("A Helm chart");
}

TEST_F(FirstTenMinutes, WithControllerRuntime) {
  if (std::getenv("FIXPOINT_GO_ADAPTER") == nullptr)
    GTEST_SKIP() << "needs Go and its modules: .ci/run says with FIXPOINT_GO_ADAPTER that they are there";
  walk("A webhook in Go with controller-runtime");
}

/// Each block to copy is YAML and names an action that exists and a command that finds the page's defect.
TEST_F(FirstTenMinutes, WorkflowsAreReadyToCopy) {
  int copied = 0;
  for (const Block& block : page()) {
    if (block.kind != "yaml") continue;
    const auto read = document::read_yaml_stream(joined(block.lines));
    ASSERT_TRUE(read) << block.file << ": " << read.error().text();
    folder_.write(block.file, joined(block.lines));
    for (const auto& action : all_found(joined(block.lines), "OWNER/fixpoint/([^@]*)@")) {
      EXPECT_TRUE(std::ifstream(FIXPOINT_SOURCE "/" + action[1] + "/action.yaml").good()) << action[1];
      ++copied;
    }
    for (const auto& hook : all_found(joined(block.lines), "entry: (fixpoint [^\n]*)")) {
      EXPECT_EQ(folder_.shell("./" + hook[1] + " policy.yaml").code, 1);
      ++copied;
    }
  }
  EXPECT_EQ(copied, 2);
}

TEST(FirstTenMinutesPage, LinesAreLookedForInTheirOrder) {
  EXPECT_EQ(line_that_is_missing({"a … c", "d"}, "a b c\nd\n"), "");
  EXPECT_EQ(line_that_is_missing({"d", "a … c"}, "a b c\nd\n"), "a … c");
  EXPECT_EQ(line_that_is_missing({"a … e"}, "a b c\nd\n"), "a … e");
}

}  // namespace
}  // namespace fixpoint::cli
