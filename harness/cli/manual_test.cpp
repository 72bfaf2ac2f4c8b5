#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "harness/cli/work_folder_model.h"
#include "harness/golden_test.h"
#include "harness/patterns_model.h"

namespace fixpoint::cli {
namespace {

/// Runs `man` and `completion`, which cover all commands.
class Manual : public testing::Test {
 protected:
  WorkFolder::Ran run(const std::string& line) const {
    return folder_.run(FIXPOINT_PROGRAM, FIXPOINT_SOURCE "/corpus", line);
  }
  bool has(const std::string& tool) const { return folder_.shell("command -v " + tool).code == 0; }
  std::vector<std::string> commands() const {
    std::vector<std::string> names;
    std::istringstream lines(run("--help").out);
    for (std::string line; std::getline(lines, line);) {
      for (const auto& row : all_found(line, "^  ([a-z]+) +\\S.*$")) names.push_back(row[1]);
    }
    return names;
  }
  const WorkFolder folder_{"manual"};
};

/// Returns the names of subcommands that a help text lists, each with its command in front.
std::vector<std::string> subcommands_in(const std::string& command, const std::string& help) {
  std::vector<std::string> names;
  const auto from = help.find("\nSubcommands:\n");
  if (from == std::string::npos) return names;
  std::istringstream lines(help.substr(from + 1, help.find("\n\n", from) - from));
  for (std::string line; std::getline(lines, line);) {
    for (const auto& row : all_found(line, "^  ([a-z]+) +\\S.*$")) names.push_back(command + " " + row[1]);
  }
  return names;
}

/// The overview, and the help of two commands: one is small, the other a subcommand that writes.
TEST_F(Manual, HelpIsTheCommittedText) {
  std::string text = run("--help").out;
  for (const char* name : {"eval", "corpus merge"})
    text += std::string("\n$ fixpoint ") + name + " --help\n" + run(std::string(name) + " --help").out;
  expect_golden("harness/cli/golden/help.txt", text);
}

/// Returns the widest line of a help text that is no example, usage or list of exit codes, which readers
/// copy.
std::size_t columns_of(const std::string& help) {
  std::size_t widest = 0;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (is_found(line, "^(  fixpoint |Usage: |Exit codes: )")) continue;
    const auto is_first_byte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    widest =
        std::max(widest, static_cast<std::size_t>(std::count_if(line.begin(), line.end(), is_first_byte)));
  }
  return widest;
}

TEST_F(Manual, EveryHelpHasUsageOptionsAndExitCodesOnAScreen) {
  constexpr std::size_t kColumns = 100;
  std::vector<std::string> names = commands();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string help = run(names[i] + " --help").out;
    EXPECT_TRUE(is_found(help, "^[A-Z]")) << names[i] << " begins with a sentence: " << help;
    EXPECT_NE(help.find("\nUsage: fixpoint " + names[i]), std::string::npos) << help;
    EXPECT_NE(help.find("\n  -h,--help  "), std::string::npos) << help;
    EXPECT_NE(help.find("\nExit codes: "), std::string::npos) << help;
    EXPECT_NE(help.find("2 bad usage or bad input"), std::string::npos) << help;
    EXPECT_LE(columns_of(help), kColumns) << help;
    const auto below = subcommands_in(names[i], help);
    names.insert(names.begin() + static_cast<std::ptrdiff_t>(i) + 1, below.begin(), below.end());
  }
  EXPECT_GE(names.size(), 25u) << "with the subcommands of bench and corpus";
}

/// The script at the top of the repository has commands of its own, which its help lists after the program's.
/// It runs in a folder where everything is installed and built already.
TEST_F(Manual, TheScriptListsItsOwnCommandsToo) {
  const std::string script = FIXPOINT_SOURCE "/fixpoint";
  const auto made = folder_.shell("mkdir -p tools build/release && cp '" + script +
                                  "' . && touch CMakePresets.json build/release/build.ninja && "
                                  "printf '#!/bin/sh\\necho installed\\n' > tools/dpkg-query && "
                                  "printf '#!/bin/sh\\n' > tools/cmake && chmod +x tools/* && "
                                  "ln -s '" FIXPOINT_PROGRAM "' build/release/fixpoint");
  ASSERT_EQ(made.code, 0) << made.err;
  const auto run_script = [&](const std::string& line) {
    return folder_.shell("PATH=\"$PWD/tools:$PATH\" ./fixpoint " + line);
  };
  const std::string program = run("--help").out;
  for (const char* word : {"--help", "-h", "help"}) {
    const auto ran = run_script(word);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with(program)) << ran.out;
    for (const char* own : {"test", "sanitise", "fuzz-targets", "install", "score", "benchmarks"}) {
      EXPECT_NE(ran.out.substr(program.size()).find("\n  ./fixpoint " + std::string(own) + " "),
                std::string::npos)
          << own;
    }
  }
  EXPECT_EQ(run_script("help fuzz").out, run("fuzz --help").out) << "a command's help is the program's alone";
}

TEST_F(Manual, TheListIsTheCommittedText) { expect_golden("harness/cli/golden/list.txt", run("list").out); }

