#include "harness/external/backends/command_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/webhooks/process.h"

namespace fixpoint::external {

namespace {

/// Returns an error for a command that only a shell would understand: it is split at blanks, and no word has
/// a meaning of its own.
std::optional<document::Error> problem_of_shell(const std::vector<std::string>& argv) {
  constexpr auto kOfShells = std::to_array<std::string_view>(
      {"&&", "||", "|", ";", "&", ">", ">>", "<", "<<", "2>", "2>>", "2>&1", "&>", "1>&2"});
  for (const std::string& word : argv) {
    const bool is_of_shell = std::find(kOfShells.begin(), kOfShells.end(), word) != kOfShells.end();
    const bool is_quoted = word.starts_with('\'') || word.starts_with('"');
    if (is_of_shell || is_quoted || word.starts_with("2>") || word.starts_with(">"))
      return document::Error{"commands run without a shell, and " + word +
                             " is one's: put the line into a script, =exec:sh run.sh"};
  }
  const auto name = argv.front().find('=');
  if (name != std::string::npos && name > 0 && argv.front().find('/') > name)
    return document::Error{"commands run without a shell, which sets no variable: write =exec:env " +
                           argv.front() + " …"};
  return std::nullopt;
}

}  // namespace

document::Result<cases::Command> command_of(const std::string& text) {
  cases::Command command{.argv = webhooks::split_at_blanks(text)};
  if (command.argv.empty()) return document::Error{"expected a command after exec:"};
  if (auto problem = problem_of_shell(command.argv)) return *std::move(problem);
  return command;
}

}  // namespace fixpoint::external
