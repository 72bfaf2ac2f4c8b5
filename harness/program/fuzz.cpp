#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <random>

#include "harness/cases/redaction.h"
#include "harness/document/json.h"
#include "harness/program/checkpoint.h"
#include "harness/program/interrupt.h"
#include "harness/program/limits.h"
#include "harness/program/program.h"
#include "harness/program/record.h"
#include "harness/program/regressions.h"
#include "harness/program/run_folder.h"
#include "harness/program/run_history.h"
#include "harness/program/standard_output.h"
#include "harness/program/subjects.h"
#include "harness/program/terminal.h"
#include "reports/escape.h"
#include "reports/events.h"
#include "reports/redact.h"
#include "reports/text.h"

namespace fixpoint::program {

using document::Error;

namespace {

/// Of one pass of reductions, and of one finding, where webhooks outside are called: each try may take a
/// webhook's whole timeout.
constexpr double kShrinkSecondsMax = 10, kShareOfShrinking = 0.25;
constexpr std::size_t kOutsideShrinkTriesMax = 2000;
/// Checkpoints are as far apart as makes them a twentieth of the time, and this at least.
constexpr double kCheckpointShare = 0.05, kSecondsBetweenCheckpoints = 0.05;
/// Of the time of a run: what learning from webhooks outside may take.
constexpr double kShareOfLearning = 0.25;

struct FuzzOptions {
  std::vector<std::string> subjects = {};
  std::optional<std::uint64_t> seed = {};
  std::optional<std::uint64_t> cases = {};
  std::string time = "60s";
  std::string out = "run";
  std::string fail_on = "warning";
  std::string shard = {};
  std::string resume = {};
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
  Reporter(const FuzzOptions& options, RunFolder& folder, const Outside& outside, Arguments arguments,
           const Value& start)
      : options_(options),
        folder_(folder),
        outside_(outside),
        arguments_(std::move(arguments)),
        start_(start) {}

  void emit(const Value& event) {
    if (auto error = folder_.append(event)) lose(*error);
    show(event);
  }
  void show(const Value& event) const {
    if (!options_.json) return;
    print_out(reports::json_without_commands(document::write_json(reports::redacted_event(event))) + "\n");
  }
  void print(const std::string& text) {
    if (!options_.json && !options_.quiet) print_out(text);
  }
  void print_paragraph(const std::string& text) {
    if (options_.json || options_.quiet) return;
    print_out("\n" + (has_color(STDOUT_FILENO) ? colored(text) : text));
  }
  void found(const cases::Finding& finding) override {
    auto saved = folder_.save(finding);
    if (!saved) return lose(saved.error());
    emit(reports::finding_event(finding));
    clear_progress();
    print_paragraph(
        reports::finding_text(cases::redacted(finding),
                              invoked_as() + " replay " + *saved + outside_.flags_to_replay(finding.value)));
  }
  void noted(const cases::Finding& finding) override {
    emit(reports::note_event(finding));
    clear_progress();
    print_paragraph(reports::note_text(cases::redacted(finding)));
  }
  void progress(const runner::RunSummary& summary, double seconds) override {
    char text[160];
    std::snprintf(text, sizeof text, "%llu Cases, %.0f/s, reinvoked %.0f%%, refused %.0f%%, %zu findings",
                  static_cast<unsigned long long>(summary.cases),
                  seconds > 0 ? static_cast<double>(summary.cases) / seconds : 0,
                  share(summary.reinvoked, summary.cases), share(summary.rejected, summary.cases),
                  summary.findings.size());
    progress_.show(text, now());
  }
  void round_ended(const runner::RunState& state) override {
    unwritten_ = Checkpoint{
        .arguments = arguments_, .events_bytes = folder_.events_bytes(), .state = state, .start = start_};
    if (now() < checkpoint_at_) return;
    const double begin = now();
    write_last_checkpoint();
    checkpoint_at_ = now() + std::max((now() - begin) / kCheckpointShare, kSecondsBetweenCheckpoints);
  }
  /// That of the last whole round, however fast the machine was: equal runs leave equal checkpoints.
  void write_last_checkpoint() {
    if (!unwritten_) return;
    if (auto error = folder_.checkpoint(write_checkpoint(*unwritten_))) lose(*error);
    unwritten_.reset();
  }
  void clear_progress() { progress_.clear(); }
  bool lost() const { return lost_; }

