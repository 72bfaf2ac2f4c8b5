#include "harness/external/manifests/program_files.h"

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>

#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/external/manifests/imported_files.h"

namespace fixpoint::external {

namespace {

namespace files = std::filesystem;

bool has_end(std::string_view path, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return path.ends_with(end); });
}

/// Returns true for a folder of foreign or generated files, which are read last.
bool is_vendored(std::string_view name) {
  constexpr std::array<std::string_view, 14> kNames{
      "node_modules", "vendor",        "third_party", ".git", "build", "dist",   "target",
      "__pycache__",  "site-packages", ".venv",       "venv", ".tox",  ".cache", "testdata.zip"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}
bool is_below_vendored(const files::path& path) {
  return std::any_of(path.begin(), path.end(),
                     [](const files::path& part) { return is_vendored(part.string()); });
}

/// Returns true for a file whose text may name keys, by its suffix.
bool is_source(std::string_view path) {
  return has_end(path, {".go", ".py", ".js", ".mjs", ".cjs",  ".ts",  ".tsx",  ".jsx", ".mts", ".java", ".kt",
                        ".rs", ".cs", ".rb", ".sh",  ".yaml", ".yml", ".json", ".md",  ".tpl", ".cue"});
}

/// Returns true for a link that leads out of the folder in which it stands.
bool leads_out(const files::path& path) {
  std::error_code problem;
  if (!files::is_symlink(path, problem)) return false;
  const files::path folder = files::weakly_canonical(path.parent_path(), problem);
  const files::path target = files::weakly_canonical(path, problem);
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), target.begin(), target.end());
  return problem || end != folder.end();
}

/// Returns the path from the working directory if it is below it.
std::string shown(const std::string& path) {
  std::error_code problem;
  const std::string near = files::path(path).lexically_proximate(files::current_path(problem)).string();
  return near.starts_with("..") ? path : near;
}

/// Splits a line of a shell at blanks, without quotation marks. Of a command in the place of a text, as in
/// `"$(dirname "$0")/hook.py"`, the sign is left.
std::vector<std::string> words_of_line(std::string_view line) {
  constexpr std::string_view kBetween = " \t;&|()", kQuotes = "\"'";
  std::vector<std::string> words(1);
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line.substr(at).starts_with("$(")) {
      at = std::min(line.find(')', at), line.size());
      words.back() += '$';
    } else if (kBetween.find(line[at]) != std::string_view::npos) {
      words.emplace_back();
    } else if (kQuotes.find(line[at]) == std::string_view::npos) {
      words.back() += line[at];
    }
  }
  std::erase_if(words, [](const std::string& word) { return word.empty(); });
  return words;
}

class Collector {
 public:
  explicit Collector(const ProgramLimits& limits) : limits_(limits) {}

