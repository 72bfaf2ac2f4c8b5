#include "harness/campaign/release_gate.h"

#include <algorithm>

#include "corpus/corpus_files.h"
#include "corpus/regression.h"
#include "generators/subjects.h"
#include "harness/campaign/gate_context.h"
#include "harness/campaign/gate_measures.h"
#include "harness/campaign/gate_problems.h"
#include "harness/campaign/run_reader.h"
#include "harness/external/manifests/selected_kinds.h"
#include "harness/runner/clock.h"
#include "harness/runner/learning/subject.h"
#include "reports/text.h"

namespace fixpoint::campaign {

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

class Gate {
 public:
  explicit Gate(GateContext& context) : context_(context) {}

  /// Judges everything; returns why something could not be judged.
  std::optional<Unasked> run() {
    if (auto unasked = read_stored()) return unasked;
    if (auto unasked = check_subjects()) return unasked;
    if (auto unasked = read_older()) return unasked;
    for (const std::string& subject : context_.policy.subjects) {
      for (const std::uint64_t seed : context_.policy.seeds)
        if (auto unasked = fuzz_subject(subject, seed)) return unasked;
    }
    evidence_.accepted = replay_accepted(context_.policy, subjects_, context_.outside);
    GateProblems(context_, evidence_).judge();
    if (auto unasked = judge_conformance(context_)) return unasked;
    if (auto unasked = judge_benches(context_)) return unasked;
    RunRecord& record = context_.verdict.record;
    for (const std::uint64_t seed : context_.policy.seeds)
      record.seed += (record.seed.empty() ? "" : ", ") + std::to_string(seed);
    record.folder = context_.options.out;
    return std::nullopt;
  }

 private:
  /// Reads the stored regressions, whose fingerprints identify expected findings.
  std::optional<Unasked> read_stored() {
    auto stored = corpus::read_regressions(corpus::corpus_folder(), context_.outside.bundled());
    if (!stored) return Unasked{std::move(stored).error(), kBadInput};
    for (corpus::Regression& regression : *stored)
      evidence_.stored[regression.file] = std::move(regression.finding);
    return std::nullopt;
  }

  /// Returns an error if no flag allows the webhooks of a Subject file, before any run begins.
  std::optional<Unasked> check_subjects() {
    for (const std::string& subject : context_.policy.subjects) {
      auto found = context_.find_subjects(context_.with_definitions(subject), context_.outside);
      if (!found) return Unasked{std::move(found).error(), kBadInput};
      subjects_.push_back(*std::move(found));
    }
    // Each subject meets its own names: the policy lists those of all subjects.
    if (const auto unmet = context_.outside.unmet(); !unmet.empty())
      return Unasked{
          {"no subject here has this webhook: " + unmet.front(), context_.policy.file + ": /webhooks"},
          kBadInput};
    return std::nullopt;
  }

  std::optional<Unasked> read_older() {
    if (context_.options.since.empty()) return std::nullopt;
    auto older = OlderRelease::of(context_.options.since, subjects_, context_.options.external_webhooks,
                                  context_.outside.bundled());
    if (!older) return Unasked{std::move(older).error(), kBadInput};
    evidence_.older = *std::move(older);
    return std::nullopt;
  }

  FuzzOptions options_of(const std::string& subject, std::uint64_t seed, const std::string& folder) const {
    FuzzOptions fuzz{.subjects = context_.with_definitions(subject),
                     .seed = seed,
                     .cases = context_.policy.cases,
                     .out = folder,
                     .fails_on_warnings = context_.policy.fail_on == "warning",
                     .owns = context_.policy.owns,
                     .jobs = context_.options.jobs,
                     .program = context_.options.program};
    auto& arguments = fuzz.arguments = fuzz.subjects;
    arguments.insert(arguments.end(), {"--seed", std::to_string(seed), "--out", folder});
    if (context_.policy.cases)
      arguments.insert(arguments.end(), {"--cases", std::to_string(*context_.policy.cases)});
    if (!context_.policy.time.empty()) arguments.insert(arguments.end(), {"--time", context_.policy.time});
    if (fuzz.fails_on_warnings) arguments.insert(arguments.end(), {"--fail-on", "warning"});
    for (const std::string& path : context_.policy.owns) arguments.insert(arguments.end(), {"--owns", path});
    for (const std::string& webhook : context_.policy.webhooks)
      arguments.insert(arguments.end(), {"--webhook", webhook});
    for (const std::string& example : context_.policy.examples)
      arguments.insert(arguments.end(), {"--example", example});
    for (const std::string& sources : context_.policy.code)
      arguments.insert(arguments.end(), {"--code", sources});
    if (context_.options.external_webhooks.allow_exec) arguments.emplace_back("--allow-exec");
    if (context_.options.external_webhooks.allow_remote) arguments.emplace_back("--allow-remote");
    fuzz.seconds_max = runner::parse_duration(context_.policy.time).value_or(0);
    return fuzz;
  }

