#include "harness/cli/options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <limits>
#include <utility>

#include "harness/document/fields.h"
#include "harness/measure/workload.h"

namespace fixpoint::cli {

namespace {

/// The meanings of a command's exit codes 0, 1 and 3; an empty text for a code that it never returns.
struct Exits {
  std::string_view command, nothing, found = {}, unfinished = {};
  bool is_interruptible = false;
};
constexpr std::string_view kNoVerdict = "could not finish, or no verdict";
constexpr auto kExits = std::to_array<Exits>({
    {"fuzz", "nothing found", "findings", kNoVerdict, true},
    {"gate", "passed", "failed", "could not finish", true},
    {"replay", "every Case is fixed", "a Case still fails, or fails otherwise", "nothing could be judged",
     true},
    {"shrink", "", "the Case still fails: the smallest one is printed", "", true},
    {"patch", "applied", "refused", ""},
    {"eval", "a value", "the expression fails at run time", ""},
    {"validate", "valid", "errors", ""},
    {"conform", "all agree", "a difference", "could not finish", true},
    {"compare", "no difference", "differences", kNoVerdict, true},
    {"advise", "sound", "a setting or an order that does not work", kNoVerdict, true},
    {"bench", "measured, and nothing is slower", "a figure is slower than the baseline allows", kNoVerdict,
     true},
    {"score bugs", "every bug is found, and nothing else", "something is lost", "could not finish", true},
    {"bench cases", "no steep step", "a steep step", "could not finish", true},
    {"score problems", "well grouped", "badly grouped", "could not finish", true},
    {"score strangers", "all are judged right", "something is lost", "could not finish", true},
    {"serve", "ended by a signal", "", "could not serve", true},
    {"cluster", "ended by a signal", "", "could not serve", true},
    {"live", "all agree", "a difference", kNoVerdict, true},
    {"corpus verify", "the corpus is what it says", "a Case behaves otherwise", "", false},
    {"corpus add", "written", "", "could not write"},
    {"corpus merge", "written", "", "could not write"},
    {"corpus minimise", "done", "", "could not finish", true},
    {"report", "written", "", "could not write, or the run was not finished"},
});

/// Returns the line about the exit codes of a command. Those without a row do what they are asked, or refuse.
std::string exit_codes_of(const std::string& command) {
  Exits exits{.command = command, .nothing = "done"};
  for (const Exits& row : kExits)
    if (row.command == command) exits = row;
  std::string text = "Exit codes: ";
  if (!exits.nothing.empty()) text += "0 " + std::string(exits.nothing) + "; ";
  if (!exits.found.empty()) text += "1 " + std::string(exits.found) + "; ";
  text += "2 bad usage or bad input";
  if (!exits.unfinished.empty()) text += "; 3 " + std::string(exits.unfinished);
  if (exits.is_interruptible) text += "; 130 interrupted";
  return text + ".";
}

constexpr std::size_t kHelpColumns = 70;

/// Breaks a help text into lines, between words.
std::string in_lines(const std::string& text) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find(' ', begin), text.size());
    const std::size_t length = end - begin;
    if (column > 0 && column + 1 + length > kHelpColumns) {
      out += "\n";
      column = 0;
    } else if (column > 0) {
      out += " ";
      ++column;
    }
    out.append(text, begin, length);
    column += length;
    begin = end + 1;
  }
  return out;
}

/// Where parse() adds a description of its command line instead of parsing; nullptr if it parses.
std::vector<Description>* describes_into = nullptr;

/// Puts the examples first: most readers look for them.
class ExamplesFirst : public CLI::Formatter {
 public:
  explicit ExamplesFirst(const Description& said) : said_(said) {}
  std::string make_description(const CLI::App*) const override {
    std::string text = in_lines(said_.sentence) + "\n";
    if (!said_.subcommands.empty()) text += "\nSubcommands:\n";
    for (const Description::Subcommand& subcommand : said_.subcommands) {
      std::string name = subcommand.name;
      name.resize(std::max<std::size_t>(name.size(), 10), ' ');
      text.append("  ").append(name).append(" ").append(subcommand.sentence).append("\n");
    }
    if (!said_.examples.empty()) text += "\nExamples:\n" + said_.examples + "\n";
    return text;
  }
  std::string make_footer(const CLI::App*) const override { return "\n" + exit_codes_of(said_.name) + "\n"; }
  /// Prints the option with the name of its value, FILE or N, in the place of CLI11's types.
  std::string make_option_opts(const CLI::Option* option) const override {
    for (const Description::Option& one : said_.options) {
      if (!option->check_name(one.name)) continue;
      std::string text = one.is_positional || one.value.empty() ? "" : " " + one.value;
      if (one.repeats) text += one.is_positional ? "..." : " (repeatable)";
      return text;
    }
    return {};
  }

 private:
  const Description& said_;
};

constexpr const char* kText = "TEXT";
constexpr const char* kNumber = "N";

