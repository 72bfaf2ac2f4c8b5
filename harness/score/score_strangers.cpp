#include <algorithm>

#include "corpus/corpus_files.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/subject_names.h"
#include "harness/runner/clock.h"
#include "harness/score/score_command.h"
#include "harness/score/stranger_trials.h"
#include "injectors/bundled.h"

namespace fixpoint::score {

namespace {

constexpr const char* kDefaultTime = "8s";
constexpr std::uint64_t kSeedsMax = 999;

/// Returns the bound of one run: "8s", "300 Cases", "300 Cases or 8s".
std::string bound_of(const StrangerTrials& trials, const std::string& time) {
  const std::string cases = trials.cases ? std::to_string(*trials.cases) + " Cases" : "";
  const std::string bound = trials.seconds_max == 0 ? cases : cases.empty() ? time : cases + " or " + time;
  return bound + (trials.has_examples ? "" : ", without examples");
}

}  // namespace

int score_strangers(const Arguments& arguments) {
  const std::string folder = corpus::work_corpus_folder() + "/strangers";
  BoardFlags flags{.file = folder + "/scoreboard", .things = "strangers"};
  StrangerTrials trials{.jobs = 0, .is_over = cli::is_interrupted};
  std::string time = kDefaultTime;
  cli::Options line(
      "score strangers",
      "Small webhooks that run as processes, of which the configuration and the program alone "
      "are known: each is put to the test as `fuzz` does it. A wrong one is to be found, a right "
      "one to be left alone; corpus/strangers/catalog.yaml says which is which, and why.",
      "  fixpoint score strangers --save\n"
      "  fixpoint score strangers image-mirror --time 3s --seeds 1\n"
      "  fixpoint score strangers --check corpus/strangers/scoreboard.json --seeds 1");
  line.value("--time DURATION", time, "of one run, 0 for no bound (default 8s)");
  line.value("--cases", trials.cases, "Cases of one run; without --time there is no other bound");
  line.value("--seeds", trials.seeds, "runs of each stranger (default 2), with the seeds 1, 2, 3, …");
  line.value("--jobs", trials.jobs,
             "runs at a time (default: half of the cores, since a run keeps its webhook busy, too)");
  bool has_no_examples = false;
  line.flag("--without-examples", has_no_examples, "leave out the example Pods that some of them have");
  add_board_options(line, flags);
  if (const auto code = line.parse(arguments)) return *code;
  if (trials.seeds < 1 || trials.seeds > kSeedsMax)
    return cli::bad_input("--seeds: expected 1 to " + std::to_string(kSeedsMax));
  if (trials.cases && *trials.cases < 1) return cli::bad_input("--cases: expected at least 1");
  const auto seconds = runner::parse_duration(time);
  if (!seconds) return cli::bad_input("--time " + time + ": expected a duration such as 8s or 5m");
  trials.seconds_max = trials.cases && time == kDefaultTime ? 0 : *seconds;
  if (trials.seconds_max == 0 && !trials.cases)
    return cli::bad_input("--time 0: expected --cases with it, or a run would never end");
  trials.has_examples = !has_no_examples;
  if (trials.jobs <= 0) trials.jobs = std::max(1, cli::processors() / 2);
  const auto strangers = strangers_named(folder, flags.names);
  if (!strangers) return cli::bad_input(strangers.error());
  if (const auto code = prepare(flags)) return *code;
  trials.bundled = injectors::bundled();
  trials.find = [](const std::vector<std::string>& examples, const Limits& limits) {
    return cli::find_with_examples(examples, true, limits);
  };
  auto scores = try_strangers(*strangers, trials);
  if (!scores) return cli::bad_input(scores.error());
  return conclude({.family = "strangers",
                   .bound = bound_of(trials, time),
                   .seeds = static_cast<std::int64_t>(trials.seeds),
                   .scores = *std::move(scores)},
                  strangers->size(), flags);
}

}  // namespace fixpoint::score
