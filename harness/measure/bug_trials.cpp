#include "harness/measure/bug_trials.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>

#include "corpus/corpus_files.h"
#include "harness/document/fields.h"
#include "harness/measure/tasks.h"
#include "harness/runner/shrink_finding.h"

namespace fixpoint::measure {

using document::Error;
using document::Result;
using reports::BugScore;
using reports::Scoreboard;

namespace {

std::int64_t found_size(const cases::Finding& finding) {
  return static_cast<std::int64_t>(finding.sequence ? finding.sequence->steps.size()
                                                    : runner::scalar_count(finding.value.request.object));
}

/// Returns the repair of the problem with most findings among those that have a repair; empty if none has
/// one.
std::string repair_of(const Trial& trial) {
  const cases::Problem* most = nullptr;
  for (const cases::Problem& problem : trial.grouping.problems)
    if (problem.repair && (most == nullptr || problem.findings.size() > most->findings.size()))
      most = &problem;
  return most == nullptr ? "" : most->repair->kind;
}

BugScore score_of(const Trial& trial) {
  BugScore score{.name = trial.bug.name,
                 .subject = trial.bug.subject,
                 .fixed = trial.bug.fixed,
                 .property = trial.bug.property,
                 .seeds = static_cast<std::int64_t>(trial.hunts.size()),
                 .is_sequence = trial.bug.is_sequence,
                 .silent_cases = static_cast<std::int64_t>(trial.silence.cases),
                 .silent_fully_asked = static_cast<std::int64_t>(trial.silence.all_properties),
                 .false_alarms = static_cast<std::int64_t>(trial.silence.alarms.size() +
                                                           trial.silence.observations.size())};
  std::vector<std::int64_t> cases, milliseconds, sizes, webhooks;
  for (const Hunt& one : trial.hunts) {
    for (const std::string& other : one.others) ++score.others[other];
    if (!one.finding && !one.observation) continue;
    ++score.found;
    cases.push_back(one.cases);
    milliseconds.push_back(one.milliseconds);
    if (!one.finding) {
      ++score.verdicts["observation"];
      continue;
    }
    ++score.verdicts[one.finding->verdict.empty() ? "none" : one.finding->verdict];
    sizes.push_back(found_size(*one.finding));
    webhooks.push_back(static_cast<std::int64_t>(one.finding->value.webhooks.size()));
  }
  score.problems = static_cast<std::int64_t>(trial.grouping.problems.size());
  score.repair = repair_of(trial);
  score.cases = reports::spread_of(std::move(cases));
  score.milliseconds = reports::spread_of(std::move(milliseconds));
  score.size = reports::spread_of(std::move(sizes));
  score.webhooks = reports::spread_of(std::move(webhooks));
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
  Scoreboard board{.seeds = static_cast<std::int64_t>(options.seeds),
                   .silence = static_cast<std::int64_t>(options.silence),
                   .cases_max = static_cast<std::int64_t>(options.cases_max)};
  for (const Trial& trial : trials) board.bugs.push_back(score_of(trial));
  return board;
}

bool is_perfect(const Scoreboard& board) {
  return std::all_of(board.bugs.begin(), board.bugs.end(),
                     [](const BugScore& bug) { return bug.found == bug.seeds && bug.false_alarms == 0; });
}

}  // namespace fixpoint::measure
