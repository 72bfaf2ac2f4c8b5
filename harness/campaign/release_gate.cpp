#include "harness/campaign/release_gate.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "corpus/corpus_files.h"
#include "corpus/regression.h"
#include "generators/subjects.h"
#include "harness/campaign/accepted_now.h"
#include "harness/campaign/older_release.h"
#include "harness/campaign/run_reader.h"
#include "harness/cases/redaction.h"
#include "harness/cases/replay_flags.h"
#include "harness/conformance/vectors.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/document/printable.h"
#include "harness/document/shell_word.h"
#include "harness/external/manifests/manifest.h"
#include "harness/external/manifests/selected_kinds.h"
#include "harness/measure/workload.h"
#include "harness/runner/clock.h"
#include "harness/runner/diagnosis/problems.h"
#include "harness/runner/learning/subject.h"
#include "reports/first_screen.h"
#include "reports/telling_finding.h"
#include "reports/text.h"

namespace fixpoint::campaign {

using document::Error;
using document::printable;
using document::Result;
using reports::RecordedFinding;
using reports::RunRecord;

namespace {

/// Adds the findings and answers of a run to the record of all runs; a finding is kept as first found.
void join(RunRecord& all, const RunRecord& run) {
  all.version = run.version;
  all.complete = true;
  all.files.insert(run.files.begin(), run.files.end());
  for (const std::string& subject : run.subjects) {
    if (std::find(all.subjects.begin(), all.subjects.end(), subject) == all.subjects.end())
      all.subjects.push_back(subject);
  }
  const auto is_known = [&](const RecordedFinding& found) {
    return std::any_of(all.findings.begin(), all.findings.end(), [&](const RecordedFinding& known) {
      return known.finding.fingerprint == found.finding.fingerprint;
    });
  };
  for (const RecordedFinding& found : run.findings)
    if (!is_known(found)) all.findings.push_back(found);
  for (const auto& answer : run.regressions) {
    const bool known = std::any_of(all.regressions.begin(), all.regressions.end(), [&](const auto& other) {
      return other.file == answer.file && other.answer == answer.answer;
    });
    if (!known) all.regressions.push_back(answer);
  }
  all.summary.add(run.summary);
  all.summary.why = "policy";
}

const Unasked kCutShort{{"the gate was interrupted: there is no verdict"}, kInterrupted};

class Gate {
 public:
  Gate(const Policy& policy, const GateOptions& options, const external::ExternalWebhooks& outside,
       const generators::FindSubjects& find_subjects, FuzzObserver& observer)
      : policy_(policy),
        options_(options),
        outside_(outside),
        find_subjects_(find_subjects),
        observer_(observer) {}

  std::variant<GateVerdict, Unasked> run() {
    if (auto unasked = read_stored()) return *std::move(unasked);
    if (auto unasked = check_subjects()) return *std::move(unasked);
    if (auto unasked = read_older()) return *std::move(unasked);
    for (const std::string& subject : policy_.subjects) {
      for (const std::uint64_t seed : policy_.seeds)
        if (auto unasked = fuzz_subject(subject, seed)) return *std::move(unasked);
    }
    accepted_ = replay_accepted(policy_, subjects_, outside_);
    judge_findings();
    judge_regressions();
    judge_accepted();
    if (auto unasked = judge_conformance()) return *std::move(unasked);
    if (auto unasked = judge_benches()) return *std::move(unasked);
    for (const std::uint64_t seed : policy_.seeds)
      verdict_.record.seed += (verdict_.record.seed.empty() ? "" : ", ") + std::to_string(seed);
    verdict_.record.folder = options_.out;
    return std::move(verdict_);
  }

 private:
  void progress(const std::string& what) const {
    if (options_.shows_progress) std::fprintf(stderr, "\r\033[K%s ", document::printable(what).c_str());
  }
  void add_gate(const std::string& name, bool held) {
    verdict_.record.summary.vacuity_checks.push_back({.name = name, .held = held, .judged = true});
  }

