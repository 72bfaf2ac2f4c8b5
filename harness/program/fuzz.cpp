#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <random>

#include "generators/draw.h"
#include "generators/reduce.h"
#include "generators/sequences.h"
#include "harness/document/json.h"
#include "harness/program/program.h"
#include "harness/program/regressions.h"
#include "harness/program/run_folder.h"
#include "injectors/catalog.h"
#include "injectors/reconcilers.h"
#include "reports/events.h"
#include "reports/text.h"

namespace fixpoint::program {

namespace {

std::atomic<bool> interrupted{false};
void on_interrupt(int) { interrupted = true; }

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
};

/// Writes every event to the run's folder first, then prints it.
class Reporter : public runner::Listener {
 public:
  Reporter(const FuzzOptions& options, RunFolder& folder) : options_(options), folder_(folder) {}

  void emit(const Value& event) {
    if (auto error = folder_.append(event)) lose(*error);
    if (options_.json) std::cout << document::write_json(event) << "\n" << std::flush;
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
    print_paragraph(reports::finding_text(finding, invoked_as() + " replay " + *saved));
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
  bool lost_ = false;
  bool shows_progress_ = false;
};

/// Who is put to the test: webhooks in chains, and reconcilers each alone.
struct Subjects {
  generators::DrawOptions chains = {};
  std::vector<std::string> reconcilers = {};
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const runner::Subject& subject : chains.subjects) all.push_back(subject.name);
    all.insert(all.end(), reconcilers.begin(), reconcilers.end());
    return all;
  }
};

Result<Subjects> find_subjects(const FuzzOptions& options) {
  Subjects found;
  for (const std::string& name : options.subjects) {
    if (injectors::is_reconciler(name)) {
      auto reconciler = injectors::full_reconciler_name(name);
      if (!reconciler) return std::move(reconciler).error();
      found.reconcilers.push_back(*std::move(reconciler));
      continue;
    }
    auto subject = injectors::find_subject(name);
    if (!subject) return std::move(subject).error();
    found.chains.subjects.push_back(*std::move(subject));
  }
  if (!options.subjects.empty()) return found;
  found.chains.subjects = injectors::newest(injectors::Role::subject);
  for (const auto& row : injectors::all_reconcilers())
    found.reconcilers.push_back(*injectors::full_reconciler_name(row.name));
  return found;
}

Result<Subjects> subjects_of(const FuzzOptions& options) {
  auto found = find_subjects(options);
  if (!found) return found;
  generators::DrawOptions& draw = found->chains;
  draw.peers = injectors::newest(injectors::Role::peer);
  draw.resolve = bundled();
  for (const injectors::Injector& injector : injectors::all()) {
    for (std::string_view release : injector.releases) {
      draw.earlier.push_back(std::string(injector.name).append("@").append(release));
    }
  }
  // A peer that is put to the test is no neighbour of itself.
  std::erase_if(draw.peers, [&](const runner::Subject& peer) {
    return std::any_of(draw.subjects.begin(), draw.subjects.end(),
                       [&](const runner::Subject& subject) { return subject.name == peer.name; });
  });
  return found;
}

/// Draws a Case for a chain or a Sequence for a reconciler, each subject as often as any other.
runner::Draw draw_of(const Subjects& subjects) {
  if (subjects.chains.subjects.empty()) {
    return [reconcilers = subjects.reconcilers](runner::Choices& choices) -> runner::Drawn {
      return generators::draw_sequence(choices, reconcilers);
    };
  }
  return [repertoire = generators::Repertoire(subjects.chains), reconcilers = subjects.reconcilers,
          webhooks = subjects.chains.subjects.size()](runner::Choices& choices) -> runner::Drawn {
    const bool is_sequence = !reconcilers.empty() && choices.below(webhooks + reconcilers.size()) >= webhooks;
    if (is_sequence) return generators::draw_sequence(choices, reconcilers);
    return generators::draw(choices, repertoire);
  };
}

