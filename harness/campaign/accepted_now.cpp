#include "harness/campaign/accepted_now.h"

#include <algorithm>
#include <utility>

#include "corpus/regression.h"
#include "harness/campaign/known_findings.h"
#include "harness/document/document_stream.h"
#include "harness/external/backends/stored_case.h"
#include "harness/runner/diagnosis/describe_finding.h"
#include "harness/runner/diagnosis/problems.h"

namespace fixpoint::campaign {

namespace {

using Kind = runner::Answer::Kind;

/// The answers of a webhook may vary: a finding that shows once still exists.
constexpr int kTries = 3;

/// Returns the finding with the backends and the releases that the subjects have today.
cases::Finding with_backends(cases::Finding finding, const std::vector<generators::Subjects>& subjects) {
  for (const generators::Subjects& each : subjects) {
    for (const std::string& reconciler : each.reconcilers)
      if (finding.sequence) finding.sequence = corpus::with_release(*std::move(finding.sequence), reconciler);
    for (const runner::Subject& subject : each.chains.subjects) {
      for (const auto& [key, backend] : subject.webhooks)
        if (finding.value.webhooks.contains(key)) finding.value.webhooks.insert_or_assign(key, backend);
    }
  }
  return finding;
}

/// Gives a Case that still fails the identity of today's findings.
void identify(AcceptedNow& now, cases::Finding finding, const runner::ReplayWith& with) {
  now.id = runner::problem_id(finding);
  now.fingerprint = finding.fingerprint;
  const auto* property = with.catalog.find(finding.property);
  if (finding.sequence || property == nullptr || !now.answer->violation) return;
  const properties::Violation& violation = *now.answer->violation;
  now.fingerprint = finding.fingerprint = runner::fingerprint(finding.value, property->name, violation);
  finding.verdict = violation.verdict;
  runner::classify(finding, *property, violation, with.resolve, with.limits);
  now.id = runner::problem_id(finding);
}

/// Replays the stored Case of an accepted problem.
runner::Answer replay(AcceptedNow& now, const std::vector<generators::Subjects>& subjects,
                      const external::ExternalWebhooks& outside) {
  const AcceptedProblem& accepted = now.accepted;
  auto documents = document::read_file(accepted.finding_file);
  if (!documents) return {Kind::not_run, "its Case cannot be read: " + documents.error().text()};
  if (documents->size() != 1) return {Kind::not_run, accepted.finding_file + ": expected one Finding"};
  const auto stored = external::read_stored_case(documents->front(), accepted.finding_file, outside);
  if (!stored) return {Kind::not_run, "its Case cannot run: " + stored.error().text()};
  if (!stored->finding) return {Kind::not_run, accepted.finding_file + ": expected a Finding"};
  const cases::Finding finding = with_backends(*stored->finding, subjects);
  runner::ReplayWith with = external::replay_with(outside);
  for (const generators::Subjects& each : subjects)
    for (document::Value& one : configurations_of(each)) with.configurations.push_back(std::move(one));
  runner::Answer answer;
  for (int i = 0; i < kTries; ++i) {
    answer = runner::answer_of(finding, with);
    if (answer.kind != Kind::still_failing) continue;
    now.answer = answer;
    identify(now, finding, with);
    break;
  }
  return answer;
}

}  // namespace

bool AcceptedNow::covers(const cases::Finding& finding) const {
  if (!answer) return accepted.covers(finding);
  if (answer->kind != Kind::still_failing) return false;
  return finding.fingerprint == fingerprint || runner::problem_id(finding) == id || accepted.covers(finding);
}

std::string AcceptedNow::text(bool is_seen) const {
  if (!answer) return is_seen ? "still there" : "not seen with these seeds";
  if (answer->kind == Kind::still_failing) {
    const auto& ids = accepted.ids;
    const bool is_known = id == accepted.problem || std::find(ids.begin(), ids.end(), id) != ids.end();
    return is_known ? "still there" : "still there (was " + accepted.problem + ", is " + id + ")";
  }
  if (is_fixed()) return runner::text_of(*answer);
  return "cannot tell: " + runner::text_of(*answer);
}

std::vector<AcceptedNow> replay_accepted(const Policy& policy,
                                         const std::vector<generators::Subjects>& subjects,
                                         const external::ExternalWebhooks& outside) {
  std::vector<AcceptedNow> all;
  for (const AcceptedProblem& accepted : policy.accepted) {
    AcceptedNow& now = all.emplace_back(AcceptedNow{.accepted = accepted});
    if (!accepted.finding_file.empty()) now.answer = replay(now, subjects, outside);
  }
  return all;
}

}  // namespace fixpoint::campaign