  /// Reads the stored regressions, whose fingerprints identify expected findings.
  std::optional<Unasked> read_stored() {
    auto stored = corpus::read_regressions(corpus::corpus_folder(), outside_.bundled());
    if (!stored) return Unasked{std::move(stored).error(), kBadInput};
    for (corpus::Regression& regression : *stored) stored_[regression.file] = std::move(regression.finding);
    return std::nullopt;
  }

  /// Returns an error if no flag allows the webhooks of a Subject file, before any run begins.
  std::optional<Unasked> check_subjects() {
    for (const std::string& subject : policy_.subjects) {
      auto found = find_subjects_({subject}, outside_);
      if (!found) return Unasked{std::move(found).error(), kBadInput};
      subjects_.push_back(*std::move(found));
    }
    // Each subject meets its own names: the policy lists those of all subjects.
    if (const auto unmet = outside_.unmet(); !unmet.empty())
      return Unasked{{"no subject here has this webhook: " + unmet.front(), policy_.file + ": /webhooks"},
                     kBadInput};
    return std::nullopt;
  }

  std::optional<Unasked> read_older() {
    if (options_.since.empty()) return std::nullopt;
    auto older = OlderRelease::of(options_.since, subjects_, options_.external_webhooks, outside_.bundled());
    if (!older) return Unasked{std::move(older).error(), kBadInput};
    older_ = *std::move(older);
    return std::nullopt;
  }

  FuzzOptions options_of(const std::string& subject, std::uint64_t seed, const std::string& folder) const {
    FuzzOptions fuzz{.subjects = {subject},
                     .seed = seed,
                     .cases = policy_.cases,
                     .out = folder,
                     .fails_on_warnings = policy_.fail_on == "warning",
                     .owns = policy_.owns,
                     .jobs = options_.jobs,
                     .arguments = {subject, "--seed", std::to_string(seed), "--out", folder},
                     .program = options_.program};
    auto& arguments = fuzz.arguments;
    if (policy_.cases) arguments.insert(arguments.end(), {"--cases", std::to_string(*policy_.cases)});
    if (!policy_.time.empty()) arguments.insert(arguments.end(), {"--time", policy_.time});
    if (fuzz.fails_on_warnings) arguments.insert(arguments.end(), {"--fail-on", "warning"});
    for (const std::string& path : policy_.owns) arguments.insert(arguments.end(), {"--owns", path});
    for (const std::string& webhook : policy_.webhooks)
      arguments.insert(arguments.end(), {"--webhook", webhook});
    for (const std::string& example : policy_.examples)
      arguments.insert(arguments.end(), {"--example", example});
    for (const std::string& sources : policy_.code) arguments.insert(arguments.end(), {"--code", sources});
    if (options_.external_webhooks.allow_exec) arguments.emplace_back("--allow-exec");
    if (options_.external_webhooks.allow_remote) arguments.emplace_back("--allow-remote");
    fuzz.seconds_max = runner::parse_duration(policy_.time).value_or(0);
    return fuzz;
  }

