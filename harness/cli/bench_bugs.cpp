#include <algorithm>
#include <cstdio>

#include "harness/cli/command.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/options.h"
#include "harness/cli/subject_names.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"
#include "harness/measure/bug_trials.h"
#include "harness/measure/scoreboard_file.h"
#include "reports/scoreboard.h"

namespace fixpoint::cli {

namespace {

using reports::Scoreboard;

struct BoardOptions {
  std::vector<std::string> names = {};
  measure::TrialOptions trials = {.jobs = 0, .is_over = is_interrupted};
  bool saves = false;
  bool json = false;
  std::string check = {};
};

/// Prints the bugs whose score was lost and the false alarms on fixed variants.
int check(const Scoreboard& committed, const Scoreboard& fresh, const std::vector<measure::Trial>& trials,
          const BoardOptions& options) {
  const auto lost = reports::losses(committed, fresh, !options.names.empty() || is_interrupted());
  for (const std::string& line : lost) std::printf("LOST   %s\n", line.c_str());
  for (const measure::Trial& trial : trials) {
    for (const cases::Finding& alarm : trial.silence.alarms)
      std::printf("ALARM  %s: %s\n", alarm.property.c_str(),
                  document::printable(alarm.evidence.because).c_str());
    for (const properties::Observation& alarm : trial.silence.observations)
      std::printf("ALARM  %s: %s\n", alarm.kind.c_str(), document::printable(alarm.because).c_str());
  }
  if (lost.empty() && !is_interrupted()) {
    std::printf("%zu bugs over %llu seeds: nothing lost against %s\n", fresh.bugs.size(),
                static_cast<unsigned long long>(options.trials.seeds), options.check.c_str());
  }
  return lost.empty() ? kNothingFound : kFound;
}

/// Reports an interruption; the results so far have been printed.
int cut_short(std::size_t tried, std::size_t bugs, const BoardOptions& options) {
  std::fflush(stdout);
  std::fprintf(stderr, "fixpoint: interrupted: %zu of %zu bugs were tried%s\n", tried, bugs,
               options.saves ? "; nothing is written" : "");
  return kInterrupted;
}

std::optional<int> parse(const Arguments& arguments, BoardOptions& options) {
  Options line("bench bugs",
               "The harness's own score: every planted defect and every fixed failure of a release, searched "
               "for as `fuzz` would, and then its fixed variant, on which nothing may be found.",
               "  fixpoint bench bugs\n  fixpoint bench bugs --save\n"
               "  fixpoint bench bugs --check corpus/scoreboard.json --seeds 3 --silence 300\n"
               "  fixpoint bench bugs defects/timestamp --seeds 5");
  line.positionals("BUG", options.names, "names from the scoreboard; default: all");
  line.value("--seeds", options.trials.seeds, "searches for each bug (default 20)");
  line.value("--silence", options.trials.silence, "Cases drawn for each fixed variant (default 10000)");
  line.value("--problems", options.trials.grouping,
             "Cases drawn for each planted defect to count its problems (default 1500)");
  line.value("--cases", options.trials.cases_max, "Cases after which a search gives up (default 20000)");
  line.value("--jobs", options.trials.jobs, "threads (default: all cores); the scores do not depend on it");
  line.value("--check FILE", options.check, "compare with this scoreboard: exit code 1 for anything lost");
  line.flag("--save", options.saves, "write corpus/scoreboard.json and corpus/scoreboard.md");
  line.flag("--json", options.json, "the scoreboard as JSON instead of a table");
  if (const auto code = line.parse(arguments)) return *code;
  if (options.trials.seeds < 1 || options.trials.seeds > measure::kTrialSeedsMax)
    return bad_input("--seeds: expected 1 to " + std::to_string(measure::kTrialSeedsMax));
  if (options.trials.cases_max < 1) return bad_input("--cases: expected at least 1");
  if (options.saves && !options.names.empty()) return bad_input("--save writes the scores of all bugs");
  if (options.trials.jobs == 0) options.trials.jobs = processors();
  return std::nullopt;
}

}  // namespace

int bench_bugs(const Arguments& arguments) {
  BoardOptions options;
  if (const auto code = parse(arguments, options)) return *code;
  const auto bugs = measure::bugs_named(options.names);
  if (!bugs) return bad_input(bugs.error());
  std::optional<Scoreboard> committed;
  if (!options.check.empty()) {
    auto read = measure::read_scores(options.check);
    if (!read) return bad_input(read.error());
    committed = *std::move(read);
  }
  if (options.saves) {
    if (const auto problem = document::cannot_write(measure::scores_path())) return unfinished(*problem);
  }
  heed_interrupts();
  const std::vector<measure::Trial> trials = measure::try_all(*bugs, bundled_run, options.trials);
  const Scoreboard board = measure::scoreboard_of(trials, options.trials);
  if (committed) {
    const int code = check(*committed, board, trials, options);
    return is_interrupted() ? cut_short(trials.size(), bugs->size(), options) : code;
  }
  if (is_interrupted() && trials.empty()) return cut_short(0, bugs->size(), options);
  const std::string text = options.json ? document::write_json_pretty(reports::write_scoreboard(board))
                                        : reports::scoreboard_text(board);
  std::fputs(text.c_str(), stdout);
  if (is_interrupted()) return cut_short(trials.size(), bugs->size(), options);
  if (options.saves) {
    if (const auto problem = measure::save_scores(board)) return unfinished(*problem);
  }
  return measure::is_perfect(board) ? kNothingFound : kFound;
}

}  // namespace fixpoint::cli
