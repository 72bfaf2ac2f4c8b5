#include "harness/campaign/replay_answer.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "corpus/regression.h"
#include "harness/external/external_webhooks.h"
#include "harness/properties/property.h"
#include "harness/properties/sequences/sequence_property.h"
#include "harness/runner/examine.h"
#include "harness/runner/sequences.h"
#include "harness/runner/trace.h"
#include "injectors/bundled.h"

namespace fixpoint::campaign {

namespace {

constexpr std::string_view kNotRunnable = "not runnable: ";

/// Returns the answer for a violation that the Case still shows.
ReplayAnswer answer_for(const char* word, std::string_view property, const properties::Violation& violation,
                        const runner::Prepared& prepared) {
  return {word, std::string(property) + ": " + violation.because,
          runner::trace_of(prepared.admission, violation.calls)};
}

/// Returns the answer for a Case without a violation: "not runnable" if a webhook outside the process failed
/// in each of its calls without a fault of the Case, since a webhook that is not up shows nothing.
ReplayAnswer answer_without_violation(const runner::Prepared& prepared, std::string detail) {
  std::map<std::string, std::string> failures;
  std::set<std::string> answered;
  for (const apiserver::CallEvent& event : prepared.admission.calls) {
    const std::string& webhook = prepared.admission.webhooks[static_cast<std::size_t>(event.index)].key;
    const auto backend = prepared.value.webhooks.find(webhook);
    if (backend == prepared.value.webhooks.end() || !external::is_external(backend->second)) continue;
    if (event.result.answer.problem.empty())
      answered.insert(webhook);
    else
      failures.emplace(webhook, event.result.answer.problem);
  }
  for (const auto& [webhook, problem] : failures) {
    const bool is_fault = std::any_of(prepared.value.faults.begin(), prepared.value.faults.end(),
                                      [&](const auto& fault) { return fault.webhook == webhook; });
    if (!is_fault && !answered.contains(webhook))
      return {"not runnable", webhook + " answered no call: " + problem + "; is it up?"};
  }
  return {"fixed", std::move(detail)};
}

/// Returns the answer if the fingerprint is gone: another violation of the property, or none.
ReplayAnswer ask_changed_sequence(const external::StoredCase& stored) {
  const auto prepared = runner::prepare(*stored.sequence, injectors::bundled().resolve_reconciler);
  const auto judgement =
      ask(*prepared, *injectors::bundled().catalog.find_of_sequences(stored.finding->property), {});
  if (const auto* violated = std::get_if<properties::Violated>(&judgement))
    return {"changed", stored.finding->property + ": " + violated->violations.front().because};
  return {"fixed", stored.finding->property + " holds"};
}

ReplayAnswer ask_finding_of_sequence(const external::StoredCase& stored, const webhooks::Resolve& resolve,
                                     const Limits& limits) {
  const cases::Finding& finding = *stored.finding;
  const std::string answer = corpus::replay_answer(finding, resolve, injectors::bundled(), limits);
  if (answer.starts_with(kNotRunnable)) return {"not runnable", answer.substr(kNotRunnable.size())};
  if (answer != "still failing") return ask_changed_sequence(stored);
  return {answer, finding.property + ": " + finding.evidence.because, finding.evidence.calls};
}

/// Checks a Finding's own property. If its fingerprint is gone and another violation appears, the answer is
/// "changed".
ReplayAnswer ask_finding(const external::StoredCase& stored, const webhooks::Resolve& resolve,
                         const Limits& limits) {
  if (stored.sequence) return ask_finding_of_sequence(stored, resolve, limits);
  const cases::Finding& finding = *stored.finding;
  const auto* property = injectors::bundled().catalog.find(finding.property);
  if (property == nullptr) return {"not runnable", "there is no property \"" + finding.property + "\""};
  const auto prepared = runner::prepare_for_replay(finding, resolve, limits);
  if (!prepared) return {"not runnable", prepared.error().text()};
  if (const auto violation = runner::shows(*prepared, *property, finding.fingerprint, limits))
    return answer_for("still failing", finding.property, *violation, *prepared);
  const auto judgement = property->ask(runner::examination_of(*prepared, limits));
  if (const auto* violated = std::get_if<properties::Violated>(&judgement))
    return answer_for("changed", finding.property, violated->violations.front(), *prepared);
  return answer_without_violation(*prepared, finding.property + " holds");
}

/// Checks every property on a bare Case.
ReplayAnswer ask_case(const external::StoredCase& stored, const webhooks::Resolve& resolve,
                      const Limits& limits) {
  const auto prepared = runner::prepare(stored.value, resolve, limits);
  if (!prepared) return {"not runnable", prepared.error().text()};
  const auto& catalog = injectors::bundled().catalog;
  for (const runner::PropertyJudgement& asked : runner::ask(*prepared, catalog.of_cases(), {}, limits)) {
    if (const auto* violated = std::get_if<properties::Violated>(&asked.judgement)) {
      return answer_for("still failing", asked.property->name, violated->violations.front(), *prepared);
    }
  }
  return answer_without_violation(*prepared, "every property holds or was skipped");
}

/// Checks every property of Sequences on a bare Sequence.
ReplayAnswer ask_sequence(const external::StoredCase& stored) {
  const auto prepared = runner::prepare(*stored.sequence, injectors::bundled().resolve_reconciler);
  if (!prepared) return {"not runnable", prepared.error().text()};
  const auto& catalog = injectors::bundled().catalog;
  for (const auto* property : catalog.of_sequences()) {
    const auto judgement = ask(*prepared, *property, {});
    if (const auto* violated = std::get_if<properties::Violated>(&judgement))
      return {"still failing", std::string(property->name) + ": " + violated->violations.front().because};
  }
  return {"fixed", "every property holds or was skipped"};
}

}  // namespace

ReplayAnswer answer_of_replay(const external::StoredCase& stored, const webhooks::Resolve& resolve,
                              const Limits& limits) {
  if (stored.finding) return ask_finding(stored, resolve, limits);
  return stored.sequence ? ask_sequence(stored) : ask_case(stored, resolve, limits);
}

void put_release_in(external::StoredCase& stored, const std::string& subject) {
  stored.value = corpus::with_release(std::move(stored.value), subject);
  if (stored.sequence) stored.sequence = corpus::with_release(*std::move(stored.sequence), subject);
  if (stored.finding) stored.finding = corpus::with_release(*std::move(stored.finding), subject);
}

}  // namespace fixpoint::campaign
