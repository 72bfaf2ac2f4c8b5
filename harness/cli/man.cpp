#include <algorithm>
#include <cstdio>
#include <sstream>

#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/conformance/recorder_client.h"

namespace fixpoint::cli {

namespace {

constexpr std::string_view kEllipsis = "…";  // not available on every terminal

/// Escapes text for roff, so that no character is a command (groff(7), escape sequences and control lines).
std::string roff(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (text.substr(at).starts_with(kEllipsis)) {
      out += "...";
      at += kEllipsis.size() - 1;
      continue;
    }
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string title_of(const Description::Option& option) {
  if (option.is_positional) return "\\fI" + roff(option.name) + "\\fR" + (option.repeats ? " ..." : "");
  std::string title = "\\fB" + roff(option.name) + "\\fR";
  if (!option.value.empty()) title += " \\fI" + option.value + "\\fR";
  return title;
}

std::string synopsis_of(const Description& command) {
  std::string text = "\\fBfixpoint " + roff(command.name) + "\\fR";
  if (!command.subcommands.empty()) {
    const std::string nested = text + " \\fISUBCOMMAND\\fR";
    if (command.options.empty()) return nested;
    text = nested + " [\\fIOPTION\\fR ...]\n.br\n" + text;
  }
  const auto& all = command.options;
  if (std::any_of(all.begin(), all.end(), [](const auto& option) { return !option.is_positional; }))
    text += " [\\fIOPTION\\fR ...]";
  for (const Description::Option& option : all) {
    if (option.is_positional)
      text += option.is_required ? " " + title_of(option) : " [" + title_of(option) + "]";
  }
  return text;
}

std::string section_of(const Description& command) {
  std::string text = ".SS " + roff("fixpoint " + command.name) + "\n" + synopsis_of(command) + "\n.PP\n" +
                     roff(command.sentence) + "\n";
  for (const Description::Subcommand& subcommand : command.subcommands)
    text += ".TP\n\\fB" + roff(subcommand.name) + "\\fR\n" + roff(subcommand.sentence) + "\n";
  for (const Description::Option& option : command.options)
    text += ".TP\n" + title_of(option) + "\n" + roff(option.help) + "\n";
  if (command.examples.empty()) return text;
  text += ".PP\nExamples:\n.PP\n.nf\n.RS\n";
  std::istringstream lines(command.examples);
  for (std::string line; std::getline(lines, line);)
    text += roff(line.substr(std::min(line.find_first_not_of(' '), line.size()))) + "\n";
  return text + ".RE\n.fi\n";
}

/// The exit codes and the environment, in the words of the README.
constexpr const char* kEnd = R"(.SH EXIT STATUS
.TP
0
Nothing was found.
.TP
1
There are findings, or a gate failed.
.TP
2
Bad usage or bad input: one line says what was expected where.
.TP
3
It could not finish: a subject was out of reach, or the disk full.
.TP
130
It was interrupted.
.SH ENVIRONMENT
.TP
FIXPOINT_CORPUS
The folder of the corpus; without it, corpus in the working directory, or the one that was installed.
.TP
NO_COLOR
When it is set and not empty, nothing is printed in color.
.SH FILES
.TP
run/
The folder of the last run: events.ndjson, run.json, checkpoint.json and findings/.
)";

}  // namespace

std::vector<Description> describe(std::span<const Command> commands) {
  std::vector<Description> all;
  const auto ask = [](const Command& command, std::span<const Command> among, const Arguments& arguments) {
    return Options::described(
        [&] { command.run_on_all ? command.run_on_all(among, arguments) : command.run(arguments); });
  };
  for (const Command& command : commands) {
    const auto said = ask(command, commands, {"--help"});
    all.insert(all.end(), said.begin(), said.end());
    for (const Description& one : said) {
      for (const Description::Subcommand& subcommand : one.subcommands) {
        const auto more = ask(command, commands, {subcommand.name, "--help"});
        all.insert(all.end(), more.begin(), more.end());
      }
    }
  }
  return all;
}

int man(std::span<const Command> commands, const Arguments& arguments) {
  Options line("man", "The manual page of fixpoint, as roff.",
               "  fixpoint man | man -l -\n  fixpoint man > /usr/share/man/man1/fixpoint.1");
  if (const auto code = line.parse(arguments)) return *code;
  std::string text =
      ".TH FIXPOINT 1 \"\" \"fixpoint " FIXPOINT_VERSION "\" \"User Commands\"\n.SH NAME\n" +
      roff("fixpoint - fuzz and conformance tests for Kubernetes mutating admission webhooks") +
      "\n.SH SYNOPSIS\n\\fBfixpoint\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR ...]\n.SH COMMANDS\n";
  for (const Command& command : commands)
    text += ".TP\n\\fB" + roff(command.name) + "\\fR\n" + roff(command.sentence) + "\n";
  text += ".SH OPTIONS\n";
  for (const Description& command : describe(commands)) text += section_of(command);
  std::fputs((text + kEnd).c_str(), stdout);
  return kNothingFound;
}

}  // namespace fixpoint::cli
