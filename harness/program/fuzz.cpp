#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <random>

#include "generators/reduce.h"
#include "harness/document/json.h"
#include "harness/program/limits.h"
#include "harness/program/program.h"
#include "harness/program/record.h"
#include "harness/program/regressions.h"
#include "harness/program/run_folder.h"
#include "harness/program/run_history.h"
#include "harness/program/subjects.h"
#include "reports/escape.h"
#include "reports/events.h"
#include "reports/text.h"

namespace fixpoint::program {

namespace {

std::atomic<bool> interrupted{false};
void on_interrupt(int) { interrupted = true; }

/// Of one pass of reductions, and of one finding, where webhooks outside are called.
constexpr double kShrinkSecondsMax = 10;
constexpr std::size_t kOutsideShrinkTriesMax = 2000;
/// Of the time of a run: what learning from webhooks outside may take.
constexpr double kShareOfLearning = 0.25;

struct FuzzOptions {
  std::vector<std::string> subjects = {};
  std::optional<std::uint64_t> seed = {};
  std::optional<std::uint64_t> cases = {};
  std::string time = "60s";
  std::string out = "run";
  std::string fail_on = "warning";
  int jobs = 0;
  std::uint64_t sample_every = 16;
  bool json = false;
  bool quiet = false;
  std::vector<std::string> reports = {};
  std::string history = {};
  OutsideOptions outside = {};
};

/// Writes every event to the run's folder first, then prints it.
class Reporter : public runner::Listener {
 public:
  Reporter(const FuzzOptions& options, RunFolder& folder, const Outside& outside)
      : options_(options), folder_(folder), outside_(outside) {}

  void emit(const Value& event) {
    if (auto error = folder_.append(event)) lose(*error);
    if (options_.json)
      std::cout << reports::json_without_commands(document::write_json(event)) << "\n" << std::flush;
  }
  void print(const std::string& text) {
    if (!options_.json && !options_.quiet) std::cout << text << std::flush;
  }
  void print_paragraph(const std::string& text) {
    if (!options_.json && !options_.quiet) std::cout << '\n' << text << std::flush;
  }
  void found(const cases::Finding& finding) override {
    auto saved = folder_.save(finding);
    if (!saved) return lose(saved.error());
    emit(reports::finding_event(finding));
    clear_progress();
    print_paragraph(reports::finding_text(
        finding, invoked_as() + " replay " + *saved + outside_.flags_to_replay(finding.value)));
  }
  void noted(const cases::Finding& finding) override { emit(reports::note_event(finding)); }
  void progress(const runner::RunSummary& summary, double seconds) override {
    if (options_.quiet || isatty(STDERR_FILENO) == 0) return;
    std::fprintf(stderr, "\r%llu Cases, %.0f/s, reinvoked %.0f%%, refused %.0f%%, %zu findings ",
                 static_cast<unsigned long long>(summary.cases), static_cast<double>(summary.cases) / seconds,
                 share(summary.reinvoked, summary.cases), share(summary.rejected, summary.cases),
                 summary.findings.size());
    std::fflush(stderr);
    shows_progress_ = true;
  }
  void clear_progress() {
    if (shows_progress_) std::fputs("\r\033[K", stderr);
    shows_progress_ = false;
  }
  bool lost() const { return lost_; }

 private:
  static double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  }
  void lose(const document::Error& error) {
    if (!lost_) std::fprintf(stderr, "fixpoint: %s\n", error.text().c_str());
    lost_ = true;
    interrupted = true;
  }