  std::optional<Unasked> fuzz_subject(const std::string& subject, std::uint64_t seed) {
    progress(subject + ", seed " + std::to_string(seed));
    const std::string folder = options_.out + "/runs/" + std::to_string(++runs_);
    const auto webhooks = external::ExternalWebhooks::of(options_.external_webhooks, outside_.bundled());
    if (!webhooks) return Unasked{webhooks.error(), kBadInput};
    const ExitCode code = run_fuzz(options_of(subject, seed, folder), *webhooks, find_subjects_, observer_);
    const Unasked unfinished{{"the run was not finished", subject + ", seed " + std::to_string(seed)}, code};
    if (code != kNothingFound && code != kFound && code != kUnfinished) return unfinished;
    auto record = read_run(folder, {.shows_values = true});
    if (!record && code == kUnfinished) return unfinished;
    if (!record) return Unasked{std::move(record).error(), kUnfinished};
    if (code == kUnfinished && !runner::is_vacuous(record->summary)) return unfinished;
    judge_acted(*record, seed);
    std::erase_if(record->regressions, [&](const auto& answer) { return !is_of(answer, record->subjects); });
    judge_gates(*record, subject, seed);
    verdict_.lines.push_back(subject + ", seed " + std::to_string(seed) + ": " +
                             std::to_string(record->summary.cases) + " Cases, " +
                             reports::plural(record->findings.size(), "finding", "findings"));
    for (RecordedFinding& found : record->findings) folders_.emplace(found.finding.fingerprint, folder);
    join(verdict_.record, *record);
    return std::nullopt;
  }

  /// Returns true if the regression belongs to one of these subjects. A neighbour's regression does not
  /// count, even if its Case contains a subject.
  bool is_of(const reports::RegressionAnswer& answer, const std::vector<std::string>& subjects) const {
    const auto stored = stored_.find(answer.file);
    if (stored == stored_.end()) return true;
    const std::string blamed = runner::without_release(reports::subject_of(stored->second));
    return std::any_of(subjects.begin(), subjects.end(), [&](const std::string& subject) {
      return runner::without_release(subject) == blamed;
    });
  }

  void judge_acted(const RunRecord& record, std::uint64_t seed) {
    for (const std::string& missing : runner::missing_verdicts(record.summary)) {
      const std::string name = "no verdict: " + missing + ", seed " + std::to_string(seed);
      verdict_.reasons.push_back({.headline = name});
      add_gate(name, false);
    }
  }

  /// Checks that each vacuity check that the policy names was judged, and that none failed.
  void judge_gates(const RunRecord& record, const std::string& subject, std::uint64_t seed) {
    for (const runner::VacuityCheck& check : record.summary.vacuity_checks) {
      const auto& named = policy_.vacuity_checks;
      const bool is_named = std::find(named.begin(), named.end(), check.name) != named.end();
      const bool fails = check.judged ? !check.held : is_named;
      if (!fails) continue;
      const std::string where = subject + ", seed " + std::to_string(seed);
      verdict_.reasons.push_back(
          {.headline = "it was never seen that " + check.name + " (" + where + ")",
           .details =
               check.judged ? "" : "  the run had too few Cases to judge it: give it a larger budget\n"});
      add_gate(check.name + " (" + where + ")", false);
    }
  }

  bool counts(const cases::Finding& finding) const {
    const auto& classes = policy_.fail_on_classes;
    const bool is_of_class =
        finding.cause && std::find(classes.begin(), classes.end(), finding.cause->symptom) != classes.end();
    return is_of_class || policy_.fail_on == "warning" || finding.severity == "error";
  }

  void judge_findings() {
    std::vector<cases::Finding> unknown;
    for (RecordedFinding& recorded : verdict_.record.findings) {
      const cases::Finding& finding = recorded.finding;
      seen_.insert(finding.fingerprint);
      note_accepted(finding);
      if (is_expected(finding)) recorded.state = "expected";
      if (recorded.state != "expected" && counts(finding)) unknown.push_back(finding);
    }
    for (const cases::Problem& problem : runner::problems_of(unknown)) judge_problem(problem);
    verdict_.reasons.insert(verdict_.reasons.begin(), new_.begin(), new_.end());
  }

  bool is_expected(const cases::Finding& finding) const {
    return std::any_of(accepted_.begin(), accepted_.end(),
                       [&](const AcceptedNow& one) { return one.covers(finding); });
  }
  /// Remembers which accepted problems still exist.
  void note_accepted(const cases::Finding& finding) {
    for (const AcceptedNow& now : accepted_)
      if (now.covers(finding)) still_there_.insert(now.accepted.problem);
  }

