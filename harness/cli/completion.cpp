#include <cstdio>

#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/cli/shell_completion.h"
#include "harness/document/fields.h"

namespace fixpoint::cli {

int completion(std::span<const Command> commands, const Arguments& arguments) {
  std::string name;
  Options line("completion", "A shell's completion of commands, options and subjects.",
               "  source <(fixpoint completion bash)\n"
               "  fixpoint completion fish > ~/.config/fish/completions/fixpoint.fish");
  line.positional("SHELL", name, "bash, zsh or fish", true);
  if (const auto code = line.parse(arguments)) return *code;
  std::vector<std::string_view> names;
  for (const Shell& shell : completed_shells()) {
    names.push_back(shell.name);
    if (shell.name != name) continue;
    std::fputs(shell.write(commands, describe(commands)).c_str(), stdout);
    return kNothingFound;
  }
  return bad_input("completion: expected bash, zsh or fish, found \"" + name + "\"" +
                   document::did_you_mean_suffix(name, names));
}

}  // namespace fixpoint::cli