  const FuzzOptions& options_;
  RunFolder& folder_;
  const Outside& outside_;
  bool lost_ = false;
  bool shows_progress_ = false;
};

/// Reduces within bounds of its own: a webhook outside may take its whole timeout for every try.
runner::Reduce patient_reduce() {
  return [](cases::Case value, const std::function<bool(const cases::Case&)>& take) {
    const double end = now() + kShrinkSecondsMax;
    generators::reduce(std::move(value), [&](const cases::Case& candidate) {
      return now() < end && !interrupted.load() && take(candidate);
    });
  };
}

runner::RunOptions run_options(const FuzzOptions& options, const Subjects& subjects, const Outside& outside,
                               double seconds) {
  runner::RunOptions run = run_of(subjects);
  run.seed = *options.seed;
  run.cases_max = options.cases;
  run.seconds_max = seconds;
  run.jobs = options.jobs;
  run.sample_every = std::max<std::uint64_t>(options.sample_every, 1);
  if (!subjects.has_files) {
    run.draw_anew = [names = options.subjects, outside] {
      return draw_of(find_subjects(names, outside).value());
    };
  }
  run.limits = outside.limits();
  if (subjects.calls_out) {
    run.reduce = patient_reduce();
    run.look_every = 1;
    run.limits.shrink_tries_max = std::min(run.limits.shrink_tries_max, kOutsideShrinkTriesMax);
  }
  run.resolve = outside.resolve();
  run.interrupted = [] { return interrupted.load(); };
  return run;
}

/// The run's end is also that of calls to the outside; a call that has begun takes its time.
void end_calls_with(const runner::RunOptions& run, double end, const Outside& outside) {
  outside.watch().stop_when(
      [end, bounded = run.seconds_max > 0] { return interrupted.load() || (bounded && now() >= end); });
}

/// With the limits that are not the default ones, too.
Value with_other_limits(Value start, const Limits& limits) {
  for (const NamedLimit& limit : named_limits()) {
    const std::string text = value_of(limits, limit);
    if (text != value_of({}, limit)) start.edit("limits").set(std::string(limit.name), Value::number(text));
  }
  return start;
}

/// What calls to the outside came to, which no equal seed repeats; whether one was too slow.
bool account_for(const Outside& outside) {
  const std::string slow = account_of(outside.watch().timed());
  std::fputs((outside.account() + slow).c_str(), stderr);
  return !slow.empty();
}

/// The stored regressions of the subjects, with the releases under test put in; whether one of them still
/// fails.
Result<bool> replay_regressions(const Subjects& subjects, const Outside& outside, Reporter& reporter) {
  auto regressions = read_regressions(corpus_folder());
  if (!regressions) return std::move(regressions).error();
  bool failing = false;
  for (const Regression& regression : *regressions) {
    for (const std::string& subject : subjects.names()) {
      const cases::Finding finding = with_release(regression.finding, subject);
      if (!concerns(finding, subject)) continue;
      const std::string answer = replay_answer(finding, outside.resolve(), outside.limits());
      failing = failing || answer == "still failing";
      reporter.emit(reports::regression_event(regression.file, answer));
      reporter.print("regression " + regression.file + " with " + subject + ": " + answer + "\n");
    }
  }
  return failing;
}

int finish(const FuzzOptions& options, const runner::RunSummary& summary, Reporter& reporter,
           RunFolder& folder, bool regression_fails) {
  bool failed = regression_fails;
  for (const runner::Gate& gate : summary.gates) {
    reporter.emit(reports::gate_event(gate));
    failed = failed || (gate.judged && !gate.held);
  }
  const Value stop = reports::stop_event(summary);
  reporter.emit(stop);
  if (auto problem = folder.finish(stop)) {
    std::fprintf(stderr, "fixpoint: %s\n", problem->text().c_str());
    return kUnfinished;
  }
  reporter.print_paragraph(reports::summary_text(summary));
  if (reporter.lost()) return kUnfinished;
  if (summary.why == "interrupted") return kInterrupted;
  if (summary.cases == 0 && options.cases != 0) {
    std::fputs("fixpoint: the time was over before one Case was examined\n", stderr);
    return kUnfinished;
  }
  for (const cases::Finding& finding : summary.findings) {
    failed = failed || options.fail_on == "warning" || finding.severity == "error";
  }
  return failed ? kFound : kNothingFound;
}

/// Retries what the history knows of the subjects; whether one of it still fails.
bool retry_history(const reports::History& history, const Subjects& subjects, const Outside& outside,
                   Reporter& reporter) {
  bool failing = false;
  for (const auto& [finding, answer] : retry_known(history, subjects.names(), outside.resolve())) {
    failing = failing || answer == "still failing" || answer == "flaky";
    reporter.emit(reports::retry_event(finding, answer));
    reporter.print("known failure " + finding.fingerprint + " with " +
                   reports::printable(reports::subject_of(finding)) + ": " + answer + "\n");
  }
  return failing;
}

/// What is left behind when a run is over: its line in the history, and its reports. Webhooks outside are not
/// called any more: the time of the run is over.
std::optional<document::Error> leave(const FuzzOptions& options, const std::vector<ReportOrder>& orders) {
  if (orders.empty() && options.history.empty()) return std::nullopt;
  auto record = read_run(options.out, {.resolve = bundled()});
  if (!record) return record.error();
  if (!options.history.empty()) {
    if (auto problem = append_run(options.history, options.out)) return problem;
    const auto history = read_history_file(options.history);
    if (!history) return history.error();
    reports::tell_history(*record, *history);
  }
  return write_reports(*record, orders);
}

/// Says what was passed over and learns; an exit code when a subject cannot be reached.
std::optional<int> prepare_subjects(Subjects& subjects, const Outside& outside, std::uint64_t seed,
                                    double seconds) {
  for (const std::string& note : subjects.notes)
    std::fprintf(stderr, "fixpoint: %s\n", reports::printable(note).c_str());
  const auto problem = learn_from_calls(subjects, outside, seed, seconds * kShareOfLearning);
  if (!problem) return std::nullopt;
  std::fprintf(stderr, "fixpoint: %s\n", problem->text().c_str());
  return kUnfinished;
}

}  // namespace

