#include "harness/program/corpus.h"

#include <array>
#include <cstdio>

#include "harness/document/fields.h"

namespace fixpoint::program {

namespace {

struct Subcommand {
  std::string_view name;
  std::string_view sentence;
  int (*run)(const Arguments&);
};

constexpr std::array<Subcommand, 2> kSubcommands{{
    {"add", "Pods and what an audit log saw, as seeds", corpus_add},
    {"list", "what the corpus holds", corpus_list},
}};

void print_usage(std::FILE* to) {
  std::fputs("fixpoint corpus: the stored Cases that runs begin with\n\nSubcommands:\n", to);
  for (const Subcommand& subcommand : kSubcommands) {
    std::fprintf(to, "  %-10s %s\n", std::string(subcommand.name).c_str(),
                 std::string(subcommand.sentence).c_str());
  }
  std::fputs("\nfixpoint corpus SUBCOMMAND --help says more.\n", to);
}

}  // namespace

int corpus(const Arguments& arguments) {
  if (arguments.empty()) {
    print_usage(stderr);
    return kBadInput;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h") {
    print_usage(stdout);
    return kNothingFound;
  }
  std::vector<std::string_view> names;
  for (const Subcommand& subcommand : kSubcommands) {
    names.push_back(subcommand.name);
    if (subcommand.name == name) return subcommand.run({arguments.begin() + 1, arguments.end()});
  }
  return bad_input("corpus: unknown subcommand \"" + name + "\"" +
                   document::did_you_mean_suffix(name, names));
}

}  // namespace fixpoint::program
