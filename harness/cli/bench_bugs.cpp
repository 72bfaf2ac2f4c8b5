#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

#include "corpus/corpus_files.h"
#include "harness/cli/command.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/options.h"
#include "harness/cli/subject_names.h"
#include "harness/document/fields.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"
#include "harness/measure/bug_hunt.h"
#include "harness/measure/scoreboard_file.h"
#include "harness/runner/shrink.h"
#include "reports/scoreboard.h"
#include "reports/text.h"

namespace fixpoint::cli {

namespace {

using reports::BugScore;
using reports::Scoreboard;

/// Of the run over the fixed twin; the hunts have the seeds 1, 2, 3, …
constexpr std::uint64_t kSilenceSeed = 1000;
constexpr std::uint64_t kSeedsMax = 999;

struct BoardOptions {
  std::vector<std::string> names = {};
  std::uint64_t seeds = 20;
  std::uint64_t silence = 10'000;
  std::uint64_t cases = 20'000;
  int jobs = 0;
  bool saves = false;
  bool json = false;
  std::string check = {};
};

/// What one bug's tasks left behind; each task writes its own place.
struct Trial {
  measure::Bug bug;
  std::vector<measure::Hunt> hunts;
  measure::Silence silence = {};
  std::size_t tasks_left = 0;
};

using Task = std::function<void()>;

/// Does all tasks on so many threads, until it is interrupted; the results do not depend on who does which.
void share_out(int jobs, const std::vector<Task>& tasks) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next.fetch_add(1); i < tasks.size() && !is_interrupted(); i = next.fetch_add(1))
      tasks[i]();
  };
  std::vector<std::thread> helpers;
  for (int job = 1; job < jobs; ++job) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
}

/// All trials that came to their end.
std::vector<Trial> try_all(const std::vector<measure::Bug>& bugs, const BoardOptions& options) {
  std::vector<Trial> trials;
  for (const measure::Bug& bug : bugs)
    trials.push_back({.bug = bug, .hunts = std::vector<measure::Hunt>(options.seeds)});
  std::vector<Task> tasks;
  std::mutex mutex;
  const auto add = [&](Trial& trial, const Task& task) {
    ++trial.tasks_left;
    tasks.emplace_back([&, task] {
      task();
      const std::lock_guard lock(mutex);
      if (!is_interrupted()) --trial.tasks_left;
    });
  };
  for (Trial& trial : trials) {
    if (options.silence > 0) {
      add(trial, [&] {
        trial.silence =
            measure::listen(trial.bug, bundled_run, kSilenceSeed, options.silence, is_interrupted).value();
      });
    }
    for (std::uint64_t i = 0; i < options.seeds; ++i) {
      add(trial, [&, i] {
        trial.hunts[i] = measure::hunt(trial.bug, bundled_run, i + 1, options.cases, is_interrupted).value();
      });
    }
  }
  share_out(options.jobs, tasks);
  std::erase_if(trials, [](const Trial& trial) { return trial.tasks_left > 0; });
  return trials;
}

std::int64_t size_of(const cases::Finding& finding) {
  return static_cast<std::int64_t>(finding.sequence ? finding.sequence->steps.size()
                                                    : runner::leaves(finding.value.request.object));
}

BugScore score_of(const Trial& trial) {
  BugScore score{.name = trial.bug.name,
                 .subject = trial.bug.subject,
                 .fixed = trial.bug.fixed,
                 .property = trial.bug.property,
                 .seeds = static_cast<std::int64_t>(trial.hunts.size()),
                 .is_sequence = trial.bug.is_sequence,
                 .silent_cases = static_cast<std::int64_t>(trial.silence.cases),
                 .silent_fully_asked = static_cast<std::int64_t>(trial.silence.fully_asked),
                 .false_alarms = static_cast<std::int64_t>(trial.silence.alarms.size())};
  std::vector<std::int64_t> cases, milliseconds, sizes, webhooks;
  for (const measure::Hunt& one : trial.hunts) {
    for (const std::string& other : one.others) ++score.others[other];
    if (!one.finding) continue;
    ++score.found;
    ++score.verdicts[one.finding->verdict.empty() ? "none" : one.finding->verdict];
    cases.push_back(one.finding->found.cases);
    milliseconds.push_back(one.milliseconds);
    sizes.push_back(size_of(*one.finding));
    webhooks.push_back(static_cast<std::int64_t>(one.finding->value.webhooks.size()));
  }
  score.cases = reports::spread_of(std::move(cases));
  score.milliseconds = reports::spread_of(std::move(milliseconds));
  score.size = reports::spread_of(std::move(sizes));
  score.webhooks = reports::spread_of(std::move(webhooks));
  return score;
}

