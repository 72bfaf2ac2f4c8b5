#include <array>
#include <cstdio>
#include <string>

#include "harness/document/fields.h"
#include "harness/program/program.h"
#include "harness/program/standard_output.h"

namespace {

using fixpoint::program::Arguments;
using fixpoint::program::Command;

namespace program = fixpoint::program;

constexpr auto kCommands = std::to_array<Command>({
    {"fuzz", "draw Cases, check all properties, shrink what fails", program::fuzz},
    {"replay", "run stored Cases: still failing, fixed, changed, or not runnable", program::replay},
    {"shrink", "the smallest Case with the same fingerprint", program::shrink},
    {"admit", "what the API server would do with a Case", program::admit},
    {"inject", "one injector on one Pod: patch and result", program::inject},
    {"default", "the API server's defaulting, as a filter", program::default_pods},
    {"validate", "the API server's validation, as a filter", program::validate},
    {"patch", "the API server's JSON Patch dialect, as a filter", program::patch},
    {"conform", "agreement with recorded behaviour of the real thing", program::conform},
    {"compare", "the smallest Pods on which two subjects or releases differ", program::compare},
    {"advise", "is IfNeeded needed, is Never safe, which orders work", program::advise},
    {"bench", "latency per injector and Pod size; the harness's own score", program::bench},
    {"serve", "injectors as HTTPS admission webhooks, with the configuration to apply", program::serve},
    {"live", "Cases against a real API server, compared with the simulated one", program::live},
    {"corpus", "stored Cases: add, list, merge, minimise, verify", program::corpus},
    {"gate", "release gate: everything that a policy asks for, one verdict", program::gate},
    {"report", "a finished run as text, JSON, JUnit, SARIF, Markdown or HTML", program::report},
    {"list", "injectors with their releases, properties, limits", program::list},
    {"explain", "what a property claims", program::explain},
    {"completion", "completions for bash, zsh and fish", nullptr, program::completion},
    {"man", "the manual page", nullptr, program::man},
    {"version", "the version of fixpoint", program::version},
});

void print_usage(std::FILE* to) {
  std::fputs("fixpoint: fuzz and conformance tests for Kubernetes mutating admission webhooks\n\nCommands:\n",
             to);
  for (const Command& command : kCommands) {
    std::fprintf(to, "  %-10s %s\n", std::string(command.name).c_str(),
                 std::string(command.sentence).c_str());
  }
  std::fputs("\nfixpoint COMMAND --help says more.\n", to);
}

int run(Arguments arguments) {
  if (arguments.empty()) {
    print_usage(stderr);
    return program::kBadInput;
  }
  const std::string name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    print_usage(stdout);
    return program::kNothingFound;
  }
  arguments.erase(arguments.begin());
  if (name == "--version") return program::version({});
  std::vector<std::string_view> names;
  for (const Command& command : kCommands) {
    names.push_back(command.name);
    if (command.name == name)
      return command.run_on_all ? command.run_on_all(kCommands, arguments) : command.run(arguments);
  }
  return program::bad_input("unknown command \"" + name + "\"" +
                            fixpoint::document::did_you_mean_suffix(name, names));
}

}  // namespace

int main(int count, char** values) {
  program::watch_standard_output();
  return program::finish_output(run(Arguments(values + 1, values + count)));
}