  /// Takes the files that the words of a command name, seen from a folder; those of the command line itself
  /// may be links.
  void take_command(const std::vector<std::string>& words, const std::string& folder, int depth = 0) {
    constexpr int kNestedMax = 4;
    if (depth > kNestedMax) return;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string before = i > 0 ? words[i - 1] : "";
      if (before == "-m") take_all(python_module(folder.empty() ? "." : folder, words[i]));
      if (before == "-c" || before == "-ec") take_command(words_of_line(words[i]), folder, depth + 1);
      if (before == "run" && i > 1) take_script_of_package(words[i], folder, depth);
      if (before == "npm" && words[i] == "start") take_script_of_package(words[i], folder, depth);
      take_word(words[i], folder, depth);
    }
  }

  /// Reads the imports of what was taken, the nearest first; vendored files last.
  ProgramFiles finish() {
    while (!waiting_.empty() || !vendored_.empty()) {
      auto& queue = waiting_.empty() ? vendored_ : waiting_;
      const std::string path = std::move(queue.front());
      queue.pop_front();
      read(path);
    }
    return std::move(found_);
  }

  void take_all(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) take(path);
  }
  void take(const std::string& path) {
    std::error_code problem;
    if (!files::is_regular_file(path, problem) || leads_out(path)) return;
    if (!seen_.insert(files::weakly_canonical(path, problem).string()).second) return;
    (is_below_vendored(path) ? vendored_ : waiting_).push_back(path);
  }

 private:
  /// Takes what the program reads as its configuration.
  void take_document(const std::string& path) {
    constexpr std::size_t kDocumentsMax = 32;
    if (documents_.size() >= kDocumentsMax) return;
    documents_.insert(path);
    take(path);
  }

  void take_word(const std::string& word, const std::string& folder, int depth) {
    const std::string path = path_of(word, folder);
    std::error_code problem;
    if (files::is_regular_file(path, problem)) return take_named(path, depth);
    // --config=rules.yaml, CONFIG=rules.yaml
    if (const auto equals = word.find('='); equals != std::string::npos)
      return take_word(word.substr(equals + 1), folder, depth);
    if (word == "/" || !files::is_directory(path, problem)) return;
    take_all(go_package(path));
    const std::string main = path + "/__main__.py", node = node_module(path);
    if (files::is_regular_file(main, problem)) take_named(main, depth);
    if (!node.empty()) take_named(node, depth);
  }

  /// Returns the file of a word: a variable at its begin, as in `"$here"/hook.py`, is the script's folder.
  static std::string path_of(std::string word, const std::string& folder) {
    if (folder.empty() || word.starts_with('/')) return word;
    if (word.starts_with('$')) word.erase(0, std::min(word.find('/') + 1, word.size()));
    std::error_code problem;
    const std::string below = (files::path(folder) / word).lexically_normal().string();
    return !word.empty() && files::exists(below, problem) ? below : word;
  }

  /// Takes a file that a command names: also through a link, since its user named it.
  void take_named(const std::string& path, int depth) {
    std::error_code problem;
    const std::string real = files::canonical(path, problem).string();
    const std::string& file = leads_out(path) ? real : path;
    if (is_document(file)) return take_document(file);
    take(file);
    if (is_executable_format(file)) return;
    const auto text = document::read_text_file(file, limits_of_file());
    if (!text) return;
    folders_.push_back(files::path(file).parent_path().string());
    for (const std::string& more : added_folders({file, *text})) folders_.push_back(more);
    if (is_shell(file, *text)) take_lines(*text, files::path(file).parent_path().string(), depth);
  }

  static bool is_shell(const std::string& path, std::string_view text) {
    const std::string_view first = text.substr(0, text.find('\n'));
    return has_end(path, {".sh", ".bash"}) || (first.starts_with("#!") && has_end(first, {"sh", "sh -e"}));
  }
  void take_lines(std::string_view text, const std::string& folder, int depth) {
    while (!text.empty()) {
      const auto end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      if (!line.starts_with('#')) take_command(words_of_line(line), folder.empty() ? "." : folder, depth + 1);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  /// Takes the commands of a script of package.json: `npm run serve`.
  void take_script_of_package(const std::string& name, const std::string& folder, int depth) {
    const auto text =
        document::read_text_file((files::path(folder) / "package.json").string(), limits_of_file());
    if (!text) return;
    const auto package = document::read_json(*text);
    if (!package) return;
    const document::Value* command = (*package)["scripts"].find(document::Name(name));
    if (command != nullptr && command->is_string())
      take_command(words_of_line(command->text()), folder, depth + 1);
  }

  Limits limits_of_file() const {
    Limits limits;
    limits.file_bytes_max = limits_.file_bytes_max;
    return limits;
  }

  void read(const std::string& path) {
    if (is_executable_format(path)) {
      found_.executables.push_back(path);
      return;
    }
    if (found_.texts.size() >= limits_.files_max) return;
    auto text = document::read_text_file(path, limits_of_file());
    if (!text || text->find('\0') != std::string::npos || bytes_ + text->size() > limits_.bytes_max) return;
    bytes_ += text->size();
    runner::ProgramText file{path, *std::move(text), documents_.contains(path)};
    take_all(imported_files(file, folders_));
    if (!is_document(path))
      for (const std::string& document : named_documents(file, folders_)) take_document(document);
    file.path = shown(path);
    found_.texts.push_back(std::move(file));
  }

  const ProgramLimits limits_;
  ProgramFiles found_ = {};
  std::size_t bytes_ = 0;
  std::vector<std::string> folders_ = {};
  std::set<std::string> seen_ = {}, documents_ = {};
  std::deque<std::string> waiting_ = {}, vendored_ = {};
};

/// Returns the files in a folder and below it, by their names; those of vendored folders last, and at most
/// that many.
std::vector<std::string> listed_files(const std::string& folder, std::size_t most) {
  std::vector<std::string> own, vendored;
  std::deque<files::path> folders{folder};
  for (; !folders.empty() && own.size() + vendored.size() < most; folders.pop_front()) {
    std::error_code problem;
    std::set<files::path> entries;
    for (files::directory_iterator at(folders.front(), problem), end; !problem && at != end;
         at.increment(problem))
      entries.insert(at->path());
    for (const files::path& path : entries) {
      if (files::is_symlink(path, problem) && leads_out(path)) continue;
      if (files::is_directory(path, problem)) {
        if (files::is_symlink(path, problem) || path.filename() == ".git") continue;
        folders.push_back(path);
      } else if (is_source(path.string())) {
        (is_below_vendored(path.lexically_relative(folder)) ? vendored : own).push_back(path.string());
      }
    }
  }
  own.insert(own.end(), vendored.begin(), vendored.end());
  return own;
}

}  // namespace

bool is_executable_format(const std::string& path) {
  constexpr std::string_view kElf(
      "\x7f"
      "ELF");
  std::array<char, 4> begin{};
  std::error_code problem;
  if (!files::is_regular_file(path, problem)) return false;
  std::ifstream file(path, std::ios::binary);
  return file.read(begin.data(), begin.size()) && std::string_view(begin.data(), begin.size()) == kElf;
}

ProgramFiles files_of_command(const std::vector<std::string>& argv, const ProgramLimits& limits) {
  Collector collector(limits);
  collector.take_command(argv, "");
  return collector.finish();
}

std::vector<runner::ProgramText> files_of_folder(const std::string& folder, const ProgramLimits& limits) {
  Collector collector(limits);
  collector.take_all(listed_files(folder, limits.files_max));
  return collector.finish().texts;
}

std::string source_folder_of(const std::vector<std::string>& argv) {
  constexpr std::array<const char*, 6> kPackages{"package.json",     "pyproject.toml", "setup.py",
                                                 "requirements.txt", "Pipfile",        "Gemfile"};
  const auto has = [](const files::path& folder, const char* name) {
    std::error_code problem;
    return files::is_regular_file(folder / name, problem);
  };
  for (const std::string& word : argv) {
    std::error_code problem;
    if (word.find('/') == std::string::npos && !files::is_regular_file(word, problem)) continue;
    const files::path file = files::canonical(word, problem);
    if (problem || !files::is_regular_file(file, problem)) continue;
    files::path folder = file.parent_path();
    if (!is_executable_format(file.string())) {
      const bool is_package =
          is_source(file.string()) && std::any_of(kPackages.begin(), kPackages.end(),
                                                  [&](const char* name) { return has(folder, name); });
      if (is_package) return shown(folder.string());
      continue;
    }
    for (; folder.has_relative_path(); folder = folder.parent_path())
      if (has(folder, "go.mod")) return shown(folder.string());
  }
  return "";
}

}  // namespace fixpoint::external
