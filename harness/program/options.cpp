#include "harness/program/options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>

namespace fixpoint::program {

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 nothing found; 1 findings or a failed gate; 2 bad usage or bad input; 3 could not finish; "
    "130 interrupted.";

/// Examples first: what most people look for.
class ExamplesFirst : public CLI::Formatter {
 public:
  explicit ExamplesFirst(std::string examples) : examples_(std::move(examples)) {}
  std::string make_description(const CLI::App* app) const override {
    std::string text = app->get_description() + "\n";
    if (!examples_.empty()) text += "\nExamples:\n" + examples_ + "\n";
    return text;
  }
  std::string make_footer(const CLI::App*) const override { return std::string("\n") + kExitCodes + "\n"; }

 private:
  std::string examples_;
};

}  // namespace

struct Options::Hidden {
  CLI::App app;
  explicit Hidden(const std::string& sentence) : app(sentence) {}
};

Options::Options(const std::string& command, const std::string& sentence, const std::string& examples)
    : hidden_(std::make_unique<Hidden>(sentence)) {
  hidden_->app.name("fixpoint " + command);
  hidden_->app.formatter(std::make_shared<ExamplesFirst>(examples));
}
Options::~Options() = default;

void Options::flag(const std::string& name, bool& into, const std::string& help) {
  hidden_->app.add_flag(name, into, help);
}
void Options::value(const std::string& name, std::string& into, const std::string& help) {
  hidden_->app.add_option(name, into, help);
}
void Options::value(const std::string& name, std::vector<std::string>& into, const std::string& help) {
  hidden_->app.add_option(name, into, help)->allow_extra_args(false);
}
void Options::value(const std::string& name, std::uint64_t& into, const std::string& help) {
  hidden_->app.add_option(name, into, help);
}
void Options::value(const std::string& name, std::optional<std::uint64_t>& into, const std::string& help) {
  hidden_->app.add_option(name, into, help);
}
void Options::value(const std::string& name, int& into, const std::string& help) {
  hidden_->app.add_option(name, into, help)->check(CLI::PositiveNumber);
}
void Options::positional(const std::string& name, std::string& into, const std::string& help,
                         bool is_required) {
  hidden_->app.add_option(name, into, help)->required(is_required);
}
void Options::positionals(const std::string& name, std::vector<std::string>& into, const std::string& help) {
  hidden_->app.add_option(name, into, help);
}

std::optional<int> Options::parse(const std::vector<std::string>& arguments) {
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    hidden_->app.parse(reversed);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    std::fputs(hidden_->app.help().c_str(), stdout);
    return kNothingFound;
  } catch (const CLI::ParseError& problem) {
    std::fprintf(stderr, "%s: %s (--help says what it takes)\n", hidden_->app.get_name().c_str(),
                 problem.what());
    return kBadInput;
  }
}

std::optional<double> parse_duration(const std::string& text) {
  double number = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (bad != std::errc() || number < 0 || number > 1e9) return std::nullopt;
  const std::string unit(end, text.data() + text.size());
  if (unit.empty() || unit == "s") return number;
  if (unit == "ms") return number / 1000;
  if (unit == "m") return number * 60;
  if (unit == "h") return number * 3600;
  return std::nullopt;
}

}  // namespace fixpoint::program