/// The bugs of these names, or all; an error for a name that none has.
Result<std::vector<measure::Bug>> chosen(const std::vector<std::string>& names) {
  auto bugs = measure::known_bugs(corpus::corpus_folder());
  if (!bugs || names.empty()) return bugs;
  std::vector<std::string_view> known;
  for (const measure::Bug& bug : *bugs) known.push_back(bug.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return document::Error{"there is no bug \"" + name + "\"" + document::did_you_mean_suffix(name, known)};
    }
  }
  std::erase_if(*bugs, [&](const measure::Bug& bug) {
    return std::find(names.begin(), names.end(), bug.name) == names.end();
  });
  return bugs;
}

/// Says what is lost, and what a fixed twin showed.
int check(const Scoreboard& committed, const Scoreboard& fresh, const std::vector<Trial>& trials,
          const BoardOptions& options) {
  const auto lost = reports::losses(committed, fresh, !options.names.empty() || is_interrupted());
  for (const std::string& line : lost) std::printf("LOST   %s\n", line.c_str());
  for (const Trial& trial : trials) {
    for (const cases::Finding& alarm : trial.silence.alarms)
      std::printf("ALARM  %s: %s\n", alarm.property.c_str(),
                  document::printable(alarm.evidence.because).c_str());
  }
  if (lost.empty() && !is_interrupted()) {
    std::printf("%zu bugs over %llu seeds: nothing lost against %s\n", fresh.bugs.size(),
                static_cast<unsigned long long>(options.seeds), options.check.c_str());
  }
  return lost.empty() ? kNothingFound : kFound;
}

/// What was found out so far stands there.
int cut_short(std::size_t tried, std::size_t bugs, const BoardOptions& options) {
  std::fflush(stdout);
  std::fprintf(stderr, "fixpoint: interrupted: %zu of %zu bugs were tried%s\n", tried, bugs,
               options.saves ? "; nothing is written" : "");
  return kInterrupted;
}

/// Whether the run met what a committed scoreboard must say.
bool is_perfect(const Scoreboard& board) {
  return std::all_of(board.bugs.begin(), board.bugs.end(),
                     [](const BugScore& bug) { return bug.found == bug.seeds && bug.false_alarms == 0; });
}

std::optional<int> parse(const Arguments& arguments, BoardOptions& options) {
  Options line("bench bugs",
               "The harness's own score: every planted defect and every fixed failure of a release, searched "
               "for as `fuzz` would, and then its fixed twin, on which nothing may be found.",
               "  fixpoint bench bugs\n  fixpoint bench bugs --save\n"
               "  fixpoint bench bugs --check corpus/scoreboard.json --seeds 3 --silence 300\n"
               "  fixpoint bench bugs defects/timestamp --seeds 5");
  line.positionals("BUG", options.names, "names from the scoreboard; default: all");
  line.value("--seeds", options.seeds, "searches for each bug (default 20)");
  line.value("--silence", options.silence, "Cases drawn for each fixed twin (default 10000)");
  line.value("--cases", options.cases, "Cases after which a search gives up (default 20000)");
  line.value("--jobs", options.jobs, "threads (default: all cores); the scores do not depend on it");
  line.value("--check", options.check, "compare with this scoreboard: exit code 1 for anything lost");
  line.flag("--save", options.saves, "write corpus/scoreboard.json and corpus/scoreboard.md");
  line.flag("--json", options.json, "the scoreboard as JSON instead of a table");
  if (const auto code = line.parse(arguments)) return *code;
  if (options.seeds < 1 || options.seeds > kSeedsMax)
    return bad_input("--seeds: expected 1 to " + std::to_string(kSeedsMax));
  if (options.cases < 1) return bad_input("--cases: expected at least 1");
  if (options.saves && !options.names.empty()) return bad_input("--save writes the scores of all bugs");
  if (options.jobs == 0) options.jobs = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  return std::nullopt;
}

}  // namespace

int bench_bugs(const Arguments& arguments) {
  BoardOptions options;
  if (const auto code = parse(arguments, options)) return *code;
  const auto bugs = chosen(options.names);
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
  const std::vector<Trial> trials = try_all(*bugs, options);
  Scoreboard board{.seeds = static_cast<std::int64_t>(options.seeds),
                   .silence = static_cast<std::int64_t>(options.silence),
                   .cases_max = static_cast<std::int64_t>(options.cases)};
  for (const Trial& trial : trials) board.bugs.push_back(score_of(trial));
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
  return is_perfect(board) ? kNothingFound : kFound;
}

}  // namespace fixpoint::cli
