#include <array>
#include <cstdio>
#include <string>
#include <utility>

#include "harness/cli/command.h"
#include "harness/cli/standard_output.h"
#include "harness/document/cut.h"
#include "harness/document/fields.h"

namespace {

using fixpoint::cli::Arguments;
using fixpoint::cli::Command;

namespace cli = fixpoint::cli;

constexpr auto kCommands = std::to_array<Command>({
    {"demo", "a small webhook with a bug: found, explained, mended", cli::demo},
    {"init", "a policy file, a workflow and a first example from a manifest", cli::init},
    {"fuzz", "draw Cases, check all properties, shrink what fails", cli::fuzz},
    {"replay", "run stored Cases: still failing, fixed, or why nobody can tell", cli::replay},
    {"shrink", "the smallest Case with the same fingerprint", cli::shrink},
    {"admit", "the API server's answer to a Case", cli::admit},
    {"inject", "one injector on one Pod: patch and result", cli::inject},
    {"eval", "a CEL expression on a Pod: value, type and cost", cli::evaluate},
    {"default", "the API server's defaulting, as a filter", cli::default_pods},
    {"validate", "the API server's validation, as a filter", cli::validate},
    {"patch", "the API server's JSON Patch dialect, as a filter", cli::patch},
    {"conform", "agreement with recorded behaviour of the real API server", cli::conform},
    {"compare", "the smallest Pods on which two subjects or releases differ", cli::compare},
    {"advise", "is IfNeeded needed, is Never safe, which orders work", cli::advise},
    {"bench", "latency per injector and Pod size; what a Case costs", cli::bench},
    {"serve", "injectors as HTTPS admission webhooks, with the configuration to apply", cli::serve},
    {"cluster", "the cluster of a Case as a Kubernetes API, for what reads one", cli::cluster},
    {"live", "Cases against a real API server, compared with the simulated one", cli::live},
    {"corpus", "stored Cases: add, list, merge, minimise, verify", cli::corpus},
    {"gate", "release gate: all checks of a policy, one verdict", cli::gate},
    {"report", "a finished run as text, JSON, JUnit, SARIF, Markdown or HTML", cli::report},
    {"list", "injectors with their releases, properties, limits", cli::list},
    {"explain", "a property, or a problem of a run", cli::explain},
    {"completion", "completions for bash, zsh and fish", nullptr, cli::completion},
    {"man", "the manual page", nullptr, cli::man},
    {"version", "the version of fixpoint", cli::version},
});

void print_usage(std::FILE* to) {
  std::fputs("fixpoint: fuzz and conformance tests for Kubernetes mutating admission webhooks\n\nCommands:\n",
             to);
  for (const Command& command : kCommands) {
    std::fprintf(to, "  %-10s %s\n", std::string(command.name).c_str(),
                 std::string(command.sentence).c_str());
  }
  std::fputs("\nfixpoint COMMAND --help, or fixpoint help COMMAND, says more.\n", to);
}

int run(Arguments arguments) {
  if (arguments.empty()) {
    print_usage(stderr);
    return cli::kBadInput;
  }
  const std::string name = arguments.front();
  if (name == "--help" || name == "-h" || (name == "help" && arguments.size() == 1)) {
    print_usage(stdout);
    return cli::kNothingFound;
  }
  arguments.erase(arguments.begin());
  if (name == "help" && arguments.front() != "help" && !arguments.front().starts_with("-")) {
    arguments.push_back("--help");
    return run(std::move(arguments));
  }
  if (name == "--version" || name == "-v" || name == "-V") return cli::version({});
  std::vector<std::string_view> names;
  for (const Command& command : kCommands) {
    names.push_back(command.name);
    if (command.name == name)
      return command.run_on_all ? command.run_on_all(kCommands, arguments) : command.run(arguments);
  }
  return cli::bad_input("unknown command \"" + name + "\"" +
                        fixpoint::document::did_you_mean_suffix(name, names));
}

}  // namespace

int main(int count, char** values) {
  cli::watch_standard_output();
  try {
    return cli::finish_output(run(Arguments(values + 1, values + count)));
  } catch (const fixpoint::document::Cut& cut) {
    return cli::finish_output(cli::unfinished({cut.what()}));
  }
}
