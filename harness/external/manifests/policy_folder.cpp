#include "harness/external/manifests/policy_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

namespace fixpoint::external {

namespace {

namespace files = std::filesystem;
using document::Error;
using document::Result;

constexpr const char* kTests = "tests";
/// Folders lie at most so deep below the path that is searched.
constexpr int kDepthMax = 16;

/// A file `NAME.WORD.yaml` or `WORD.yaml`.
bool is_named(std::string_view file, std::string_view word) {
  for (const std::string_view suffix : {".yaml", ".yml"}) {
    if (!file.ends_with(suffix)) continue;
    file.remove_suffix(suffix.size());
    return file == word || (file.ends_with(word) && file[file.size() - word.size() - 1] == '.');
  }
  return false;
}
bool is_any_of(std::string_view file, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return is_named(file, word); });
}
bool holds_policies(std::string_view file) { return is_any_of(file, {"policy", "policies"}); }
bool holds_bindings(std::string_view file) { return is_any_of(file, {"binding", "bindings"}); }

struct Suffix {
  std::string_view content, text;
  bool is_input;
};
constexpr auto kSuffixes = std::to_array<Suffix>({{"request", ".request.yaml", true},
                                                  {"patch", ".patch.yaml", false},
                                                  {"object", ".object.yaml", true},
                                                  {"oldObject", ".oldObject.yaml", true},
                                                  {"namespaceObject", ".namespaceObject.yaml", true},
                                                  {"params", ".params.yaml", true},
                                                  {"authorizer", ".authorizer.yaml", true},
                                                  {"annotations", ".annotations.yaml", true},
                                                  {"warnings", ".warnings.txt", true},
                                                  {"gold", ".gold.yaml", false},
                                                  {"message", ".message.txt", false}});

/// The files and folders of a folder, sorted; none if it cannot be read.
std::vector<files::path> listed(const files::path& folder) {
  std::error_code problem;
  std::vector<files::path> found;
  for (files::directory_iterator next(folder, problem), end; !problem && next != end; next.increment(problem))
    found.push_back(next->path());
  std::sort(found.begin(), found.end());
  return found;
}

bool is_folder(const files::path& path) {
  std::error_code problem;
  return files::is_directory(path, problem);
}

std::vector<files::path> policy_files(const files::path& folder) {
  std::vector<files::path> found = listed(folder);
  std::erase_if(found, [](const files::path& path) {
    const std::string name = path.filename().string();
    return is_folder(path) || !(holds_policies(name) || holds_bindings(name));
  });
  const bool has_policies = std::any_of(found.begin(), found.end(), [](const files::path& path) {
    return holds_policies(path.filename().string());
  });
  return has_policies ? found : std::vector<files::path>{};
}

/// Gives each file of the folder to the test that its name says. A file with an expectation and no input is
/// no test.
void find_tests(const files::path& folder, PolicyFolder& into) {
  std::map<std::string, TestFiles> tests;
  std::map<std::string, bool> has_input;
  for (const files::path& path : listed(folder)) {
    const std::string file = path.filename().string();
    const auto suffix = std::find_if(kSuffixes.begin(), kSuffixes.end(), [&](const Suffix& one) {
      return file.size() > one.text.size() && file.ends_with(one.text);
    });
    if (suffix == kSuffixes.end() || is_folder(path)) {
      if (file.ends_with(".yaml") || file.ends_with(".yml")) into.unread.push_back(path.string());
      continue;
    }
    const std::string name = file.substr(0, file.size() - suffix->text.size());
    tests[name].paths[std::string(suffix->content)] = path.string();
    has_input[name] = has_input[name] || suffix->is_input;
  }
  for (auto& [name, test] : tests) {
    test.name = name;
    if (has_input[name]) {
      into.tests.push_back(std::move(test));
    } else {
      for (const auto& [content, path] : test.paths) into.unread.push_back(path);
    }
  }
}

void find_below(const files::path& folder, int depth, std::vector<PolicyFolder>& into) {
  if (const auto found = policy_files(folder); !found.empty()) {
    PolicyFolder one{.path = folder.string()};
    for (const files::path& path : found) one.policy_files.push_back(path.string());
    find_tests(folder / kTests, one);
    into.push_back(std::move(one));
    return;
  }
  if (depth == kDepthMax) return;
  for (const files::path& path : listed(folder)) {
    const std::string name = path.filename().string();
    std::error_code problem;
    const bool is_passed_over = name.starts_with('.') || name == kTests || name == "testdata";
    if (!is_passed_over && is_folder(path) && !files::is_symlink(path, problem))
      find_below(path, depth + 1, into);
  }
}

std::vector<PolicyFolder> found_at(const std::string& path) {
  std::string text = path;
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  files::path folder(text);
  if (folder.filename() == kTests && policy_files(folder).empty()) {
    folder = folder.has_parent_path() ? folder.parent_path() : files::path(".");
  }
  std::vector<PolicyFolder> found;
  if (is_folder(folder)) find_below(folder, 0, found);
  return found;
}

}  // namespace

std::string TestFiles::path_of(const std::string& content) const {
  const auto row = paths.find(content);
  return row == paths.end() ? "" : row->second;
}

PolicyFolder tests_in(const std::string& folder) {
  PolicyFolder found{.path = folder};
  find_tests(folder, found);
  return found;
}

bool is_policy_folder(const std::string& path) { return is_folder(path) && !found_at(path).empty(); }

Result<std::vector<PolicyFolder>> find_policy_folders(const std::string& path) {
  auto found = found_at(path);
  if (found.empty())
    return Error{"expected a folder with policy.yaml and tests/, or folders of that kind below", path};
  return found;
}

}  // namespace fixpoint::external