 private:
  static void print_out(const std::string& text) {
    print_now(text);
    if (is_output_lost()) interrupt_ourselves();  // nobody would hear of what a longer run finds
  }
  static double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  }
  void lose(const Error& error) {
    if (!lost_) std::fprintf(stderr, "fixpoint: %s\n", error.text().c_str());
    lost_ = true;
    interrupt_ourselves();
  }

  const FuzzOptions& options_;
  RunFolder& folder_;
  const Outside& outside_;
  const Arguments arguments_;
  const Value start_;
  std::optional<Checkpoint> unwritten_ = {};
  double checkpoint_at_ = 0;
  bool lost_ = false;
  ProgressLine progress_{!options_.quiet};
};

runner::RunOptions run_options(const FuzzOptions& options, const Subjects& subjects, const Outside& outside,
                               double seconds) {
  runner::RunOptions run = run_of(subjects);
  const auto shard = parse_shard(options.shard);
  run.seed = shard ? runner::mix(*options.seed, shard->index) : *options.seed;
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
    run.shrink_seconds_max =
        seconds > 0 ? std::min(kShrinkSecondsMax, seconds * kShareOfShrinking) : kShrinkSecondsMax;
    run.look_every = 1;
    run.limits.shrink_tries_max = std::min(run.limits.shrink_tries_max, kOutsideShrinkTriesMax);
  }
  run.resolve = outside.resolve();
  run.interrupted = [outside] { return is_interrupted() || !outside.talk().empty(); };
  return run;
}

