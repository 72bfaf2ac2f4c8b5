#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "harness/document/yaml.h"
#include "harness/patterns_model.h"

namespace {

namespace files = std::filesystem;

std::string text_of(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(FIXPOINT_SOURCE "/" + file).rdbuf();
  return text.str();
}

/// The text of the launcher script, which has commands of its own: test, sanitise.
const std::string& launcher_text() {
  static const std::string text = text_of("fixpoint");
  return text;
}

/// Returns the commands of a section of the README, word for word.
std::vector<std::string> commands_of(const std::string& section) {
  std::ifstream readme(FIXPOINT_SOURCE "/README.md");
  std::vector<std::string> commands;
  bool is_here = false;
  for (std::string line; std::getline(readme, line);) {
    if (line.starts_with("## ")) is_here = line == "## " + section;
    if (is_here && line.starts_with("    ") && line[4] != ' ') commands.push_back(line.substr(4));
  }
  return commands;
}

/// A folder that looks like a fresh clone after a build.
class Clone {
 public:
  Clone() : folder_(files::temp_directory_path() / ("fixpoint-" + std::to_string(getpid()) + "-readme")) {
    files::remove_all(folder_);
    files::create_directories(folder_);
    files::create_symlink(FIXPOINT_PROGRAM, folder_ / "fixpoint");
    for (const char* name : {"harness", "corpus", "build"})
      files::create_symlink(files::path(FIXPOINT_SOURCE) / name, folder_ / name);
  }
  ~Clone() { files::remove_all(folder_); }
  Clone(const Clone&) = delete;
  Clone& operator=(const Clone&) = delete;

  int run(const std::string& command) const {
    std::ofstream(folder_ / "command") << command << "\n";
    const int status = std::system(("cd " + folder_.string() +
                                    " && FIXPOINT_INVOKED=./fixpoint "
                                    "bash command >out 2>err </dev/null")
                                       .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string said() const {
    std::string text;
    for (const char* name : {"out", "err"}) {
      std::ifstream file(folder_ / name);
      text.append(std::istreambuf_iterator<char>(file), {});
    }
    return text;
  }

 private:
  files::path folder_;
};

bool needs(const std::string& command, const char* what) { return command.find(what) != std::string::npos; }

/// Returns the command with ten times the time: what it shows in three seconds takes a busy machine longer.
std::string with_more_time(std::string command) {
  const auto time = command.find("--time 3s");
  return time == std::string::npos ? command : command.replace(time, 9, "--time 30s");
}

/// Runs the commands of "Fuzz your own webhook" that need this adapter: each does what the README says.
void follow(const char* adapter) {
  const Clone clone;
  int followed = 0;
  for (const std::string& command : commands_of("Fuzz your own webhook")) {
    if (!needs(command, adapter)) continue;
    ++followed;
    const bool fuzzes = command.starts_with("./fixpoint fuzz ");
    int code = clone.run(command);
    if (fuzzes && clone.said().find("without a check") == std::string::npos)
      code = clone.run(with_more_time(command));
    EXPECT_EQ(code, fuzzes ? 1 : 0) << command << "\n" << clone.said();
    if (!fuzzes) continue;
    EXPECT_NE(clone.said().find("without a check"), std::string::npos) << clone.said();
    EXPECT_NE(clone.said().find("replay: ./fixpoint replay "), std::string::npos) << clone.said();
  }
  EXPECT_GT(followed, 0);
}

TEST(Readme, FuzzesAWebhookOfTheRealControllerRuntime) {
  if (std::getenv("FIXPOINT_GO_ADAPTER") == nullptr)
    GTEST_SKIP() << "needs Go and its modules: .ci/run says with FIXPOINT_GO_ADAPTER that they are there";
  follow("adapters/example");
}

TEST(Readme, FuzzesAWebhookInPython) {
  if (std::system("command -v python3 >/dev/null") != 0) GTEST_SKIP() << "there is no python3";
  follow("python3 ");
}

TEST(Readme, FuzzesAWebhookInNode) {
  if (std::system("command -v node >/dev/null") != 0) GTEST_SKIP() << "there is no node";
  follow("exec:node ");
}

/// Puts the members of `more` into a document, object by object.
void merge_into(fixpoint::document::Value& into, const fixpoint::document::Value& more) {
  for (const auto& member : more.members()) {
    const std::string key(member.key.text());
    if (member.value.is_object() && into[key].is_object())
      merge_into(into.edit(key), member.value);
    else
      into.set(key, member.value);
  }
}

/// Why an example of the table is refused.
struct Reason {
  const char* example;
  const char* why;
};
constexpr Reason kReasons[] = {
    {"sideEffects: Some", "webhooks[0].sideEffects: Unsupported value: \"Some\""},
    {"ImagePolicyWebhook", "not simulated"},
    {"featureGates", "featureGates"},
    {"operation: DELETE", "/request/operation"},
    {"subResource: status", "/request/subResource"},
    {"fieldValidation", "fieldValidation"},
    {"version: \"1.28\"", "/cluster/version"},
};

/// Each row of the table says "simulated" or "refused", and what is refused is: a Case with the row's example
/// ends with exit code 2 and one line.
TEST(Trust, RefusesWhatItsTableSays) {
  constexpr const char* kCase =
      R"({apiVersion: fixpoint/v1, kind: Case, name: c, cluster: {}, request: {object:
      {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, image: b}]}}}})";
  const std::string page = text_of("docs/trust.md");
  const auto begin = page.find("## What is simulated"), end = page.find("\n## ", begin + 1);
  ASSERT_NE(end, std::string::npos);
  const std::string section = page.substr(begin, end - begin);
  const Clone clone;
  int simulated = 0, refused = 0;
  for (const auto& row : fixpoint::all_found(section, "\n\\| ([^|\n]*) \\| ([^|\n]*) \\|")) {
    if (row[2] == "here" || row[2] == "---") continue;
    if (row[2].starts_with("simulated")) {
      ++simulated;
      continue;
    }
    const auto example = fixpoint::all_found(row[2], "^refused: `(.*)`$");
    ASSERT_EQ(example.size(), 1U) << row[2];
    auto value = fixpoint::document::read_yaml(kCase).value();
    const auto more = fixpoint::document::read_yaml(example.front()[1]);
    ASSERT_TRUE(more) << row[2];
    merge_into(value, *more);
    EXPECT_EQ(clone.run("./fixpoint admit - <<'CASE'\n" + fixpoint::document::write_yaml(value) + "\nCASE"),
              2)
        << row[2] << "\n"
        << clone.said();
    const std::string said = clone.said();
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    EXPECT_TRUE(std::any_of(std::begin(kReasons), std::end(kReasons),
                            [&](const Reason& reason) {
                              return row[2].find(reason.example) != std::string::npos &&
                                     said.find(reason.why) != std::string::npos;
                            }))
        << row[2] << "\n"
        << said;
    ++refused;
  }
  EXPECT_GE(simulated, 4);
  EXPECT_GE(refused, 7);
  const auto plain = fixpoint::document::write_yaml(fixpoint::document::read_yaml(kCase).value());
  EXPECT_EQ(clone.run("./fixpoint admit - <<'CASE'\n" + plain + "\nCASE"), 0) << "without an example";
}

