#include "harness/score/bug_trials.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>

#include "corpus/corpus_files.h"
#include "harness/document/fields.h"
#include "harness/runner/shrink_finding.h"
#include "harness/score/tasks.h"

namespace fixpoint::score {

using document::Error;
using document::Result;

namespace {

std::int64_t found_size(const cases::Finding& finding) {
  return static_cast<std::int64_t>(finding.sequence ? finding.sequence->steps.size()
                                                    : runner::scalar_count(finding.value.request.object));
}

Score score_of(const Trial& trial) {
  Score score{.name = trial.bug.name,
              .expected = trial.bug.property,
              .runs = static_cast<std::int64_t>(trial.hunts.size()),
              .cases = static_cast<std::int64_t>(trial.silence.cases)};
  std::vector<std::int64_t> cases, milliseconds, sizes;
  for (const Hunt& one : trial.hunts) {
    if (!one.finding && !one.observation) continue;
    ++score.found;
    cases.push_back(one.cases);
    milliseconds.push_back(one.milliseconds);
    if (one.finding) sizes.push_back(found_size(*one.finding));
  }
  const auto problems = static_cast<std::int64_t>(trial.grouping.problems.size());
  score.problems = {problems, problems};
  score.until = spread_of(std::move(cases));
  score.milliseconds = spread_of(std::move(milliseconds));
  score.size = spread_of(std::move(sizes));
  for (const cases::Finding& alarm : trial.silence.alarms)
    score.alarms.push_back({alarm.severity, alarm.property, alarm.webhook, alarm.evidence.reason, 1});
  for (const properties::Observation& alarm : trial.silence.observations)
    score.alarms.push_back({"observation", alarm.kind, alarm.webhook, alarm.reason, 1});
  return score;
}

}  // namespace

Result<std::vector<Bug>> bugs_named(const std::vector<std::string>& names) {
  auto bugs = known_bugs(corpus::corpus_folder());
  if (!bugs || names.empty()) return bugs;
  std::vector<std::string_view> known;
  for (const Bug& bug : *bugs) known.push_back(bug.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return Error{"there is no bug \"" + name + "\"" + document::did_you_mean_suffix(name, known)};
    }
  }
  std::erase_if(
      *bugs, [&](const Bug& bug) { return std::find(names.begin(), names.end(), bug.name) == names.end(); });
  return bugs;
}

std::vector<Trial> try_all(const std::vector<Bug>& bugs, const RunOf& run_of, const TrialOptions& options) {
  std::vector<Trial> trials;
  for (const Bug& bug : bugs) trials.push_back({.bug = bug, .hunts = std::vector<Hunt>(options.seeds)});
  std::vector<std::size_t> tasks_left(trials.size());
  std::vector<Task> tasks;
  std::mutex mutex;
  const auto add = [&](std::size_t trial, const Task& task) {
    ++tasks_left[trial];
    tasks.emplace_back([&, trial, task] {
      task();
      const std::lock_guard lock(mutex);
      if (!options.is_over()) --tasks_left[trial];
    });
  };
  for (std::size_t number = 0; number < trials.size(); ++number) {
    Trial& trial = trials[number];
    if (options.silence > 0) {
      add(number, [&] {
        trial.silence = listen(trial.bug, run_of, kSilenceSeed, options.silence, options.is_over).value();
      });
    }
    if (options.grouping > 0 && trial.bug.fingerprint.empty()) {
      add(number, [&] {
        trial.grouping = group(trial.bug, run_of, kGroupingSeed, options.grouping, options.is_over).value();
      });
    }
    for (std::uint64_t i = 0; i < options.seeds; ++i) {
      add(number, [&, i] {
        trial.hunts[i] = hunt(trial.bug, run_of, i + 1, options.cases_max, options.is_over).value();
      });
    }
  }
  share_out(options.jobs, tasks, options.is_over);
  std::vector<Trial> ended;
  for (std::size_t number = 0; number < trials.size(); ++number) {
    if (tasks_left[number] == 0) ended.push_back(std::move(trials[number]));
  }
  return ended;
}

Scoreboard scoreboard_of(const std::vector<Trial>& trials, const TrialOptions& options) {
  Scoreboard board{.family = "bugs",
                   .bound = std::to_string(options.cases_max) + " Cases, " + std::to_string(options.silence) +
                            " of the fixed variant",
                   .seeds = static_cast<std::int64_t>(options.seeds)};
  for (const Trial& trial : trials) board.scores.push_back(score_of(trial));
  return board;
}

}  // namespace fixpoint::score
