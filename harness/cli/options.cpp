#include "harness/cli/options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>

#include "harness/document/fields.h"
#include "harness/measure/workload.h"

namespace fixpoint::cli {

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 nothing found; 1 findings or a failed gate; 2 bad usage or bad input; 3 could not finish "
    "or "
    "no verdict; 130 interrupted.";

/// Where parse() adds a description of its command line instead of parsing; nullptr if it parses.
std::vector<Description>* describes_into = nullptr;

/// Puts the examples first: most readers look for them.
class ExamplesFirst : public CLI::Formatter {
 public:
  explicit ExamplesFirst(const Description& said) : said_(said) {}
  std::string make_description(const CLI::App*) const override {
    std::string text = said_.sentence + "\n";
    if (!said_.subcommands.empty()) text += "\nSubcommands:\n";
    for (const Description::Subcommand& subcommand : said_.subcommands) {
      std::string name = subcommand.name;
      name.resize(std::max<std::size_t>(name.size(), 10), ' ');
      text.append("  ").append(name).append(" ").append(subcommand.sentence).append("\n");
    }
    if (!said_.examples.empty()) text += "\nExamples:\n" + said_.examples + "\n";
    return text;
  }
  std::string make_footer(const CLI::App*) const override { return std::string("\n") + kExitCodes + "\n"; }

 private:
  const Description& said_;
};

constexpr const char* kText = "TEXT";
constexpr const char* kNumber = "NUMBER";

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

  CLI::Option* add(Description::Option option, auto& into) {
    said.options.push_back(option);
    return app.add_option(option.name, into, option.help);
  }
};

Options::Options(const std::string& command, const std::string& sentence, const std::string& examples)
    : hidden_(std::make_unique<Hidden>()) {
  hidden_->said = {.name = command, .sentence = sentence, .examples = examples};
  hidden_->app.name("fixpoint " + command);
  hidden_->app.formatter(std::make_shared<ExamplesFirst>(hidden_->said));
}
Options::~Options() = default;

void Options::flag(const std::string& name, bool& into, const std::string& help) {
  hidden_->said.options.push_back({.name = name, .help = help});
  hidden_->app.add_flag(name, into, help);
}
void Options::value(const std::string& name, std::string& into, const std::string& help) {
  hidden_->add({.name = name, .value = kText, .help = help}, into);
}
void Options::value(const std::string& name, std::vector<std::string>& into, const std::string& help) {
  hidden_->add({.name = name, .value = kText, .help = help, .repeats = true}, into)->allow_extra_args(false);
}
void Options::value(const std::string& name, std::uint64_t& into, const std::string& help) {
  hidden_->add({.name = name, .value = kNumber, .help = help}, into)->check(problem_of_count);
}
void Options::value(const std::string& name, std::optional<std::uint64_t>& into, const std::string& help) {
  hidden_->add({.name = name, .value = kNumber, .help = help}, into)->check(problem_of_count);
}
void Options::value(const std::string& name, int& into, const std::string& help) {
  hidden_->add({.name = name, .value = kNumber, .help = help}, into)->check(problem_of_positive);
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
