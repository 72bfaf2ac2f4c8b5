#include <cstdio>

#include "harness/document/json.h"
#include "harness/program/interrupt.h"
#include "harness/program/mutations.h"
#include "harness/program/output_file.h"
#include "harness/program/program.h"
#include "harness/program/scores.h"

namespace fixpoint::program {

namespace {

void print(const std::vector<reports::MutationScore>& scores) {
  std::int64_t rules = 0, noticed = 0;
  for (const reports::MutationScore& score : scores) {
    rules += score.rules;
    noticed += score.noticed;
    std::printf("%-12s %lld of %lld rules noticed\n", score.part.c_str(),
                static_cast<long long>(score.noticed), static_cast<long long>(score.rules));
    for (const std::string& survivor : score.survivors) std::printf("  not noticed: %s\n", survivor.c_str());
  }
  if (is_interrupted()) return;
  std::printf("%-12s %lld of %lld\n", "all", static_cast<long long>(noticed), static_cast<long long>(rules));
}

/// Puts the section into the committed scoreboard.
int save(std::vector<reports::MutationScore> scores) {
  auto board = read_scores(scores_path());
  if (!board) return bad_input(board.error());
  board->mutations = std::move(scores);
  return save_scores(*board);
}

}  // namespace

int bench_mutations(const Arguments& arguments) {
  bool json = false, saves = false;
  std::string sources = ".";
  Options line("bench mutations",
               "Switches off the simulator's rules one by one and replays recorded behaviour: a rule whose "
               "absence nothing notices is one that nothing guards.",
               "  fixpoint bench mutations\n  fixpoint bench mutations --save");
  line.value("--sources", sources, "the top of the repository, to count rules that never speak (default .)");
  line.flag("--save", saves, "write the section of corpus/scoreboard.json and corpus/scoreboard.md");
  line.flag("--json", json, "the section as JSON");
  if (const auto code = line.parse(arguments)) return *code;
  const auto evidence = read_evidence(corpus_folder());
  if (!evidence) return bad_input(evidence.error());
  if (saves) {
    if (const auto problem = cannot_write(scores_path())) return unfinished(*problem);
  }
  heed_interrupts();
  const auto scores = switch_off_rules(*evidence, sources, is_interrupted);
  if (!scores) return bad_input(scores.error());
  if (json) {
    const Value board = reports::write_scoreboard({.mutations = *scores});
    std::fputs(document::write_json_pretty(board["mutations"]).c_str(), stdout);
  } else {
    print(*scores);
  }
  if (is_interrupted()) {
    std::fflush(stdout);
    std::fprintf(stderr, "fixpoint: interrupted: %zu parts were scored%s\n", scores->size(),
                 saves ? "; nothing is written" : "");
    return kInterrupted;
  }
  return saves ? save(*scores) : kNothingFound;
}

}  // namespace fixpoint::program
