#include "harness/campaign/fuzz_run.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <variant>

#include "corpus/regression.h"
#include "generators/draw.h"
#include "generators/learn_calls.h"
#include "generators/schema_values.h"
#include "harness/campaign/known_findings.h"
#include "harness/campaign/learned_lines.h"
#include "harness/campaign/merge_runs.h"
#include "harness/campaign/run_folder.h"
#include "harness/campaign/run_headline.h"
#include "harness/campaign/run_history.h"
#include "harness/campaign/run_reporter.h"
#include "harness/cases/kind.h"
#include "harness/cases/minors.h"
#include "harness/cases/redaction.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/cut.h"
#include "harness/document/json.h"
#include "harness/document/named_limits.h"
#include "harness/document/printable.h"
#include "harness/document/shell_word.h"
#include "harness/external/backends/call_monitor.h"
#include "harness/external/backends/first_question.h"
#include "harness/external/backends/stored_case.h"
#include "harness/properties/contract.h"
#include "harness/runner/clock.h"
#include "harness/runner/diagnosis/problems.h"
#include "harness/runner/learning/subject.h"
#include "harness/runner/loop/run_time.h"
#include "reports/events.h"
#include "reports/first_screen.h"
#include "reports/history_page.h"
#include "reports/text.h"

namespace fixpoint::campaign {

using document::Error;
using document::Result;
using document::Value;

namespace {

/// Limits on the reductions and the tries for one finding when external webhooks are called: each
/// try may take a webhook's whole timeout.
constexpr double kShrinkSecondsMax = 15, kShareOfShrinking = 0.4;
constexpr std::size_t kOutsideShrinkTriesMax = 2000;
/// More candidates at a time are mostly wasted calls: the first that holds ends the others.
constexpr std::size_t kCandidatesTogether = 4;
/// The share of a run's time, and the seconds, that naming its last findings may add.
constexpr double kShareOfNaming = 0.5, kNamingSecondsMax = 5;
/// The time after a run with a bound in which the calls of its findings are repeated for its reports.
constexpr double kReportSeconds = 0.5;

double naming_seconds(const FuzzOptions& options) {
  return std::min(kNamingSecondsMax, options.seconds_max * kShareOfNaming);
}

runner::RunOptions run_options(const FuzzOptions& options, const generators::Subjects& subjects,
                               const external::ExternalWebhooks& webhooks,
                               const generators::FindSubjects& find_subjects) {
  runner::RunOptions run = generators::run_of(subjects, webhooks);
  run.drawing.seed = options.shard ? runner::mix(options.seed, options.shard->index) : options.seed;
  run.effort.cases_max = options.cases;
  run.effort.seconds_max = options.seconds_max;
  run.effort.jobs = generators::calls_urls(subjects) ? webhooks.connections(options.jobs) : options.jobs;
  if (generators::calls_urls(subjects)) run.effort.candidates_together = kCandidatesTogether;
  run.effort.acted_min = options.acted_min;
  if (options.seconds_max > 0) run.effort.naming_seconds_max = naming_seconds(options);
  run.subjects.not_simulated = subjects.not_simulated;
  run.effort.sample_every = std::max<std::uint64_t>(options.sample_every, 1);
  if (!subjects.has_files) {
    run.drawing.draw_anew = [names = options.subjects, webhooks, find_subjects] {
      return generators::draw_of(find_subjects(names, webhooks).value(), webhooks.bundled());
    };
  }
  run.effort.limits = webhooks.limits();
  if (subjects.calls_out) {
    run.effort.shrink_seconds_max = options.seconds_max > 0
                                        ? std::min(kShrinkSecondsMax, options.seconds_max * kShareOfShrinking)
                                        : kShrinkSecondsMax;
    run.effort.look_every = 1;
    run.effort.adapts_to_pace = options.seconds_max > 0 && !options.cases;
    run.effort.limits.shrink_tries_max = std::min(run.effort.limits.shrink_tries_max, kOutsideShrinkTriesMax);
  }
  run.from = options.from.state;
  if (options.problems_max > 0) {
    // The findings of one cause are one problem; all of them are shrunk and explained before the run ends.
    run.hooks.is_enough = [ids = std::make_shared<std::set<std::string>>(),
                           most = options.problems_max](const cases::Finding& finding) {
      ids->insert(runner::problem_id(finding));
      return ids->size() >= most;
    };
  }
  return run;
}

/// Ends calls to external webhooks with the run, those for its last findings later; a call that has begun is
/// not interrupted.
void end_calls_with(const runner::RunOptions& run, double end, const external::ExternalWebhooks& webhooks,
                    FuzzObserver& observer) {
  // The monitor calls these handlers only during the run's lifetime.
  webhooks.monitor().stop_when(
      [end, bounded = run.effort.seconds_max > 0, later = run.effort.naming_seconds_max, &observer] {
        if (observer.is_interrupted()) return true;
        return bounded && runner::now() >= end + (runner::Naming::is_here() ? later : 0);
      });
}

/// Adds the limits that differ from the defaults.
Value with_other_limits(Value start, const Limits& limits) {
  for (const document::NamedLimit& limit : document::named_limits()) {
    const std::string text = document::value_of(limits, limit);
    if (text != document::value_of({}, limit))
      start.edit("limits").set(std::string(limit.name), Value::number(text));
  }
  return start;
}

/// Reports the account of external calls, which differs between runs of one seed: how many were made in the
/// seconds of a run with a bound, too. Returns true if a webhook was too slow.
bool account_for(const external::ExternalWebhooks& webhooks, double seconds, FuzzObserver& observer) {
  const auto timed = webhooks.monitor().timed();
  const std::string slow = external::account_of(timed);
  observer.account(webhooks.account() + slow + external::rate_of(timed, seconds));
  return !slow.empty();
}

/// Replays the stored regressions and reports those whose answers differ from the release before.
reports::Replayed replay_regressions(const FuzzOptions& options, const KnownFindings& stored,
                                     const external::ExternalWebhooks& webhooks, RunReporter& reporter) {
  reports::Replayed replayed{.all = stored.regressions.size()};
  for (const auto& one : stored.regressions) {
    const std::string answer = text_of(answer_in_time(one.finding, external::replay_with(webhooks)));
    const bool fails = answer == "still failing";
    replayed.failing += fails ? 1 : 0;
    const std::string name = std::filesystem::path(one.file).stem().string();
    if (runner::is_fixed(answer) && one.before_shows) replayed.fixed.push_back(name + " since " + one.before);
    if (fails && one.before_is_silent) replayed.again.push_back(name + " since " + one.before);
    reporter.emit(reports::regression_event(one.file, answer));
    if (options.prints_all)
      reporter.observer().print("regression " + one.file + " with " + one.subject + ": " + answer + "\n");
  }
  return replayed;
}

/// Says what was learned of the subjects' programs.
void tell_learned(const std::vector<runner::Subject>& subjects, bool all, FuzzObserver& observer) {
  for (const runner::Subject& subject : subjects) observer.print(learned_lines(subject, all));
}

/// Says what was tried with subjects that come from files, and what would help them.
void tell_tried(const std::vector<runner::Subject>& subjects, const runner::RunSummary& summary,
                FuzzObserver& observer) {
  if (runner::missing_verdicts(summary).empty() || summary.cases == 0) return;
  for (const runner::Subject& subject : subjects)
    if (generators::calls_out(subject)) observer.paragraph(tried_lines(subject));
}

/// Returns the exit code of a run without failures. The run has no verdict if a subject never acted or a
/// vacuity check failed.
ExitCode code_without_findings(const runner::RunSummary& summary, FuzzObserver& observer) {
  for (const std::string& sentence : runner::missing_verdicts(summary))
    observer.complain("no verdict: " + document::printable(sentence));
  for (const runner::VacuityCheck& check : summary.vacuity_checks) {
    if (check.judged && !check.held)
      observer.complain("no verdict: it was never seen that " + document::printable(check.name));
  }
  return runner::is_vacuous(summary) ? kUnfinished : kNothingFound;
}

ExitCode finish(const FuzzOptions& options, const runner::RunSummary& summary,
                const reports::FirstScreen& screen, RunReporter& reporter, RunFolder& folder,
                bool has_failed) {
  for (const cases::Problem& problem : screen.problems)
    reporter.emit(reports::problem_event(problem, cases::known_as(problem, screen.known)));
  for (const runner::VacuityCheck& check : summary.vacuity_checks)
    reporter.emit(reports::vacuity_check_event(check));
  for (const runner::Observed& observed : summary.observations)
    reporter.emit(reports::observation_event(observed));
  reporter.write_last_checkpoint();
  const Value stop = reports::stop_event(summary);
  reporter.emit(stop);
  FuzzObserver& observer = reporter.observer();
  if (auto problem = folder.finish(stop)) {
    observer.complain(problem->text());
    return kUnfinished;
  }
  if (options.prints_all) {
    observer.paragraph(reports::summary_text(summary));
    if (!summary.observations.empty()) observer.paragraph(reports::observations_text(summary));
  } else {
    observer.paragraph(reports::first_screen(screen));
  }
  observer.print(reports::resume_line(screen));
  if (reporter.is_lost()) return kUnfinished;
  if (summary.why == "interrupted") return kInterrupted;
  if (summary.cases == 0 && options.cases != 0) {
    observer.complain("the time was over before one Case was examined");
    return kUnfinished;
  }
  for (const cases::Finding& finding : summary.findings)
    has_failed = has_failed || options.fails_on_warnings || finding.severity == "error";
  return has_failed ? kFound : code_without_findings(summary, observer);
}

/// Replays the known failures of the history; returns true if one of them still fails.
bool retry_history(const KnownFindings& stored, const runner::ReplayWith& with, RunReporter& reporter) {
  bool failing = false;
  for (const reports::RetryAnswer& one : retry(stored.known, with)) {
    failing = failing || reports::is_failing(one);
    reporter.emit(reports::retry_event(one.finding, one.answer));
    reporter.observer().print("known failure " + one.finding.fingerprint + " with " +
                              document::printable(reports::subject_of(one.finding) + ": " + one.answer) +
                              "\n");
  }
  return failing;
}

/// Writes what a finished run leaves behind: its line in the history, and its reports. External webhooks are
/// no longer called, because the time of the run is over.
std::optional<Error> leave_behind(const FuzzOptions& options, const external::ExternalWebhooks& webhooks) {
  if (options.reports.empty() && options.history.empty()) return std::nullopt;
  const bool is_bounded = options.seconds_max > 0;
  auto record = read_run(options.out, {.resolve = webhooks.bundled().resolve,
                                       .is_over = [is_bounded, end = runner::now() + kReportSeconds] {
                                         return is_bounded && runner::now() >= end;
                                       }});
  if (!record) return record.error();
  if (!options.history.empty()) {
    if (auto problem = append_run(options.history, options.out, options.from.id, options.reports))
      return problem;
    const auto history = read_history_file(options.history);
    if (!history) return history.error();
    reports::tell_history(*record, *history);
  }
  return write_reports(*record, options.reports);
}

/// Returns the path relative to the current folder if the file is below it, because a repository names the
/// file that way.
std::string local_path(const std::string& file) {
  std::error_code problem;
  const auto here = std::filesystem::current_path(problem), path = (here / file).lexically_normal();
  const auto local = path.lexically_relative(here);
  return problem || local.empty() || *local.begin() == ".." ? path.string() : local.string();
}

/// Returns the first event, which contains everything that determines the run.
Value start_of(const FuzzOptions& options, const runner::RunOptions& run,
               const generators::Subjects& subjects) {
  Value start = with_other_limits(reports::start_event(run, FIXPOINT_VERSION), run.effort.limits);
  for (const auto& [configuration, file] : subjects.files) {
    if (!start["files"].is_object()) start.set("files", Value::empty_object());
    start.edit("files").set(configuration, local_path(file));
  }
  for (const runner::Subject& subject : subjects.chains.subjects) {
    if (subject.learned_from.empty()) continue;
    if (!start["learned"].is_object()) start.set("learned", Value::empty_object());
    start.edit("learned").set(std::string(subject.configuration["metadata"]["name"].text()),
                              subject.learned_from);
  }
  if (options.shard) {
    start.set("shard", {{"index", Value::number(std::to_string(options.shard->index))},
                        {"count", Value::number(std::to_string(options.shard->count))},
                        {"seed", Value::number(std::to_string(options.seed))}});
  }
  return start;
}

/// Returns an error if the stored run in the folder began differently than this one would.
std::optional<Error> compare_starts(const Checkpoint& checkpoint, const Value& start,
                                    const std::string& folder) {
  if (checkpoint.start.is_null() || start == checkpoint.start) return std::nullopt;
  if (auto changed = changed_sources(checkpoint.start, start)) return std::move(*changed).within(folder);
  return Error{"another run: it began with " + document::write_json(checkpoint.start) + ", this would with " +
                   document::write_json(start),
               folder};
}

/// The subjects and the stored findings of a run.
struct Ready {
  generators::Subjects subjects;
  KnownFindings stored;
};

/// The results of replaying the known failures and regressions.
struct Known {
  bool fails = false;
  reports::Replayed regressions = {};  ///< empty if a run is resumed
  std::vector<reports::RetryAnswer> of_last_run = {};
};
/// Reports the start of the run and replays the known failures, unless a resumed run has already done so.
Known begin_run(const FuzzOptions& options, const Value& start, const std::string& headline,
                const Ready& ready, const external::ExternalWebhooks& webhooks, RunReporter& reporter) {
  if (options.from.events_bytes > 0) {
    reporter.observer().event(start);
    reporter.observer().print(headline);
    return {.fails = options.from.regression_fails};
  }
  reporter.round_ended({});
  reporter.emit(start);
  reporter.observer().print(headline);
  runner::ReplayWith with = external::replay_with(webhooks);
  with.configurations = configurations_of(ready.subjects);
  const bool known_fails = retry_history(ready.stored, with, reporter);
  std::vector<cases::Finding> of_last_run;
  for (const auto& one : ready.stored.of_last_run) of_last_run.push_back(one.finding);
  Known known{.of_last_run = retry(of_last_run, with)};
  for (const reports::RetryAnswer& one : known.of_last_run) {
    known.fails = known.fails || reports::is_failing(one);
    reporter.emit(reports::retry_event(one.finding, one.answer));
  }
  known.regressions = replay_regressions(options, ready.stored, webhooks, reporter);
  known.fails = known.fails || known_fails || known.regressions.failing > 0;
  return known;
}

Result<Ready> get_ready(const FuzzOptions& options, const external::ExternalWebhooks& webhooks,
                        const generators::FindSubjects& find_subjects) {
  auto history = options.history.empty() ? Result<reports::History>(reports::History{})
                                         : read_history_file(options.history);
  if (!history) return history.error();
  // A run that was killed after it had appended its line does not know its own problems from there.
  std::erase_if(history->runs, [&](const reports::HistoryRun& run) { return run.id == options.from.id; });
  auto subjects = find_subjects(options.subjects, webhooks);
  if (!subjects) return std::move(subjects).error();
  auto stored =
      read_known(options.history, *history, options.retries ? options.out : "", *subjects, webhooks);
  if (!stored) return std::move(stored).error();
  return Ready{*std::move(subjects), *std::move(stored)};
}

ExitCode complain(FuzzObserver& observer, const Error& error, ExitCode code) {
  observer.complain(error.text());
  return code;
}

reports::FirstScreen screen_of(const FuzzOptions& options, const KnownFindings& stored, const Known& known,
                               const runner::RunSummary& summary, const generators::Subjects& subjects,
                               const external::ExternalWebhooks& webhooks) {
  cases::Case all_webhooks;
  for (const runner::Subject& subject : subjects.chains.subjects)
    all_webhooks.webhooks.insert(subject.webhooks.begin(), subject.webhooks.end());
  auto problems = runner::problems_of(summary.findings);
  auto earlier = earlier_problems(stored, known.of_last_run, problems);
  return {.subjects = subjects.names(),
          .seed = std::to_string(options.seed),
          .summary = summary,
          .problems = std::move(problems),
          .known = stored.names(),
          .regressions = known.regressions,
          .earlier_problems = std::move(earlier),
          .program = options.program,
          .replay_flags =
              [&webhooks](const cases::Finding& finding) { return webhooks.flags_to_replay(finding.value); },
          .folder = options.out,
          .resume_flags = webhooks.flags_to_replay(all_webhooks)};
}

/// Wraps `find_subjects` so that the subjects own these paths, too.
generators::FindSubjects owning(const std::vector<std::string>& paths,
                                const generators::FindSubjects& find_subjects) {
  return [=](const std::vector<std::string>& names, const external::ExternalWebhooks& webhooks) {
    auto found = find_subjects(names, webhooks);
    if (found)
      for (runner::Subject& subject : found->chains.subjects)
        properties::add_owned_paths(subject.configuration, paths);
    return found;
  };
}

/// Draws Pods, or custom resources of the kind; none of another kind.
std::vector<Value> drawn_objects(const runner::Subject& subject, const cases::Kind& kind) {
  constexpr std::uint64_t kSeed = 1, kDrawn = 8;
  std::vector<Value> objects;
  for (std::uint64_t i = 0; i < kDrawn && (kind.is_pod() || kind.is_custom()); ++i) {
    runner::Choices choices(kSeed, i);
    objects.push_back(kind.is_pod() ? generators::draw_pod(choices, {&subject.vocabulary})
                                    : generators::draw_valid_object(choices, kind, cases::kNewestMinor,
                                                                    &subject.vocabulary));
  }
  return objects;
}

/// The results of the first calls of a run.
struct Met {
  std::optional<ExitCode> code = {};  ///< of a run that ends here
  double begin = 0;                   ///< of the run's time: when all have answered
  bool is_one_by_one = false;         ///< a server takes one connection at a time
};
/// Asks the webhooks outside whether they answer, over how many connections, and what they answer.
Met meet(const FuzzOptions& options, generators::Subjects& subjects,
         const external::ExternalWebhooks& webhooks, FuzzObserver& observer) {
  std::size_t notes_shown = 0;
  const auto show_notes = [&] {
    for (; notes_shown < subjects.notes.size(); ++notes_shown)
      observer.complain(document::printable(subjects.notes[notes_shown]));
  };
  show_notes();
  const external::FirstQuestions first(subjects.chains.subjects, webhooks, drawn_objects);
  if (const auto dead = first.ask()) {
    observer.account(dead->words);
    return {.code = complain(observer, dead->error, kUnfinished)};
  }
  const double begin = runner::now();
  const auto one_by_one = first.server_of_one_connection();
  if (one_by_one) {
    webhooks.call_one_by_one();
    observer.complain(document::printable(*one_by_one + " serves one connection at a time: it is called over "
                                                        "one; --connections states another number"));
  }
  if (const auto problem = generators::learn_from_calls(subjects, webhooks, options.seed,
                                                        options.seconds_max * generators::kShareOfLearning))
    return {.code = complain(observer, *problem, kUnfinished)};
  show_notes();
  return {.begin = begin, .is_one_by_one = one_by_one.has_value()};
}

}  // namespace

ExitCode run_fuzz(const FuzzOptions& given, const external::ExternalWebhooks& webhooks,
                  const generators::FindSubjects& all_subjects, FuzzObserver& observer) {
  FuzzOptions options = given;
  // Without a history the folders of equal runs are equal, byte for byte.
  if (options.from.id.empty() && !options.history.empty()) options.from.id = new_run_id();
  const generators::FindSubjects find_subjects = owning(options.owns, all_subjects);
  auto ready = get_ready(options, webhooks, find_subjects);
  if (!ready) return complain(observer, ready.error(), kBadInput);
  generators::Subjects& subjects = ready->subjects;
  const Met met = meet(options, subjects, webhooks, observer);
  if (met.code) return *met.code;
  const double begin = met.begin, bound = options.seconds_max;
  runner::RunOptions run = run_options(options, subjects, webhooks, find_subjects);
  if (met.is_one_by_one) run.effort.jobs = 1;
  const Value start = start_of(options, run, subjects);
  if (const auto problem = compare_starts(options.from, start, options.out))
    return complain(observer, *problem, kBadInput);
  auto opened = options.resumes ? RunFolder::open_again(options.out, options.from.events_bytes)
                                : RunFolder::open(options.out);
  if (const auto* unopened = std::get_if<Unopened>(&opened))
    return complain(observer, unopened->error, unopened->code);
  auto& folder = std::get<RunFolder>(opened);
  observer.begins();
  RunReporter reporter(options, folder, webhooks, start, observer);
  run.hooks.interrupted = [&] { return reporter.is_lost() || observer.is_interrupted(); };
  if (subjects.calls_out && bound > 0)
    run.effort.seconds_max = std::max(bound - (runner::now() - begin), 1e-3);
  end_calls_with(run, begin + bound - run.from.summary.seconds, webhooks, observer);
  Known known;
  {
    const document::Bounded bounded(
        [&] { return observer.is_interrupted() || (bound > 0 && runner::now() - begin > bound); });
    known = begin_run(options, start, headline(options, run, ready->stored), *ready, webhooks, reporter);
    tell_learned(subjects.chains.subjects, options.prints_all, observer);
  }
  runner::RunSummary summary = runner::run(run, reporter);
  summary.fails_on_warnings = options.fails_on_warnings;
  observer.end_progress();
  const double seconds_called = bound > 0 ? runner::now() - begin : 0;
  const bool is_slow = account_for(webhooks, seconds_called, observer) && options.fails_on_warnings;
  if (is_slow) observer.paragraph("FAILED  within-budget: standard error says which webhook was too slow\n");
  const reports::FirstScreen screen = screen_of(options, ready->stored, known, summary, subjects, webhooks);
  const ExitCode code = finish(options, summary, screen, reporter, folder, known.fails || is_slow);
  tell_tried(subjects.chains.subjects, summary, observer);
  if (const auto problem = leave_behind(options, webhooks)) return complain(observer, *problem, kUnfinished);
  return code;
}

}  // namespace fixpoint::campaign