  std::optional<Unasked> fuzz_subject(const std::string& subject, std::uint64_t seed) {
    context_.progress(subject + ", seed " + std::to_string(seed));
    const std::string folder = context_.options.out + "/runs/" + std::to_string(++runs_);
    const auto webhooks =
        external::ExternalWebhooks::of(context_.options.external_webhooks, context_.outside.bundled());
    if (!webhooks) return Unasked{webhooks.error(), kBadInput};
    const ExitCode code =
        run_fuzz(options_of(subject, seed, folder), *webhooks, context_.find_subjects, context_.observer);
    const Unasked unfinished{{"the run was not finished", subject + ", seed " + std::to_string(seed)}, code};
    if (code != kNothingFound && code != kFound && code != kUnfinished) return unfinished;
    auto record = read_run(folder, {.shows_values = true});
    if (!record && code == kUnfinished) return unfinished;
    if (!record) return Unasked{std::move(record).error(), kUnfinished};
    if (code == kUnfinished && !runner::is_vacuous(record->summary)) return unfinished;
    judge_acted(*record, seed);
    std::erase_if(record->regressions, [&](const auto& answer) { return !is_of(answer, record->subjects); });
    judge_gates(*record, subject, seed);
    context_.verdict.lines.push_back(subject + ", seed " + std::to_string(seed) + ": " +
                                     std::to_string(record->summary.cases) + " Cases, " +
                                     reports::plural(record->findings.size(), "finding", "findings"));
    for (RecordedFinding& found : record->findings)
      evidence_.folders.emplace(found.finding.fingerprint, folder);
    join(context_.verdict.record, *record);
    return std::nullopt;
  }

  /// Returns true if the regression belongs to one of these subjects. A neighbour's regression does not
  /// count, even if its Case contains a subject.
  bool is_of(const reports::RegressionAnswer& answer, const std::vector<std::string>& subjects) const {
    const auto stored = evidence_.stored.find(answer.file);
    if (stored == evidence_.stored.end()) return true;
    const std::string blamed = runner::without_release(reports::subject_of(stored->second));
    return std::any_of(subjects.begin(), subjects.end(), [&](const std::string& subject) {
      return runner::without_release(subject) == blamed;
    });
  }

  void judge_acted(const RunRecord& record, std::uint64_t seed) {
    for (const std::string& missing : runner::missing_verdicts(record.summary)) {
      const std::string name = "no verdict: " + missing + ", seed " + std::to_string(seed);
      context_.verdict.reasons.push_back({.headline = name});
      context_.add_gate(name, false);
    }
  }

  /// Checks that each vacuity check that the policy names was judged, and that none failed.
  void judge_gates(const RunRecord& record, const std::string& subject, std::uint64_t seed) {
    for (const runner::VacuityCheck& check : record.summary.vacuity_checks) {
      const auto& named = context_.policy.vacuity_checks;
      const bool is_named = std::find(named.begin(), named.end(), check.name) != named.end();
      const bool fails = check.judged ? !check.held : is_named;
      if (!fails) continue;
      const std::string where = subject + ", seed " + std::to_string(seed);
      context_.verdict.reasons.push_back(
          {.headline = "it was never seen that " + check.name + " (" + where + ")",
           .details =
               check.judged ? "" : "  the run had too few Cases to judge it: give it a larger budget\n"});
      context_.add_gate(check.name + " (" + where + ")", false);
    }
  }

  GateContext& context_;
  GateEvidence evidence_ = {};
  std::vector<generators::Subjects> subjects_ = {};  ///< the subjects of each name in the policy
  int runs_ = 0;
};

}  // namespace

std::variant<GateVerdict, Unasked> run_gate(const Policy& policy, const GateOptions& options,
                                            const external::ExternalWebhooks& outside,
                                            const generators::FindSubjects& find_subjects,
                                            FuzzObserver& observer) {
  Policy of_subjects = policy;
  GateContext context{of_subjects, options, outside, find_subjects, observer};
  for (const std::string& name : policy.subjects) {
    const auto only = external::read_definitions_alone(name, outside.limits());
    if (!only) return Unasked{only.error(), kBadInput};
    if (only->empty()) continue;
    context.definitions.push_back(name);
    std::erase(of_subjects.subjects, name);
  }
  if (of_subjects.subjects.empty()) of_subjects.subjects = policy.subjects;
  if (auto unasked = Gate(context).run()) return *std::move(unasked);
  return std::move(context.verdict);
}

}  // namespace fixpoint::campaign
