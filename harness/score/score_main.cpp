#include <cstdio>
#include <string>

#include "harness/cli/standard_output.h"
#include "harness/document/cut.h"
#include "harness/score/score_command.h"

namespace {

namespace cli = fixpoint::cli;
namespace score = fixpoint::score;

struct Family {
  const char *name, *sentence;
  int (*run)(const cli::Arguments&);
};
constexpr Family kFamilies[] = {
    {"bugs", "are known bugs found, and fixed ones not", score::score_bugs},
    {"strangers", "small webhooks that run as processes, right and wrong ones", score::score_strangers},
    {"problems", "are findings grouped as a maintainer would", score::score_problems},
    {"definitions", "are objects drawn that a definition takes", score::score_definitions}};

int run(cli::Arguments arguments) {
  const std::string name = arguments.empty() ? "" : arguments.front();
  for (const Family& family : kFamilies) {
    if (name != family.name) continue;
    arguments.erase(arguments.begin());
    return family.run(arguments);
  }
  const bool is_asked = name == "--help" || name == "-h";
  if (!is_asked && !name.empty())
    return cli::bad_input("score: there is no \"" + name +
                          "\": expected bugs, strangers, problems or definitions");
  std::FILE* to = is_asked ? stdout : stderr;
  std::fputs("fixpoint score: how good fixpoint itself is\n\n", to);
  for (const Family& family : kFamilies) std::fprintf(to, "  %-11s %s\n", family.name, family.sentence);
  return is_asked ? cli::kNothingFound : cli::kBadInput;
}

}  // namespace

int main(int count, char** values) {
  cli::watch_standard_output();
  try {
    return cli::finish_output(run(cli::Arguments(values + 1, values + count)));
  } catch (const fixpoint::document::Cut& cut) {
    return cli::finish_output(cli::unfinished({cut.what()}));
  }
}
