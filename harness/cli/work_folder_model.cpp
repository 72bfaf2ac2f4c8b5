#include "harness/cli/work_folder_model.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "harness/patterns_model.h"

namespace fixpoint::cli {

namespace files = std::filesystem;

WorkFolder::WorkFolder(const std::string& name)
    : folder_(files::temp_directory_path() / ("fixpoint-" + std::to_string(getpid()) + "-" + name)) {
  files::remove_all(folder_);
  files::create_directories(folder_);
}
WorkFolder::~WorkFolder() {
  std::error_code problem;
  files::remove_all(folder_, problem);
}

std::string WorkFolder::write(const std::string& name, const std::string& text) const {
  files::create_directories((folder_ / name).parent_path());
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return path(name);
}

std::string WorkFolder::read(const std::string& name) const {
  std::ifstream file(folder_ / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

WorkFolder::Ran WorkFolder::shell(const std::string& line) const {
  write("line", line + "\n");
  const int status =
      std::system(("cd '" + folder_.string() + "' && bash line >out 2>err </dev/null").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("out"), read("err")};
}

WorkFolder::Ran WorkFolder::run(const std::string& program, const std::string& corpus,
                                const std::string& arguments) const {
  return shell("FIXPOINT_CORPUS='" + corpus + "' '" + program + "' " + arguments);
}

std::vector<std::string> WorkFolder::names(const std::string& below) const {
  std::vector<std::string> names;
  std::error_code problem;
  for (const auto& entry : files::directory_iterator(folder_ / below, problem))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string timeless(const std::string& events) {
  static const std::string kDurations("\"(milliseconds|seconds|rate)\": ?[0-9.]+");
  return replaced(events, kDurations, "\"$1\":0");
}

}  // namespace fixpoint::cli