  /// Fails the gate for a problem that is not accepted, unless the older release has all of it, too.
  void judge_problem(const cases::Problem& problem) {
    const auto members = reports::members_of(problem, verdict_.record);
    const std::string what = "problem " + problem.id + ": " + problem.part + " " + problem.title + " (" +
                             reports::plural(problem.findings.size(), "finding", "findings") + ")";
    if (!older_) return verdict_.reasons.push_back(reason_of(members, "new " + what));
    const OlderRelease::Answers answers = older_->ask(problem, members);
    if (answers.is_unknown)
      return verdict_.reasons.push_back(reason_of(members, "not known of " + older_->name() + ": " + what));
    if (!answers.fresh.empty()) return judge_fresh(answers, what);
    if (!answers.cannot_compare.empty()) {
      const std::string why = answers.cannot_compare.front();
      return verdict_.undecided.push_back(
          reason_of(members, "cannot compare with " + older_->name() + ": " + why + ": " + what));
    }
    verdict_.accepted.push_back(older_->name() + " has it, too: " + what);
    mark_expected(members);
  }
  void judge_fresh(const OlderRelease::Answers& answers, const std::string& what) {
    const std::string more = reports::plural(answers.fresh.size(), "finding", "findings") + " more";
    new_.push_back(reason_of(answers.fresh, answers.older == 0
                                                ? "new since " + older_->name() + ": " + what
                                                : older_->name() + " has it, too, and " + more +
                                                      (answers.fresh.size() == 1 ? " is" : " are") +
                                                      " new: " + what));
  }
  void mark_expected(const std::vector<cases::Finding>& findings) {
    for (RecordedFinding& recorded : verdict_.record.findings) {
      if (std::any_of(findings.begin(), findings.end(), [&](const cases::Finding& one) {
            return one.fingerprint == recorded.finding.fingerprint;
          }))
        recorded.state = "expected";
    }
  }

  /// Returns a reason with the smallest of the findings.
  Reason reason_of(const std::vector<cases::Finding>& members, std::string headline) const {
    const cases::Finding smallest = cases::redacted(reports::smallest_of(members));
    const std::string file =
        folders_.at(smallest.fingerprint) + "/findings/" + smallest.fingerprint + ".json";
    return {.headline = std::move(headline),
            .details =
                reports::finding_text(smallest, options_.program + " replay " + document::shell_word(file) +
                                                    outside_.flags_to_replay(smallest.value))};
  }

  /// Treats a regression that still fails like any other finding; one that the runs also found is reported
  /// once.
  void judge_regressions() {
    for (reports::RegressionAnswer& answer : verdict_.record.regressions) {
      if (answer.answer != "still failing") continue;
      const auto stored = stored_.find(answer.file);
      const std::string fingerprint = stored == stored_.end() ? "" : stored->second.fingerprint;
      if (stored != stored_.end() && counts(stored->second)) note_accepted(stored->second);
      const bool is_known =
          stored != stored_.end() && (!counts(stored->second) || is_expected(stored->second));
      const bool is_told = seen_.contains(fingerprint);
      seen_.insert(fingerprint);
      if (is_known) answer.answer = "still failing, as expected";
      if (is_known || is_told) continue;
      if (stored != stored_.end() && older_ && older_->shows(stored->second)) {
        answer.answer = "still failing, as in " + older_->name();
        verdict_.accepted.push_back(older_->name() + " has it, too: the regression " + answer.file);
        continue;
      }
      verdict_.reasons.push_back({.headline = "the regression " + answer.file + " fails",
                                  .details = "  fingerprint " + fingerprint + "\n"});
    }
  }

