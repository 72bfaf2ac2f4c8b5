#include "harness/cli/corpus.h"

#include <array>
#include <cstdio>

#include "harness/cli/options.h"
#include "harness/document/fields.h"

namespace fixpoint::cli {

namespace {

struct Subcommand {
  std::string_view name;
  std::string_view sentence;
  int (*run)(const Arguments&);
};

constexpr std::array<Subcommand, 5> kSubcommands{{
    {"add", "Pods and what an audit log saw, as seeds", corpus_add},
    {"list", "what the corpus holds", corpus_list},
    {"merge", "runs of several shards as one", corpus_merge},
    {"minimise", "without files that show nothing of their own", corpus_minimise},
    {"verify", "whether every file is what it should be", corpus_verify},
}};

/// Prints the help of `corpus` itself in the format of every command's help.
int print_help() {
  Options line("corpus", "The stored Cases that runs begin with, and what runs left: corpus SUBCOMMAND.",
               "  fixpoint corpus list\n  fixpoint corpus add pods.yaml\n  fixpoint corpus add --help");
  for (const Subcommand& subcommand : kSubcommands)
    line.subcommand(std::string(subcommand.name), std::string(subcommand.sentence));
  return line.parse({"--help"}).value_or(kNothingFound);
}

}  // namespace

int corpus(const Arguments& arguments) {
  const std::string name = arguments.empty() ? "" : arguments.front();
  if (name == "--help" || name == "-h") return print_help();
  std::vector<std::string_view> names;
  for (const Subcommand& subcommand : kSubcommands) {
    names.push_back(subcommand.name);
    if (subcommand.name == name) return subcommand.run({arguments.begin() + 1, arguments.end()});
  }
  if (name.empty()) return bad_input("corpus: expected a subcommand (--help says which there are)");
  return bad_input("corpus: unknown subcommand \"" + name + "\"" +
                   document::did_you_mean_suffix(name, names));
}

}  // namespace fixpoint::cli