int fuzz(const Arguments& arguments) {
  FuzzOptions options;
  Options line(
      "fuzz",
      "Draws Cases, runs them through the API server's mutating admission, checks all properties and "
      "shrinks what fails. For a reconciler it draws Sequences of commands.",
      "  fixpoint fuzz\n  fixpoint fuzz kserve/modelcar@0.12.0 --time 30s\n"
      "  fixpoint fuzz kserve/metrics-aggregator --seed 77 --cases 3000 --json\n"
      "  fixpoint fuzz kserve/hpa@0.15.0 --time 10s\n"
      "  fixpoint fuzz manifest.yaml --webhook inject.example.io=https://127.0.0.1:9443/mutate --ca ca.pem\n"
      "  fixpoint fuzz manifest.yaml --webhook 'inject.example.io=exec:./my-webhook --stdio'");
  line.positionals("SUBJECT", options.subjects,
                   "names from `fixpoint list`, files of webhook configurations or Subjects; default: the "
                   "newest of every injector");
  line.value("--seed", options.seed, "of all decisions; a random one is printed when none is given");
  line.value("--cases", options.cases, "stop after so many Cases (then equal seeds give equal bytes)");
  line.value("--time", options.time, "stop after so long, 0 for no bound (default 60s)");
  line.value("--jobs", options.jobs, "threads (default: all cores); the events do not depend on it");
  line.value("--sample-every", options.sample_every,
             "ask everything of every so many Cases (default 16), and of those that do something new");
  line.value("--out", options.out, "the run's folder (default run/); a complete earlier run moves to run.1/");
  line.value("--fail-on", options.fail_on, "warning (default) or error: what makes exit code 1");
  line.flag("--json", options.json, "NDJSON events on standard output");
  line.flag("--quiet", options.quiet, "no text, no progress");
  line.value("--history", options.history,
             "a file of runs: its known failures are retried first, this run is appended");
  line.value("--report", options.reports, "FORMAT=FILE, repeatable: the run as `fixpoint report` writes it");
  options.outside.add_to(line);
  if (const auto code = line.parse(arguments)) return *code;
  if (options.fail_on != "warning" && options.fail_on != "error")
    return bad_input("--fail-on is warning or error");
  const auto orders = read_orders(options.reports);
  if (!orders) return bad_input(orders.error());
  const auto seconds = parse_duration(options.time);
  if (!seconds) return bad_input("--time " + options.time + ": expected a duration such as 30s, 5m or 2h");
  if (options.jobs == 0) options.jobs = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  if (!options.seed) options.seed = std::random_device{}();
  const auto history = options.history.empty() ? Result<reports::History>(reports::History{})
                                               : read_history_file(options.history);
  if (!history) return bad_input(history.error());
  const auto outside = Outside::of(options.outside);
  if (!outside) return bad_input(outside.error());
  auto subjects = find_subjects(options.subjects, *outside);
  if (!subjects) return bad_input(subjects.error());
  const double begin = now(), bound = options.cases && options.time == "60s" ? 0 : *seconds;
  if (const auto problem = prepare_subjects(*subjects, *outside, *options.seed, bound)) return *problem;
  auto folder = RunFolder::open(options.out);
  if (!folder) {
    std::fprintf(stderr, "fixpoint: %s\n", folder.error().text().c_str());
    return kUnfinished;
  }
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  Reporter reporter(options, *folder, *outside);
  runner::RunOptions run = run_options(options, *subjects, *outside, bound);
  if (subjects->calls_out && bound > 0) run.seconds_max = std::max(bound - (now() - begin), 1e-3);
  end_calls_with(run, begin + bound, *outside);
  reporter.emit(with_other_limits(reports::start_event(run, FIXPOINT_VERSION), run.limits));
  reporter.print("seed " + std::to_string(run.seed) + "\n");
  const bool known_fails = retry_history(*history, *subjects, *outside, reporter);
  // What answers outside is no bundled release.
  const auto regression_fails =
      subjects->calls_out ? Result<bool>(false) : replay_regressions(*subjects, *outside, reporter);
  if (!regression_fails) return bad_input(regression_fails.error());
  const runner::RunSummary summary = runner::run(run, reporter);
  reporter.clear_progress();
  const bool is_slow = account_for(*outside) && options.fail_on == "warning";
  const int code = finish(options, summary, reporter, *folder, *regression_fails || known_fails || is_slow);
  const auto problem = leave(options, *orders);
  if (!problem) return code;
  std::fprintf(stderr, "fixpoint: %s\n", problem->text().c_str());
  return kUnfinished;
}

}  // namespace fixpoint::program