  /// Reports the accepted problems. One that is fixed is good news, one that still fails is covered; of any
  /// other nobody can tell, and it fails the gate.
  void judge_accepted() {
    for (const AcceptedNow& now : accepted_) {
      const AcceptedProblem& accepted = now.accepted;
      const bool expired = options_.today > accepted.until;
      const std::string what = accepted.problem + " (" + accepted.reason + ")";
      if (expired) {
        verdict_.reasons.push_back(
            {.headline = "the acceptance of problem " + what + " expired on " + accepted.until,
             .details = "  repair it, or give it a new day in " + policy_.file + "\n"});
      }
      add_gate("the acceptance of problem " + accepted.problem + " holds until " + accepted.until, !expired);
      if (now.is_fixed())
        verdict_.news.push_back("the accepted problem " + what + " is " + runner::text_of(*now.answer) +
                                ": take it out of " + policy_.file);
      if (!now.is_good()) judge_open(now, what);
      verdict_.accepted.push_back("accepted until " + accepted.until + ": " + what + ": " +
                                  now.text(still_there_.contains(accepted.problem)));
    }
  }

  /// Fails the gate for an accepted problem of which nobody can tell whether it is fixed.
  void judge_open(const AcceptedNow& now, const std::string& what) {
    add_gate("the stored Case of problem " + now.accepted.problem + " says whether it is fixed", false);
    verdict_.reasons.push_back({.headline = "cannot tell whether the accepted problem " + what +
                                            " is fixed: " + runner::text_of(*now.answer),
                                .details = advice_for(*now.answer, now.accepted.finding_file)});
  }
  std::string advice_for(const runner::Answer& answer, const std::string& file) const {
    std::string replay = options_.program + " replay " + document::shell_word(file);
    for (const std::string& webhook : policy_.webhooks)
      replay += " --webhook " + document::shell_word(webhook);
    if (options_.external_webhooks.allow_exec) replay += " --allow-exec";
    if (options_.external_webhooks.allow_remote) replay += " --allow-remote";
    if (answer.kind == runner::Answer::Kind::not_run) return "  see that everything runs: " + replay + "\n";
    if (answer.kind == runner::Answer::Kind::fails_otherwise)
      return "  repair what fails now: " + replay + " --trace\n";
    return "  look at " + replay + " --trace; if the problem is repaired, take it out of " + policy_.file +
           "\n";
  }

  std::optional<Unasked> judge_conformance() {
    for (const std::string& path : policy_.conformance) {
      if (observer_.is_interrupted()) return kCutShort;
      progress(path);
      auto counts = agreement_of(path);
      if (!counts) return Unasked{std::move(counts).error(), kBadInput};
      const bool agreed = counts->agreed == counts->all() && counts->all() > 0;
      verdict_.lines.push_back(path + ": " + counts->text());
      add_gate("conformance: " + path, agreed);
      if (agreed) continue;
      verdict_.reasons.push_back({.headline = "conformance: " + path + ": " + counts->text(),
                                  .details = "  " + options_.program + " conform --diff " + path + "\n"});
    }
    return std::nullopt;
  }

  static Result<conformance::Counts> agreement_of(const std::string& path) {
    const auto text = document::read_text_file(path);
    if (!text) return text.error();
    conformance::Counts counts;
    std::size_t offset = 0;
    while (text->find_first_not_of(" \n\r\t", offset) != std::string::npos) {
      const auto line = document::read_json_at(*text, offset, {}, document::Strictness::foreign);
      if (!line) return Error{line.error().text(), path + ": document " + std::to_string(counts.all() + 1)};
      counts.add(conformance::check_line(*line).answer);
    }
    return counts;
  }

  std::optional<Unasked> judge_benches() {
    for (const BenchBound& bound : policy_.bench) {
      if (observer_.is_interrupted()) return kCutShort;
      progress("bench " + bound.name);
      const auto found = find_subjects_({bound.name}, outside_);
      if (!found) return Unasked{found.error(), kBadInput};
      for (const runner::Subject& subject : found->chains.subjects)
        if (auto unasked = judge_bench(subject, bound)) return unasked;
    }
    if (options_.shows_progress) std::fputs("\r\033[K", stderr);
    return std::nullopt;
  }

