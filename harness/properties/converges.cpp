#include <algorithm>

#include "harness/apiserver/decoding/internal_type.h"
#include "harness/apiserver/decoding/server_status.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;
using apiserver::ConfiguredWebhook;

/// A webhook that still changes a Pod, and the change.
struct Change {
  const ConfiguredWebhook* webhook = nullptr;
  Value before = {};
  CallResult result = {};
  int steps = 0;  ///< calls of the phase that made another Pod
};

/// Runs the phase once more: every webhook in order, each on the output of the one before. Stores the first
/// change in `change`.
Value repeat_phase(const Examination& examination, WebhookCaller& caller, Value pod, Change& change) {
  change = {};
  for (const ConfiguredWebhook& webhook : examination.admission.webhooks) {
    if (!is_called(examination, webhook, pod)) continue;
    CallResult result = caller.call(webhook, pod);
    if (result.error != apiserver::CallError::none || !result.applied) continue;
    Value after = apiserver::through_internal_type(result.after);
    change.steps += apiserver::is_same_object(pod, after) ? 0 : 1;
    // A patch that restores what it removed costs the server work but leaves the Pod as it was.
    if (change.webhook == nullptr && result.changed && !(result.after == pod)) {
      change.webhook = &webhook;
      change.before = pod;
      change.result = std::move(result);
    }
    pod = std::move(after);
  }
  return pod;
}

/// The verdict of the chain and the webhook to blame: for a chain that never settles the one that changes the
/// Pod in the last repetition, else the first with reinvocationPolicy IfNeeded that still changes the final
/// Pod.
struct Finding {
  std::string verdict;
  Change change;
  int repeated = 0;  ///< phases that came before the one in which it changes the Pod
};

/// Returns the finding for a chain that never settles: with the change of the final Pod if the same webhook
/// makes it, else with the last change.
Finding endless(std::string verdict, Change first, Change last, int repeated) {
  if (first.webhook == last.webhook) return {std::move(verdict), std::move(first)};
  return {std::move(verdict), std::move(last), repeated};
}

Finding judge_chain(const Examination& examination) {
  WebhookCaller caller = WebhookCaller::after_admission(examination);
  std::vector<Value> objects{examination.admission.first, examination.admission.object};
  Change first, last;
  objects.push_back(repeat_phase(examination, caller, objects.back(), first));
  if (first.webhook == nullptr) return {"converged", {}};
  last = first;
  // The webhooks undo one another's changes within the phase, which therefore ends where it began.
  if (first.steps > 0 && apiserver::is_same_object(objects[1], objects[2]))
    return {"oscillating-" + std::to_string(first.steps), std::move(first)};
  for (int i = 0; i < examination.limits.repeats_max; ++i) {
    std::string verdict = verdict_of(objects, kOfAChain);
    if (!verdict.empty() && !is_endless(verdict)) return {std::move(verdict), std::move(first)};
    if (!verdict.empty()) return endless(std::move(verdict), std::move(first), std::move(last), i);
    objects.push_back(repeat_phase(examination, caller, objects.back(), last));
  }
  return endless(growing_or_unsettled(objects), std::move(first), std::move(last),
                 examination.limits.repeats_max);
}

bool had_trouble(const Examination& examination) {
  const auto& calls = examination.admission.calls;
  return std::any_of(calls.begin(), calls.end(), [&](const apiserver::CallEvent& event) {
    return event.result.error != apiserver::CallError::none || is_disturbed(examination, event);
  });
}

Judgement converges(const Examination& examination) {
  const apiserver::Admission& admission = examination.admission;
  if (admission.object.is_null()) return not_reached("the request was refused before the end of admission");
  if (admission.calls.empty()) return not_reached("no webhook was called");
  if (had_trouble(examination)) return not_reached("a call failed, and a fault is no webhook's guilt");
  const Finding found = judge_chain(examination);
  if (found.change.webhook == nullptr || found.verdict == "converged") return Held{};
  // The server never calls a webhook with reinvocationPolicy Never again, so that only a chain that does not
  // settle at all counts here.
  if (!is_endless(found.verdict) && !found.change.webhook->if_needed) return Held{};
  const ConfiguredWebhook& webhook = *found.change.webhook;
  Violation violation{.webhook = webhook.key, .verdict = found.verdict};
  violation.severity = is_endless(violation.verdict) ? Severity::error : Severity::warning;
  violation.path = first_difference(found.change.before, found.change.result.after);
  violation.value = at_path(found.change.result.after, violation.path);
  violation.shape = shape_of(violation.path, found.change.result.after, found.change.result);
  violation.reason = "after both passes " +
                     (found.repeated > 0 ? "and " + std::to_string(found.repeated) + " more " : "") +
                     webhook.name + " still changes " + violation.path;
  violation.calls = {{"a call after both passes", webhook.key, found.change.before, found.change.result}};
  return judged({std::move(violation)});
}

}  // namespace

extern constinit const Property kConverges = {
    .name = "converges",
    .claim = "After the mutation phase every webhook of the chain is a no-op on the final Pod.",
    .is_cheap = true,
    .ask = converges,
    .takes_any_kind = true,
    .symptom = "unstable",
    .explanation =
        {.example = "Two injectors each put their container in front; every call moves one of them.",
         .matters = "What runs depends on how often the server happened to call: reinvocation, updates, "
                    "controllers.",
         .fix = "Assert facts of the Pod instead of your own place in it; let one of two rivals give way."},
};

}  // namespace fixpoint::properties
