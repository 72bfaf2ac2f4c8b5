#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace files = std::filesystem;

/// The commands of a section of the README, as they stand there.
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
    std::stringstream text;
    for (const char* name : {"out", "err"}) text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }

 private:
  files::path folder_;
};

bool needs(const std::string& command, const char* what) { return command.find(what) != std::string::npos; }

/// A newcomer's first ten minutes: each command does what the text around it says.
void follow(const char* adapter) {
  const Clone clone;
  int followed = 0;
  for (const std::string& command : commands_of("Fuzz your own webhook")) {
    if (!needs(command, adapter)) continue;
    ++followed;
    const bool fuzzes = command.starts_with("./fixpoint fuzz ");
    EXPECT_EQ(clone.run(command), fuzzes ? 1 : 0) << command << "\n" << clone.said();
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

}  // namespace