  /// Returns the measured latency as a multiple of the bound.
  static double excess_of(const measure::Ratio& measured, const BenchBound& bound) {
    const double ratio = measured.ratio / bound.ratio_max;
    return bound.microseconds_max ? std::max(ratio, measured.microseconds / *bound.microseconds_max) : ratio;
  }

  /// Returns the figures of the slowest webhook.
  static std::string figures_of(const measure::Ratio& slowest, const BenchBound& bound,
                                std::size_t webhooks) {
    char figures[160];
    std::snprintf(figures, sizeof figures, "%.2f of the reference (at most %.2f), %.1f µs a call",
                  slowest.ratio, bound.ratio_max, slowest.microseconds);
    if (webhooks == 1) return figures;
    return figures + (", " + slowest.webhook) + ", the slowest of " + std::to_string(webhooks) + " webhooks";
  }

  /// Judges a bound under the name in the policy; the subjects of a file are reported under their own names.
  std::optional<Unasked> judge_bench(const runner::Subject& subject, const BenchBound& bound) {
    const std::string& name = external::is_manifest(bound.name) ? subject.name : bound.name;
    const auto measured = measure::ratios_to_reference(subject, outside_);
    if (!measured) return Unasked{measured.error(), kUnfinished};
    const auto slowest = std::max_element(measured->begin(), measured->end(),
                                          [&](const measure::Ratio& a, const measure::Ratio& b) {
                                            return excess_of(a, bound) < excess_of(b, bound);
                                          });
    const bool is_slow = excess_of(*slowest, bound) > 1;
    const std::string figures = figures_of(*slowest, bound, measured->size());
    verdict_.lines.push_back("bench " + name + ": " + figures);
    add_gate("bench: " + name + " is fast enough", !is_slow);
    if (is_slow) verdict_.reasons.push_back({.headline = "bench: " + name + " is slow: " + figures});
    return std::nullopt;
  }

  const Policy& policy_;
  const GateOptions& options_;
  const external::ExternalWebhooks& outside_;
  const generators::FindSubjects& find_subjects_;
  FuzzObserver& observer_;
  GateVerdict verdict_;
  std::vector<generators::Subjects> subjects_;  ///< the subjects of each name in the policy
  std::optional<OlderRelease> older_;
  std::vector<Reason> new_;  ///< problems that the older release does not have
  std::map<std::string, cases::Finding> stored_;
  std::map<std::string, std::string> folders_;  ///< of the run that made the finding, by fingerprint
  std::set<std::string> seen_, still_there_;    ///< fingerprints; accepted problems
  std::vector<AcceptedNow> accepted_;
  int runs_ = 0;
};

}  // namespace

std::variant<GateVerdict, Unasked> run_gate(const Policy& policy, const GateOptions& options,
                                            const external::ExternalWebhooks& outside,
                                            const generators::FindSubjects& find_subjects,
                                            FuzzObserver& observer) {
  // Files with definitions of custom resources belong to each subject, and are none.
  Policy of_subjects = policy;
  std::vector<std::string> definitions;
  for (const std::string& name : policy.subjects) {
    const auto only = external::read_definitions_alone(name, outside.limits());
    if (!only) return Unasked{only.error(), kBadInput};
    if (only->empty()) continue;
    definitions.push_back(name);
    std::erase(of_subjects.subjects, name);
  }
  if (of_subjects.subjects.empty()) of_subjects.subjects = policy.subjects;
  const generators::FindSubjects find = [&](std::vector<std::string> names,
                                            const external::ExternalWebhooks& webhooks) {
    for (const std::string& name : definitions)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    return find_subjects(names, webhooks);
  };
  return Gate(of_subjects, options, outside, find, observer).run();
}

}  // namespace fixpoint::campaign
