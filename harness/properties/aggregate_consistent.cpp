#include <algorithm>

#include "harness/cases/webhook_configuration.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::Admission;
using apiserver::CallEvent;
using apiserver::CallResult;

bool wrote_something(const Admission& admission, int index) {
  return std::any_of(admission.calls.begin(), admission.calls.end(),
                     [&](const CallEvent& event) { return event.index == index && event.left_another(); });
}

/// Returns the values that the webhook wrote in the whole admission, with the values of its last call.
std::vector<PathValue> written_by(const Admission& admission, int index) {
  std::vector<PathValue> written;
  for (const CallEvent& event : admission.calls) {
    if (event.index != index || !event.result.applied) continue;
    for (PathValue& path_value : added(event.before, event.result.after)) {
      std::erase_if(written, [&](const PathValue& old) { return old.path == path_value.path; });
      written.push_back(std::move(path_value));
    }
  }
  std::sort(written.begin(), written.end(),
            [](const PathValue& a, const PathValue& b) { return a.path < b.path; });
  return written;
}

/// Returns true if the value at `path` follows from the Pod. A value that changes with every call does not;
/// other properties report it.
bool is_computed(const Examination& examination, const apiserver::ConfiguredWebhook& webhook,
                 const Value& pod, const CallResult& recomputed, std::string_view path) {
  if (!is_repeatable(examination, webhook, pod, recomputed)) return false;
  const CallResult again = call_afresh(examination, webhook, recomputed.after);
  if (!went_well(again)) return true;
  const auto two = differing(recomputed.after, again.after);
  return find(two.before, path) == nullptr && find(two.after, path) == nullptr;
}

/// Calls the webhook on the Pod that the rest of the chain leaves. A value of the final Pod that differs from
/// the one in this result is out of date.
void ask(const Examination& examination, const FirstCall& call, std::vector<Violation>& violations) {
  const Admission& admission = examination.admission;
  if (!wrote_something(admission, call.webhook.index)) return;
  const auto rest =
      apiserver::admit(cases::without_webhook(examination.value, call.webhook.key), examination.handlers,
                       examination.limits, {.store = false, .warns = false});
  if (!rest || !rest->allowed || !rest->object.is_object()) return;
  if (!is_called(examination, call.webhook, rest->object)) return;
  const CallResult recomputed = call_afresh(examination, call.webhook, rest->object);
  if (!went_well(recomputed) || recomputed.after == admission.object) return;
  const auto of_final = differing(recomputed.after, admission.object);
  for (const PathValue& path_value : added(rest->object, recomputed.after)) {
    if (agrees(of_final, path_value)) continue;
    const auto written = written_by(admission, call.webhook.index);
    const PathValue* own = find(written, path_value.path);
    const PathValue* there = find(of_final.after, path_value.path);
    if (own == nullptr || there == nullptr || !(*own == *there)) continue;
    if (!is_computed(examination, call.webhook, rest->object, recomputed, path_value.path)) continue;
    Violation violation = violation_at(call.webhook, path_value.path, admission.object, recomputed);
    violation.severity = Severity::warning;
    violation.reason = violation.path + " is " + there->text() + " and would be " + path_value.text() +
                       " when computed from the final Pod";
    violation.calls = {
        {"a call on what the rest of the chain makes", call.webhook.key, rest->object, recomputed}};
    return violations.push_back(std::move(violation));
  }
}

Judgement aggregate_consistent(const Examination& examination) {
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_reached("no webhook was called");
  if (!examination.admission.allowed || !examination.admission.object.is_object())
    return not_reached("the request was refused");
  if (!examination.value.faults.empty()) return not_applicable("a fault keeps a webhook from its work");
  if (calls.size() < 2) return not_applicable("the webhook is alone: nothing comes late");
  std::vector<Violation> violations;
  for (const FirstCall& call : calls) ask(examination, call, violations);
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kAggregateConsistent = {
    .name = "aggregate-consistent",
    .claim = "An injected value that lists or counts parts of the Pod is right for the final Pod.",
    .is_cheap = false,
    .ask = aggregate_consistent,
    .symptom = "late",
    .explanation = {.example =
                        "A list of containers was written at the first call and lacks the late sidecar.",
                    .matters =
                        "The agent serves, scrapes or waits for a set of containers that is not the Pod's.",
                    .fix = "Recompute the value at every call; ask for reinvocation."},
};

}  // namespace fixpoint::properties