/// Returns the name of an option and that of its value, which are given as one text.
std::pair<std::string, std::string> parts_of(const std::string& name, const char* otherwise) {
  const auto blank = name.find(' ');
  if (blank == std::string::npos) return {name, otherwise};
  return {name.substr(0, blank), name.substr(blank + 1)};
}

/// Returns the error in the text of a number; empty if it is a whole number of at least `least`. CLI11 would
/// read -1, and any number beyond 64 bits, as the largest number.
template <class Number>
std::string problem_of(const std::string& text, Number least) {
  Number number = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (bad == std::errc() && end == text.data() + text.size() && number >= least) return "";
  return "expected a whole number from " + std::to_string(least) + " to " +
         std::to_string(std::numeric_limits<Number>::max()) + ", found " + text;
}
std::string problem_of_count(const std::string& text) { return problem_of<std::uint64_t>(text, 0); }
std::string problem_of_positive(const std::string& text) { return problem_of<int>(text, 1); }

/// Returns " (did you mean …?)" for the first unknown option; empty if no option of the command is close.
std::string meant_option(const Description& said, const std::vector<std::string>& unknown) {
  std::vector<std::string_view> names = {"--help"};
  for (const Description::Option& option : said.options)
    if (!option.is_positional) names.push_back(option.name);
  for (const std::string& text : unknown)
    if (text.starts_with("--")) return document::did_you_mean_suffix(text.substr(0, text.find('=')), names);
  return "";
}

}  // namespace

struct Options::Hidden {
  CLI::App app;
  Description said;
  std::string heading = {};

  CLI::Option* add(Description::Option option, auto& into) {
    option.group = heading;
    said.options.push_back(option);
    CLI::Option* added = app.add_option(option.name, into, in_lines(option.help));
    return heading.empty() ? added : added->group(heading);
  }
  CLI::Option* add_value(const std::string& name, const char* otherwise, const std::string& help, auto& into,
                         bool repeats = false) {
    auto [option, value] = parts_of(name, otherwise);
    return add({.name = option, .value = value, .help = help, .repeats = repeats}, into);
  }
};

Options::Options(const std::string& command, const std::string& sentence, const std::string& examples)
    : hidden_(std::make_unique<Hidden>()) {
  hidden_->said = {.name = command, .sentence = sentence, .examples = examples};
  hidden_->app.name("fixpoint " + command);
  hidden_->app.formatter(std::make_shared<ExamplesFirst>(hidden_->said));
}
Options::~Options() = default;

std::string Options::group(std::string heading) {
  return std::exchange(hidden_->heading, std::move(heading));
}

void Options::flag(const std::string& name, bool& into, const std::string& help) {
  const std::string long_name = name.substr(name.find(',') + 1);
  hidden_->said.options.push_back({.name = long_name, .help = help, .group = hidden_->heading});
  CLI::Option* added = hidden_->app.add_flag(name, into, in_lines(help));
  if (!hidden_->heading.empty()) added->group(hidden_->heading);
}
void Options::value(const std::string& name, std::string& into, const std::string& help) {
  hidden_->add_value(name, kText, help, into);
}
void Options::value(const std::string& name, std::vector<std::string>& into, const std::string& help) {
  hidden_->add_value(name, kText, help, into, true)->allow_extra_args(false);
}
void Options::value(const std::string& name, std::uint64_t& into, const std::string& help) {
  hidden_->add_value(name, kNumber, help, into)->check(problem_of_count);
}
void Options::value(const std::string& name, std::optional<std::uint64_t>& into, const std::string& help) {
  hidden_->add_value(name, kNumber, help, into)->check(problem_of_count);
}
void Options::value(const std::string& name, int& into, const std::string& help) {
  hidden_->add_value(name, kNumber, help, into)->check(problem_of_positive);
}
void Options::positional(const std::string& name, std::string& into, const std::string& help,
                         bool is_required) {
  hidden_->add({.name = name, .help = help, .is_positional = true, .is_required = is_required}, into)
      ->required(is_required);
}
void Options::positionals(const std::string& name, std::vector<std::string>& into, const std::string& help) {
  hidden_->add({.name = name, .help = help, .is_positional = true, .repeats = true}, into);
}
void Options::subcommand(const std::string& name, const std::string& sentence) {
  hidden_->said.subcommands.push_back({name, sentence});
}

std::vector<Description> Options::described(const std::function<void()>& run) {
  std::vector<Description> all;
  describes_into = &all;
  run();
  describes_into = nullptr;
  return all;
}

std::optional<int> Options::parse(const std::vector<std::string>& arguments) {
  if (describes_into != nullptr) {
    describes_into->push_back(hidden_->said);
    return kNothingFound;
  }
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    hidden_->app.parse(reversed);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    std::fputs(hidden_->app.help().c_str(), stdout);
    return kNothingFound;
  } catch (const CLI::ParseError& problem) {
    std::fprintf(stderr, "%s: %s%s (--help says what it takes)\n", hidden_->app.get_name().c_str(),
                 problem.what(), meant_option(hidden_->said, hidden_->app.remaining()).c_str());
    return kBadInput;
  }
}

int processors() { return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))); }

}  // namespace fixpoint::cli
