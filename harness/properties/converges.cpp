#include "harness/apiserver/match.h"
#include "harness/apiserver/types/normalise.h"
#include "harness/properties/judge.h"
#include "harness/properties/probe.h"
#include "harness/properties/properties.h"

namespace fixpoint::properties {

namespace {

using apiserver::ConfiguredWebhook;
using apiserver::Hop;

bool is_called(const Examination& examination, const ConfiguredWebhook& webhook, const Value& pod) {
  return match(webhook, examination.value.request, examination.value.cluster, pod).answer ==
         apiserver::Match::Answer::yes;
}

/// What the first webhook that is no no-op on the final Pod does to it.
struct Unsettled {
  const ConfiguredWebhook* webhook = nullptr;
  Hop hop = {};
};

Unsettled first_change(const Examination& examination, Prober& prober, const Value& pod) {
  for (const ConfiguredWebhook& webhook : examination.admission.webhooks) {
    if (!is_called(examination, webhook, pod)) continue;
    Hop hop = prober.call(webhook, pod);
    if (hop.error == apiserver::CallError::none && hop.changed) return {&webhook, std::move(hop)};
  }
  return {};
}

/// The phase once more: every webhook in order, each on what the one before left.
Value repeat_phase(const Examination& examination, Prober& prober, Value pod) {
  for (const ConfiguredWebhook& webhook : examination.admission.webhooks) {
    if (!is_called(examination, webhook, pod)) continue;
    Hop hop = prober.call(webhook, pod);
    if (hop.error == apiserver::CallError::none && hop.applied) pod = apiserver::normalise_pod(hop.after);
  }
  return pod;
}

std::string verdict_of_chain(const Examination& examination) {
  Prober prober(examination);
  std::vector<Value> objects{examination.admission.first, examination.admission.object};
  for (int i = 0; i < examination.limits.repeats_max; ++i) {
    objects.push_back(repeat_phase(examination, prober, objects.back()));
    const std::string verdict = verdict_of(objects, kOfAChain);
    if (!verdict.empty()) return verdict;
  }
  return growing_or_unsettled(objects);
}

bool had_trouble(const apiserver::Admission& admission) {
  for (const apiserver::CallEvent& event : admission.calls) {
    if (event.hop.error != apiserver::CallError::none) return true;
  }
  return false;
}

}  // namespace

Judgement converges(const Examination& examination) {
  const apiserver::Admission& admission = examination.admission;
  if (admission.object.is_null()) return not_reached("the request was refused before the end of admission");
  if (admission.calls.empty()) return not_reached("no webhook was called");
  if (had_trouble(admission)) return not_reached("a call failed, and a fault is no webhook's guilt");
  Prober prober(examination);
  const Unsettled found = first_change(examination, prober, admission.object);
  if (found.webhook == nullptr) return Held{};
  Violation violation{.webhook = found.webhook->key, .verdict = verdict_of_chain(examination)};
  if (violation.verdict == "converged") return Held{};
  violation.severity = is_endless(violation.verdict) ? Severity::error : Severity::warning;
  violation.path = first_difference(admission.object, found.hop.after);
  violation.value = at_path(found.hop.after, violation.path);
  violation.shape = shape_of(violation.path, found.hop.after, *found.hop.answer.patch);
  violation.because = "after both passes the webhook still changes " + violation.path;
  return judged({std::move(violation)});
}

}  // namespace fixpoint::properties
