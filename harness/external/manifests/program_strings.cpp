#include "harness/external/manifests/program_strings.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "harness/external/backends/external_webhooks.h"
#include "harness/external/manifests/program_files.h"
#include "harness/runner/learning/choices.h"
#include "harness/runner/learning/executable_keys.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/learn_fields.h"

namespace fixpoint::external {

namespace {

namespace files = std::filesystem;

constexpr std::size_t kBlockBytes = 1 << 20, kExecutableBytesMax = std::size_t{256} << 20;

/// Returns true if the program is an interpreter: its strings belong to the language, not to the webhook.
bool is_interpreter(const std::string& path) {
  constexpr std::array<std::string_view, 12> kNames{"python", "node", "nodejs", "deno", "bun",  "ruby",
                                                    "perl",   "php",  "java",   "sh",   "bash", "env"};
  std::string name = files::path(path).filename().string();
  while (!name.empty() && (name.back() == '.' || (name.back() >= '0' && name.back() <= '9'))) name.pop_back();
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

template <class Take>
void each_block(const std::string& path, const Take& take) {
  std::ifstream file(path, std::ios::binary);
  std::string block(kBlockBytes, '\0');
  for (std::size_t left = kExecutableBytesMax; left > 0;) {
    file.read(block.data(), static_cast<std::streamsize>(std::min(left, block.size())));
    const auto count = static_cast<std::size_t>(file.gcount());
    if (count == 0) return;
    take(std::string_view(block).substr(0, count));
    left -= count;
  }
}

void learn_from_executable(runner::Vocabulary& words, const std::string& path) {
  runner::ExecutableKeys keys;
  each_block(path, [&](std::string_view block) { keys.take(block); });
  each_block(path, [&](std::string_view block) { keys.take_again(block); });
  runner::learn_from_keys(words, keys.finish());
}

/// Returns 16 hexadecimal digits; empty without texts.
std::string hash_of(const std::vector<runner::ProgramText>& texts) {
  if (texts.empty()) return "";
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const runner::ProgramText& text : texts) {
    for (const char c : text.text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash = runner::mix(hash, text.text.size());
  }
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

}  // namespace

std::optional<std::string> file_of_command(const std::string& command) {
  if (command.find('/') != std::string::npos) return command;
  const char* folders = std::getenv("PATH");
  std::string_view rest = folders == nullptr ? "" : folders;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(':'), rest.size());
    const files::path candidate = files::path(rest.substr(0, end)) / command;
    std::error_code problem;
    if (files::is_regular_file(candidate, problem)) return candidate.string();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::nullopt;
}

bool is_observable(const std::vector<std::string>& argv) {
  const auto names_one = [](std::string_view text) {
    return text.find("python") != std::string_view::npos || text.find("node") != std::string_view::npos;
  };
  for (const std::string& word : argv) {
    const std::string name = files::path(word).filename().string();
    if (name.starts_with("python") || name.starts_with("node")) return true;
    if (name != "env") break;
  }
  const auto file = argv.empty() ? std::nullopt : file_of_command(argv.front());
  if (!file || is_executable_format(*file)) return false;
  constexpr std::streamsize kLineMax = 256;
  std::string first(kLineMax, '\0');
  std::ifstream(*file, std::ios::binary).getline(first.data(), kLineMax);
  return first.starts_with("#!") && names_one(first);
}

std::optional<document::Error> problem_of_code(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    std::error_code problem;
    if (!files::exists(folder, problem)) return document::Error{"there is no such folder", folder};
    if (!files::is_directory(folder, problem))
      return document::Error{"expected a folder of sources, found a file", folder};
  }
  return std::nullopt;
}

std::vector<std::string> obvious_code_of(const runner::Subject& subject) {
  std::vector<std::string> folders;
  for (const auto& [key, backend] : subject.webhooks) {
    const auto* command = std::get_if<cases::Command>(&backend);
    const std::string found = command == nullptr ? "" : source_folder_of(command->argv);
    if (!found.empty() && std::find(folders.begin(), folders.end(), found) == folders.end())
      folders.push_back(found);
  }
  return folders;
}

void learn_from_programs(runner::Subject& subject, const std::vector<std::string>& code,
                         const std::vector<runner::ProgramText>& mounted) {
  std::vector<runner::ProgramText> texts;
  std::vector<std::string> executables;
  const auto add = [&](std::vector<runner::ProgramText> more) {
    for (runner::ProgramText& text : more) {
      const auto is_it = [&](const runner::ProgramText& one) { return one.path == text.path; };
      if (std::none_of(texts.begin(), texts.end(), is_it)) texts.push_back(std::move(text));
    }
  };
  bool has_unread = false, has_programs = false;
  for (const auto& [key, backend] : subject.webhooks) {
    has_programs = has_programs || is_external(backend);
    has_unread = has_unread || std::holds_alternative<cases::Url>(backend);
    const auto* command = std::get_if<cases::Command>(&backend);
    if (command == nullptr) continue;
    ProgramFiles found = files_of_command(command->argv);
    has_unread = has_unread || found.texts.empty();
    add(std::move(found.texts));
    executables.insert(executables.end(), found.executables.begin(), found.executables.end());
    const std::string& first = command->argv.front();
    const auto program = first.find('/') == std::string::npos ? file_of_command(first) : std::nullopt;
    if (program) executables.push_back(*program);
  }
  for (const std::string& folder : code) add(files_of_folder(folder));
  if (has_programs) add(mounted);
  runner::learn_from_program(subject.vocabulary, texts);
  runner::learn_from_documents(subject.vocabulary, texts);
  if (has_unread) runner::learn_conventions(subject.vocabulary);
  for (const std::string& path : executables)
    if (!is_interpreter(path) && is_executable_format(path)) learn_from_executable(subject.vocabulary, path);
  subject.learned_from = hash_of(texts);
}

}  // namespace fixpoint::external