TEST_F(Manual, NamesEveryCommandAndEveryOptionOfItsHelp) {
  const std::string page = run("man").out;
  const auto names = commands();
  ASSERT_GE(names.size(), 18u);
  static const std::string kOption("(^|\\s)(--[a-z-]+)");
  for (const std::string& name : names) {
    EXPECT_NE(page.find(".SS fixpoint " + name + "\n"), std::string::npos) << name;
    const std::string help = run(name + " --help").out;
    EXPECT_NE(help, "") << name;
    const std::string options = help.substr(std::min(help.find("\nOptions:"), help.size()));
    for (const auto& match : all_found(options, kOption)) {
      const std::string option = match[2];
      if (option == "--help") continue;
      EXPECT_NE(page.find("\\fB" + replaced(option, "-", "\\-")), std::string::npos) << name << " " << option;
    }
  }
  for (const char* sub : {"add", "list", "merge", "minimise", "verify"})
    EXPECT_NE(page.find(std::string(".SS fixpoint corpus ") + sub + "\n"), std::string::npos) << sub;
  EXPECT_NE(page.find(".SS fixpoint bench cases\n"), std::string::npos);
  EXPECT_NE(run("bench --help").out.find("\n  cases "), std::string::npos);
  EXPECT_EQ(page.find("strangers"), std::string::npos) << "the score is no part of the user's program";
  EXPECT_NE(page.find("\\fBfixpoint bench\\fR \\fISUBCOMMAND\\fR [\\fIOPTION\\fR ...]\n.br\n"
                      "\\fBfixpoint bench\\fR [\\fIOPTION\\fR ...] [\\fISUBJECT\\fR ...]\n"),
            std::string::npos)
      << "it is a command, too";
  for (const char* word : {"EXIT STATUS", "NO_COLOR", "FIXPOINT_CORPUS"})
    EXPECT_NE(page.find(word), std::string::npos) << word;
}

TEST_F(Manual, IsAPageThatManShowsWithoutAWarning) {
  if (!has("man")) GTEST_SKIP() << "there is no man";
  folder_.write("fixpoint.1", run("man").out);
  const auto shown = folder_.shell("LC_ALL=C MANWIDTH=100 man --warnings -l fixpoint.1");
  EXPECT_EQ(shown.code, 0);
  EXPECT_EQ(shown.err, "");
  EXPECT_NE(shown.out.find("--resume"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("'inject.example.io=exec:./my-webhook --stdio'"), std::string::npos)
      << "quotes and dashes stand as they are typed";
}

TEST_F(Manual, IsAPageThatMandocAccepts) {
  if (!has("mandoc")) GTEST_SKIP() << "there is no mandoc";
  folder_.write("fixpoint.1", run("man").out);
  const auto lint = folder_.shell("mandoc -T lint -W error fixpoint.1");
  EXPECT_EQ(lint.code, 0) << lint.out;
}

/// Returns the completions that bash offers for a line with the cursor at its end.
class BashCompletion : public Manual {
 protected:
  std::vector<std::string> offers(const std::string& line) const {
    folder_.write("completion", run("completion bash").out);
    const std::string space = line.ends_with(' ') ? " ''" : "";
    const auto ran = folder_.shell("source ./completion\nCOMP_WORDS=(" + line + space +
                                   ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_fixpoint\n"
                                   "printf '%s\\n' \"${COMPREPLY[@]}\"");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    std::vector<std::string> words;
    std::istringstream lines(ran.out);
    for (std::string word; std::getline(lines, word);) words.push_back(word);
    return words;
  }
  static bool contains(const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  }
};

TEST_F(BashCompletion, OffersCommandsOptionsSubcommandsSubjectsAndFiles) {
  const auto first = offers("fixpoint ");
  for (const std::string& name : commands()) EXPECT_TRUE(contains(first, name)) << name;
  EXPECT_TRUE(contains(offers("fixpoint repl"), "replay"));
  EXPECT_FALSE(contains(offers("fixpoint repl"), "fuzz"));
  EXPECT_TRUE(contains(offers("fixpoint fuzz --s"), "--shard"));
  EXPECT_TRUE(contains(offers("fixpoint fuzz --s"), "--seed"));
  EXPECT_FALSE(contains(offers("fixpoint fuzz --s"), "--out"));
  EXPECT_TRUE(contains(offers("fixpoint fuzz kserve/mod"), "kserve/modelcar"));
  EXPECT_TRUE(contains(offers("fixpoint corpus "), "minimise"));
  EXPECT_EQ(offers("fixpoint corpus merge --o"), std::vector<std::string>{"--out"});
  EXPECT_TRUE(contains(offers("fixpoint completion "), "zsh"));
  EXPECT_TRUE(contains(offers("fixpoint bench "), "cases"));
  EXPECT_TRUE(contains(offers("fixpoint bench "), "kserve/modelcar"));
  EXPECT_EQ(offers("fixpoint bench cases web"), std::vector<std::string>{"webhooks"});
  folder_.write("my-case.json", "{}");
  EXPECT_TRUE(contains(offers("fixpoint replay my"), "my-case.json"));
}

TEST_F(Manual, ZshAndFishReadTheirCompletions) {
  for (const char* shell : {"zsh", "fish"}) {
    const auto text = run(std::string("completion ") + shell);
    EXPECT_EQ(text.code, 0);
    for (const std::string& name : commands())
      EXPECT_NE(text.out.find(name), std::string::npos) << shell << " " << name;
    EXPECT_NE(text.out.find("shard"), std::string::npos);
    folder_.write(shell, text.out);
  }
  if (!has("zsh") && !has("fish")) GTEST_SKIP() << "there is neither zsh nor fish";
  for (const char* shell : {"zsh", "fish"}) {
    if (!has(shell)) continue;
    EXPECT_EQ(folder_.shell(std::string(shell) + " -n " + shell).err, "") << shell;
  }
}

TEST_F(Manual, OtherShellsAreBadInput) {
  const auto ran = run("completion bsh");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err,
            "fixpoint: completion: expected bash, zsh or fish, found \"bsh\" (did you mean \"bash\"?)\n");
  EXPECT_EQ(run("completion").code, 2);
  EXPECT_EQ(run("man fuzz").code, 2);
}

}  // namespace
}  // namespace fixpoint::cli