/// The run's end is also that of calls to the outside; a call that has begun takes its time.
void end_calls_with(const runner::RunOptions& run, double end, const Outside& outside) {
  // Its handlers are called as long as it lives, and no longer.
  outside.watch().stop_when([end, bounded = run.seconds_max > 0, &outside] {
    return is_interrupted() || !outside.talk().empty() || (bounded && now() >= end);
  });
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

/// What is replayed before the first Case is drawn: findings of the subjects, with the releases under test
/// put in, and with nothing outside behind their webhooks that was not allowed.
struct StoredFindings {
  struct OfCorpus {
    std::string file, subject;
    cases::Finding finding;
  };
  std::vector<cases::Finding> known = {};  ///< of the history
  std::vector<OfCorpus> regressions = {};  ///< of the corpus
};

Result<StoredFindings> read_stored(const std::string& history_file, const reports::History& history,
                                   const Subjects& subjects, const Outside& outside) {
  StoredFindings stored;
  const auto admit = [&](cases::Finding& finding, const std::string& file) -> std::optional<Error> {
    auto value = outside.admit(finding.value);
    if (!value) return std::move(value).error().within(file + ": finding " + finding.fingerprint);
    finding.value = *std::move(value);
    return std::nullopt;
  };
  stored.known = known_failures_of(history, subjects.names());
  for (cases::Finding& finding : stored.known)
    if (auto problem = admit(finding, history_file)) return *std::move(problem);
  // A webhook outside the process is no bundled release.
  if (subjects.calls_out) return stored;
  auto regressions = read_regressions(corpus_folder());
  if (!regressions) return std::move(regressions).error();
  for (const Regression& regression : *regressions) {
    for (const std::string& subject : subjects.names()) {
      cases::Finding finding = with_release(regression.finding, subject);
      if (!concerns(finding, subject)) continue;
      if (auto problem = admit(finding, regression.file)) return *std::move(problem);
      stored.regressions.push_back({regression.file, subject, std::move(finding)});
    }
  }
  return stored;
}

/// Replays the stored regressions; returns true if one of them still fails.
bool replay_regressions(const StoredFindings& stored, const Outside& outside, Reporter& reporter) {
  bool failing = false;
  for (const auto& [file, subject, finding] : stored.regressions) {
    const std::string answer = replay_answer(finding, outside.resolve(), outside.limits());
    failing = failing || answer == "still failing";
    reporter.emit(reports::regression_event(file, answer));
    reporter.print("regression " + file + " with " + subject + ": " + answer + "\n");
  }
  return failing;
}

/// The exit code where nothing failed: a subject that never acted, or something that should have happened at
/// least once and did not, leaves the run without a verdict.
int code_without_findings(const runner::RunSummary& summary) {
  for (const std::string& sentence : runner::missing_verdicts(summary))
    std::fprintf(stderr, "fixpoint: no verdict: %s\n", reports::printable(sentence).c_str());
  for (const runner::Gate& gate : summary.gates) {
    if (gate.judged && !gate.held)
      std::fprintf(stderr, "fixpoint: no verdict: it was never seen that %s\n", gate.name.c_str());
  }
  return runner::is_vacuous(summary) ? kUnfinished : kNothingFound;
}

int finish(const FuzzOptions& options, const runner::RunSummary& summary, Reporter& reporter,
           RunFolder& folder, bool regression_fails) {
  bool failed = regression_fails;
  for (const runner::Gate& gate : summary.gates) reporter.emit(reports::gate_event(gate));
  reporter.write_last_checkpoint();
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
  return failed ? kFound : code_without_findings(summary);
}

/// Replays the known failures of the history; returns true if one of them still fails.
bool retry_history(const StoredFindings& stored, const Outside& outside, Reporter& reporter) {
  bool failing = false;
  for (const auto& [finding, answer] : retry(stored.known, outside.resolve())) {
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

/// Takes what a command line says and leaves the rest of the options as they are.
std::optional<int> parse(FuzzOptions& options, const Arguments& arguments) {
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
  line.value("--shard", options.shard,
             "I/N, the share I (from 0) of N runs that `fixpoint corpus merge` joins; needs --seed");
  line.value("--resume", options.resume,
             "the folder of a run that was cut off: it goes on, with the arguments it had");
  line.value("--out", options.out, "the run's folder (default run/); an earlier run moves to run.1/");
  line.value("--fail-on", options.fail_on, "warning (default) or error: what makes exit code 1");
  line.flag("--json", options.json, "NDJSON events on standard output");
  line.flag("--quiet", options.quiet, "no text, no progress");
  line.value("--history", options.history,
             "a file of runs: its known failures are retried first, this run is appended");
  line.value("--report", options.reports, "FORMAT=FILE, repeatable: the run as `fixpoint report` writes it");
  options.outside.add_to(line);
  return line.parse(arguments);
}

/// What the command line and, for --resume, the run's own say; an exit code when that cannot be.
std::optional<int> complete(FuzzOptions& options, Arguments& arguments, Checkpoint& checkpoint) {
  if (const auto code = parse(options, arguments)) return code;
  if (!options.resume.empty()) {
    auto read = read_checkpoint(options.resume);
    if (!read) return bad_input(read.error());
    checkpoint = *std::move(read);
    FuzzOptions resumed;
    if (const auto code = parse(resumed, checkpoint.arguments)) return code;
    // What the checkpoint says was allowed is not allowed here: somebody else may have written it.
    resumed.outside.allow_exec = resumed.outside.allow_remote = false;
    if (const auto code = parse(resumed, arguments)) return code;
    const std::string file = options.resume + "/checkpoint.json";
    if (options.outside.webhooks.empty() && options.outside.services.empty())
      resumed.outside.webhooks_file = file;
    if (options.subjects.empty()) resumed.outside.subjects_file = file;
    options = std::move(resumed);
    options.out = options.resume;
    arguments = checkpoint.arguments;
  }
  if (options.fail_on != "warning" && options.fail_on != "error")
    return bad_input("--fail-on is warning or error");
  if (!options.shard.empty() && !parse_shard(options.shard))
    return bad_input("--shard " + options.shard + ": expected I/N with I from 0 to N - 1, such as 0/4");
  if (!options.shard.empty() && !options.seed)
    return bad_input("--shard needs --seed: the shards of a run share one");
  if (options.jobs == 0) options.jobs = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  if (options.seed) return std::nullopt;
  options.seed = std::random_device{}();
  arguments.insert(arguments.end(), {"--seed", std::to_string(*options.seed)});
  return std::nullopt;
}

/// The first event: what the run is a function of.
Value start_of(const FuzzOptions& options, const runner::RunOptions& run) {
  Value start = with_other_limits(reports::start_event(run, FIXPOINT_VERSION), run.limits);
  if (const auto shard = parse_shard(options.shard)) {
    start.set("shard", {{"index", Value::number(std::to_string(shard->index))},
                        {"count", Value::number(std::to_string(shard->count))},
                        {"seed", Value::number(std::to_string(*options.seed))}});
  }
  return start;
}

std::string headline(const FuzzOptions& options, const runner::RunOptions& run) {
  std::string text = "seed " + std::to_string(*options.seed);
  if (!options.shard.empty()) text += ", shard " + options.shard + ": seed " + std::to_string(run.seed);
  if (run.from.summary.cases > 0) {
    text += ", goes on after " + std::to_string(run.from.summary.cases) + " Cases with " +
            std::to_string(run.from.summary.findings.size()) + " findings";
  }
  return text + "\n";
}

/// An error when the run in the folder began otherwise than this one would.
std::optional<Error> compare_starts(const Checkpoint& checkpoint, const Value& start,
                                    const std::string& folder) {
  if (checkpoint.start.is_null() || start == checkpoint.start) return std::nullopt;
  return Error{"another run: it began with " + document::write_json(checkpoint.start) + ", this would with " +
                   document::write_json(start),
               folder};
}

/// Says how the run begins and replays regressions, as far as the run has not done so; whether one fails.
bool begin_run(const Checkpoint& checkpoint, const Value& start, const std::string& headline,
               const StoredFindings& stored, const Outside& outside, Reporter& reporter) {
  if (checkpoint.events_bytes > 0) {
    reporter.show(start);
    reporter.print(headline);
    return checkpoint.regression_fails;
  }
  reporter.round_ended({});
  reporter.emit(start);
  reporter.print(headline);
  const bool known_fails = retry_history(stored, outside, reporter);
  return replay_regressions(stored, outside, reporter) || known_fails;
}

}  // namespace

int fuzz(const Arguments& given) {
  FuzzOptions options;
  Checkpoint checkpoint;
  Arguments arguments = given;
  if (const auto code = complete(options, arguments, checkpoint)) return *code;
  const auto seconds = parse_duration(options.time);
  if (!seconds) return bad_input("--time " + options.time + ": expected a duration such as 30s, 5m or 2h");
  const auto orders = read_orders(options.reports);
  if (!orders) return bad_input(orders.error());
  const auto history = options.history.empty() ? Result<reports::History>(reports::History{})
                                               : read_history_file(options.history);
  if (!history) return bad_input(history.error());
  const auto outside = Outside::of(options.outside);
  if (!outside) return bad_input(outside.error());
  auto subjects = find_subjects(options.subjects, *outside);
  if (!subjects) return bad_input(subjects.error());
  const auto stored = read_stored(options.history, *history, *subjects, *outside);
  if (!stored) return bad_input(stored.error());
  const double begin = now(), bound = options.cases && options.time == "60s" ? 0 : *seconds;
  if (const auto problem = prepare_subjects(*subjects, *outside, *options.seed, bound)) return *problem;
  runner::RunOptions run = run_options(options, *subjects, *outside, bound);
  const Value start = start_of(options, run);
  if (const auto problem = compare_starts(checkpoint, start, options.out)) return bad_input(*problem);
  run.from = checkpoint.state;
  auto opened = options.resume.empty() ? RunFolder::open(options.out)
                                       : RunFolder::open_again(options.out, checkpoint.events_bytes);
  if (const auto* unopened = std::get_if<Unopened>(&opened)) return unopened->report();
  auto& folder = std::get<RunFolder>(opened);
  heed_interrupts();
  Reporter reporter(options, folder, *outside, arguments, start);
  if (subjects->calls_out && bound > 0) run.seconds_max = std::max(bound - (now() - begin), 1e-3);
  end_calls_with(run, begin + bound - run.from.summary.seconds, *outside);
  const bool regression_fails =
      begin_run(checkpoint, start, headline(options, run), *stored, *outside, reporter);
  const runner::RunSummary summary = runner::run(run, reporter);
  reporter.clear_progress();
  const bool is_slow = account_for(*outside) && options.fail_on == "warning";
  if (is_slow)
    reporter.print_paragraph("FAILED  within-budget: standard error says which webhook was too slow\n");
  const int code = finish(options, summary, reporter, folder, regression_fails || is_slow);
  const auto problem = leave(options, *orders);
  if (problem) return unfinished(*problem);
  if (const std::string talk = outside->talk(); !talk.empty()) return unfinished(Error{talk});
  return code;
}

}  // namespace fixpoint::program
