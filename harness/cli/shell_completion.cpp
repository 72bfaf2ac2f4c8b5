#include "harness/cli/shell_completion.h"

#include "harness/measure/case_costs.h"
#include "injectors/injector_catalog.h"
#include "injectors/reconcilers.h"

namespace fixpoint::cli {

namespace {

/// The words that may follow a command: its options, and its subcommands or names from the catalog.
struct Words {
  std::vector<std::string> options = {}, names = {};
};

/// Returns the words that a positional argument of this name may be; none if it is a file.
std::vector<std::string> names_of(const std::string& positional, std::span<const Command> commands) {
  std::vector<std::string> names;
  if (positional == "SUBJECT") {
    for (const auto& injector : injectors::all()) names.emplace_back(injector.name);
    for (const auto& reconciler : injectors::all_reconcilers()) names.emplace_back(reconciler.name);
  }
  if (positional == "AXIS") {
    for (const measure::CostAxis& axis : measure::cost_axes()) names.emplace_back(axis.name);
  }
  if (positional == "BUG") {
    for (const auto& injector : injectors::all())
      if (injector.role == injectors::Role::defect) names.emplace_back(injector.name);
  }
  if (positional == "SHELL") names = {"bash", "zsh", "fish"};
  if (positional == "COMMAND") {
    for (const Command& command : commands) names.emplace_back(command.name);
  }
  return names;
}

Words words_of(const Description& command, std::span<const Command> commands) {
  Words words{.options = {"--help"}};
  for (const Description::Option& option : command.options) {
    if (!option.is_positional)
      words.options.push_back(option.name);
    else
      for (std::string& name : names_of(option.name, commands)) words.names.push_back(std::move(name));
  }
  for (const Description::Subcommand& subcommand : command.subcommands)
    words.names.push_back(subcommand.name);
  return words;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Quotes a text with the single quotes of a shell.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string bash(std::span<const Command> commands, const std::vector<Description>& all) {
  std::string names;
  for (const Command& command : commands) names += (names.empty() ? "" : " ") + std::string(command.name);
  std::string text =
      "# bash completion of fixpoint\n_fixpoint() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} options=--help names=\n"
      "  if ((COMP_CWORD == 1)); then\n    names=" +
      shell_quoted(names + " help") + "\n  else\n    case \"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" in\n";
  // Commands of two words come first, because the first matching pattern of `case` counts.
  std::string single;
  for (const Description& command : all) {
    const Words words = words_of(command, commands);
    const bool is_pair = command.name.find(' ') != std::string::npos;
    (is_pair ? text : single) +=
        "      " + (is_pair ? shell_quoted(command.name) : shell_quoted(command.name + " ") + "*") +
        ")\n        options=" + shell_quoted(join(words.options)) +
        " names=" + shell_quoted(join(words.names)) + "\n        ;;\n";
  }
  return text + single +
         "    esac\n  fi\n"
         "  if [[ $current == -* ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
         "  elif ((COMP_CWORD == 1)); then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$names\" -- \"$current\")\n"
         "  else\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$names\" -- \"$current\"; compgen -f -- \"$current\")\n"
         "  fi\n}\n"
         "complete -o filenames -F _fixpoint fixpoint ./fixpoint\n";
}

/// Escapes the help of an option for the brackets of zsh's _arguments.
std::string bracketed(const std::string& help) {
  std::string out = "[";
  for (const char c : help) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out + "]";
}

std::string zsh_arguments(const Description& command, std::span<const Command> commands) {
  std::string text = "_arguments " + shell_quoted("--help[what the command takes]");
  for (const Description::Option& option : command.options) {
    if (option.is_positional) continue;
    const std::string value = option.value.empty() ? "" : ":" + option.value + ":_files";
    text += " \\\n        " +
            shell_quoted((option.repeats ? "*" : "") + option.name + bracketed(option.help) + value);
  }
  const Words words = words_of(command, commands);
  const std::string names =
      words.names.empty() ? "_files"
                          : "_alternative \"names:name:(" + join(words.names) + ")\" \"files:file:_files\"";
  return text + " \\\n        " + shell_quoted("*:argument:{ " + names + " }");
}

std::string zsh(std::span<const Command> commands, const std::vector<Description>& all) {
  std::string text =
      "#compdef fixpoint\n# zsh completion of fixpoint\n_fixpoint() {\n  local -a commands=(\n";
  for (const Command& command : commands)
    text += "    " + shell_quoted(std::string(command.name) + ":" + std::string(command.sentence)) + "\n";
  text +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n"
      "  local both=\"$words[2] $words[3]\"\n  shift words\n  ((CURRENT--))\n  case $both in\n";
  std::string single;
  for (const Description& command : all) {
    const bool is_pair = command.name.find(' ') != std::string::npos;
    (is_pair ? text : single) +=
        "    " + (is_pair ? shell_quoted(command.name) : shell_quoted(command.name + " ") + "*") +
        ")\n      " + zsh_arguments(command, commands) + "\n      ;;\n";
  }
  return text + single +
         "  esac\n}\nif [[ $funcstack[1] == _fixpoint ]]; then\n  _fixpoint \"$@\"\nelse\n"
         "  compdef _fixpoint fixpoint\nfi\n";
}

std::string fish(std::span<const Command> commands, const std::vector<Description>& all) {
  // In fish, a backslash escapes a quote within single quotes.
  const auto text_of = [](std::string_view text) {
    std::string out = "'";
    for (const char c : text) out += (c == '\'' || c == '\\') ? std::string{'\\', c} : std::string(1, c);
    return out + "'";
  };
  std::string text = "# fish completion of fixpoint\n";
  for (const Command& command : commands) {
    text += "complete -c fixpoint -f -n __fish_use_subcommand -a " + std::string(command.name) + " -d " +
            text_of(command.sentence) + "\n";
  }
  for (const Description& command : all) {
    const auto blank = command.name.find(' ');
    std::string when = "__fish_seen_subcommand_from " + command.name.substr(0, blank);
    if (blank != std::string::npos)
      when += "; and __fish_seen_subcommand_from " + command.name.substr(blank + 1);
    const std::string begin = "complete -c fixpoint -n " + text_of(when);
    const Words words = words_of(command, commands);
    if (!words.names.empty()) text += begin + " -a " + text_of(join(words.names)) + "\n";
    for (const Description::Option& option : command.options) {
      if (option.is_positional) continue;
      text += begin + " -l " + option.name.substr(2) + (option.value.empty() ? "" : " -r") + " -d " +
              text_of(option.help) + "\n";
    }
  }
  return text;
}

constexpr std::array<Shell, 3> kShells{{{"bash", bash}, {"zsh", zsh}, {"fish", fish}}};

}  // namespace

const std::array<Shell, 3>& completed_shells() { return kShells; }

}  // namespace fixpoint::cli