/// Returns the commands and options on a page that the program's help does not have. Text in quotes belongs
/// to other programs.
std::vector<std::string> strange_options(const std::string& page, const Clone& clone) {
  std::vector<std::string> strange;
  for (const auto& call : fixpoint::all_found(page, "\\./fixpoint ([a-z-]+)( [a-z]+)?([^`|#\n]*)")) {
    if (fixpoint::is_found(launcher_text(), "\n  " + call[1] + "\\)")) continue;
    std::string help;
    for (const std::string& command : {call[1], call[1] + call[2]})
      if (clone.run("./fixpoint " + command + " --help") == 0) help += clone.said();
    if (help.empty()) strange.push_back(call[0]);
    const std::string options = fixpoint::replaced(call[3], "'[^']*'", "");
    for (const auto& option : fixpoint::all_found(options, "(^|\\s)(--[a-z-]+)"))
      if (option[2] != "--help" && help.find(option[2]) == std::string::npos)
        strange.push_back(call[1] + ": " + option[2]);
  }
  return strange;
}

TEST(Readme, NamesCommandsAndOptionsThatThereAre) {
  const Clone clone;
  for (const char* page : {"README.md", "CONTRIBUTING.md", "docs/commands.md", "docs/performance.md"})
    EXPECT_EQ(strange_options(text_of(page), clone), std::vector<std::string>{}) << page;
  EXPECT_EQ(
      strange_options("`./fixpoint fuzz a --seed 1 --sed 2`, `./fixpoint fuz`, `./fixpoint test`", clone),
      (std::vector<std::string>{"fuzz: --sed", "./fixpoint fuz"}));
}

}  // namespace
