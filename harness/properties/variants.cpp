#include "harness/properties/variants.h"

#include <algorithm>

#include "harness/apiserver/decoding/objects.h"
#include "harness/apiserver/dispatch/match.h"
#include "harness/apiserver/matching/request_match.h"

namespace fixpoint::properties {

using apiserver::CallResult;
using apiserver::ConfiguredWebhook;

bool is_called(const Examination& examination, const ConfiguredWebhook& webhook, const Value& pod) {
  return match(webhook, examination.value.request, examination.value.cluster, pod).answer ==
         apiserver::Match::Answer::yes;
}

bool is_registered_for(const Examination& examination, const ConfiguredWebhook& webhook,
                       std::string_view operation) {
  const cases::Kind kind = cases::kind_of(examination.value.request, examination.value.cluster);
  const auto rules = webhook.rules.elements();
  return std::any_of(rules.begin(), rules.end(), [&](const Value& rule) {
    return apiserver::rule_matches(rule, kind, operation, "");
  });
}

std::vector<FirstCall> effective_calls(const Examination& examination) {
  std::vector<FirstCall> calls;
  for (const FirstCall& call : first_calls(examination)) {
    if (call.event.left_another()) calls.push_back(call);
  }
  return calls;
}

CallResult call_afresh(const Examination& examination, const ConfiguredWebhook& webhook, const Value& pod) {
  return WebhookCaller(examination).call(webhook, pod);
}

bool is_repeatable(const Examination& examination, const ConfiguredWebhook& webhook, const Value& pod,
                   const CallResult& once) {
  // Nothing is remembered for an explicit request: the call is really made.
  const CallResult again = WebhookCaller(examination).call(webhook, pod, examination.value.request);
  return again.error == once.error && again.after == once.after;
}

bool has_timed_out(const CallResult& one, const CallResult& other) {
  return one.timed_out || other.timed_out;
}

bool went_well(const CallResult& result) { return result.error == apiserver::CallError::none; }

Violation violation_at(const ConfiguredWebhook& webhook, std::string_view path, const Value& pod,
                       const CallResult& result) {
  Violation violation{.webhook = webhook.key};
  violation.path = locate(pod, path);
  if (violation.path.empty()) violation.path = path;
  violation.value = at_path(pod, violation.path);
  violation.shape = shape_of(violation.path, pod, result);
  return violation;
}

std::optional<PlaceDependence> depends_on_place(const Examination& examination,
                                                const ConfiguredWebhook& webhook, const Value& pod) {
  if (!apiserver::is_pod(pod)) return {};
  Value front = pod, behind = pod;
  const Value other = minimal_container("fixpoint-other");
  auto& containers = front.edit("spec").edit("containers").edit_elements();
  containers.insert(containers.begin(), other);
  behind.edit("spec").edit("containers").push_back(other);
  if (!is_called(examination, webhook, front) || !is_called(examination, webhook, behind)) return {};
  CallResult a = call_afresh(examination, webhook, front), b = call_afresh(examination, webhook, behind);
  if (!went_well(a) || !went_well(b)) return {};
  Differing two = differing(b.after, a.after);
  leave_out_what_follows_order(two);
  std::string path = first_difference(two);
  if (path.empty() || !is_repeatable(examination, webhook, front, a)) return {};
  const bool is_in_front = !locate(a.after, path).empty();
  std::vector<OwnCall> calls{{"with a plain container in front", webhook.key, front, a},
                             {"with a plain container behind", webhook.key, behind, b}};
  return PlaceDependence{std::move(path), std::move(is_in_front ? a : b), std::move(calls)};
}

Value minimal_container(std::string_view name) {
  return {{"name", name},
          {"image", "fixpoint:1"},
          {"resources", Value::empty_object()},
          {"terminationMessagePath", "/dev/termination-log"},
          {"terminationMessagePolicy", "File"},
          {"imagePullPolicy", "IfNotPresent"}};
}

}  // namespace fixpoint::properties
