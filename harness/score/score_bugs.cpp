#include "corpus/corpus_files.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/subject_names.h"
#include "harness/score/bug_trials.h"
#include "harness/score/score_command.h"

namespace fixpoint::score {

int score_bugs(const Arguments& arguments) {
  BoardFlags flags{.file = corpus::work_corpus_folder() + "/scoreboard", .things = "bugs"};
  TrialOptions trials{.jobs = 0, .is_over = cli::is_interrupted};
  cli::Options line(
      "score bugs",
      "Every planted defect and every fixed failure of a release, searched for as `fuzz` would, "
      "and then its fixed variant, on which nothing may be found.",
      "  fixpoint score bugs --save\n"
      "  fixpoint score bugs --check corpus/scoreboard.json --seeds 3 --silence 300\n"
      "  fixpoint score bugs defects/timestamp --seeds 5");
  line.value("--seeds", trials.seeds, "searches for each bug (default 20)");
  line.value("--silence", trials.silence, "Cases drawn for each fixed variant (default 10000)");
  line.value("--problems", trials.grouping,
             "Cases drawn for each planted defect to count its problems (default 1500)");
  line.value("--cases", trials.cases_max, "Cases after which a search gives up (default 20000)");
  line.value("--jobs", trials.jobs, "threads (default: all cores); the scores do not depend on it");
  add_board_options(line, flags);
  if (const auto code = line.parse(arguments)) return *code;
  if (trials.seeds < 1 || trials.seeds > kTrialSeedsMax)
    return cli::bad_input("--seeds: expected 1 to " + std::to_string(kTrialSeedsMax));
  if (trials.cases_max < 1) return cli::bad_input("--cases: expected at least 1");
  if (trials.jobs == 0) trials.jobs = cli::processors();
  const auto bugs = bugs_named(flags.names);
  if (!bugs) return cli::bad_input(bugs.error());
  if (const auto code = prepare(flags)) return *code;
  return conclude(scoreboard_of(try_all(*bugs, cli::bundled_run, trials), trials), bugs->size(), flags);
}

}  // namespace fixpoint::score