runner::RunOptions run_options(const FuzzOptions& options, const Subjects& subjects, double seconds) {
  runner::RunOptions run;
  run.seed = options.seed ? *options.seed : std::random_device{}();
  run.cases_max = options.cases;
  run.seconds_max = seconds;
  run.jobs = options.jobs;
  run.sample_every = std::max<std::uint64_t>(options.sample_every, 1);
  run.subject_names = subjects.names();
  for (const runner::Subject& subject : subjects.chains.subjects)
    run.judged_configurations.emplace_back(subject.configuration["metadata"]["name"].text());
  run.draws_cases = !subjects.chains.subjects.empty();
  run.draws_sequences = !subjects.reconcilers.empty();
  run.draw = draw_of(subjects);
  run.draw_anew = [options] { return draw_of(subjects_of(options).value()); };
  run.reduce = generators::reduce;
  run.reduce_sequence = generators::reduce_sequence;
  run.resolve = bundled();
  run.resolve_reconciler = bundled_reconcilers();
  run.clock = now;
  run.interrupted = [] { return interrupted.load(); };
  return run;
}

/// The stored regressions of the subjects, with the releases under test put in; whether one of them still
/// fails.
Result<bool> replay_regressions(const Subjects& subjects, Reporter& reporter) {
  auto regressions = read_regressions(corpus_folder());
  if (!regressions) return std::move(regressions).error();
  bool failing = false;
  for (const Regression& regression : *regressions) {
    for (const std::string& subject : subjects.names()) {
      const cases::Finding finding = with_release(regression.finding, subject);
      if (!concerns(finding, subject)) continue;
      const std::string answer = replay_answer(finding);
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
  for (const cases::Finding& finding : summary.findings) {
    failed = failed || options.fail_on == "warning" || finding.severity == "error";
  }
  return failed ? kFound : kNothingFound;
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
      "  fixpoint fuzz kserve/hpa@0.15.0 --time 10s");
  line.positionals("SUBJECT", options.subjects,
                   "names from `fixpoint list`; default: the newest of every injector");
  line.value("--seed", options.seed, "of all decisions; a random one is printed when none is given");
  line.value("--cases", options.cases, "stop after so many Cases (then equal seeds give equal bytes)");
  line.value("--time", options.time, "stop after so long, 0 for no bound (default 60s)");
  line.value("--jobs", options.jobs, "threads (default: all cores); the events do not depend on it");
  line.value("--sample-every", options.sample_every, "ask everything of every so many Cases (default 16)");
  line.value("--out", options.out, "the run's folder (default run/); a complete earlier run moves to run.1/");
  line.value("--fail-on", options.fail_on, "warning (default) or error: what makes exit code 1");
  line.flag("--json", options.json, "NDJSON events on standard output");
  line.flag("--quiet", options.quiet, "no text, no progress");
  if (const auto code = line.parse(arguments)) return *code;
  if (options.fail_on != "warning" && options.fail_on != "error")
    return bad_input("--fail-on is warning or error");
  const auto seconds = parse_duration(options.time);
  if (!seconds) return bad_input("--time " + options.time + ": expected a duration such as 30s, 5m or 2h");
  if (options.jobs == 0) options.jobs = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  const auto subjects = subjects_of(options);
  if (!subjects) return bad_input(subjects.error());
  auto folder = RunFolder::open(options.out);
  if (!folder) {
    std::fprintf(stderr, "fixpoint: %s\n", folder.error().text().c_str());
    return kUnfinished;
  }
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  Reporter reporter(options, *folder);
  const runner::RunOptions run =
      run_options(options, *subjects, options.cases && options.time == "60s" ? 0 : *seconds);
  reporter.emit(reports::start_event(run, FIXPOINT_VERSION));
  reporter.print("seed " + std::to_string(run.seed) + "\n");
  const auto regression_fails = replay_regressions(*subjects, reporter);
  if (!regression_fails) return bad_input(regression_fails.error());
  const runner::RunSummary summary = runner::run(run, reporter);
  reporter.clear_progress();
  return finish(options, summary, reporter, *folder, *regression_fails);
}

}  // namespace fixpoint::program
