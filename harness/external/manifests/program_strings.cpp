#include "harness/external/manifests/program_strings.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "harness/document/document_stream.h"
#include "harness/runner/learning/executable_keys.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/learn_fields.h"

namespace fixpoint::external {

namespace {

namespace files = std::filesystem;

constexpr std::size_t kBlockBytes = 1 << 20, kExecutableBytesMax = std::size_t{256} << 20;
constexpr Limits kOfScript{.file_bytes_max = 1 << 20};

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

void learn_from_command(runner::Vocabulary& words, const std::vector<std::string>& argv) {
  bool has_text = false;
  for (const std::string& word : argv) {
    if (is_executable_format(word)) continue;
    const auto text = document::read_text_file(word, kOfScript);
    if (!text) continue;
    runner::learn_from_program(words, *text);
    has_text = true;
  }
  if (!has_text) runner::learn_conventions(words);
  const auto program = argv.empty() ? std::nullopt : file_of_command(argv.front());
  if (program && !is_interpreter(*program) && is_executable_format(*program))
    learn_from_executable(words, *program);
}

}  // namespace fixpoint::external
