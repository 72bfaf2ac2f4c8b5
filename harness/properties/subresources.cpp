#include <algorithm>

#include "harness/apiserver/registry/strategies.h"
#include "harness/properties/judge.h"
#include "harness/properties/later_requests.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

/// Returns the part of an object that a request for its status cannot change.
Value without_status(Value object) {
  object.remove("status");
  return without_bookkeeping(std::move(object));
}

std::optional<Violation> violation_of(const FirstCall& call, const LaterRequests& later,
                                      const cases::Request& request, const apiserver::Admission& answered) {
  const OwnCall own = call_in(answered, "an update of the status");
  Violation violation{.webhook = call.webhook.key, .path = "status"};
  if (own.result.error == apiserver::CallError::denied) {
    const auto without = later.without(request);
    if (!went_well(call.event.result) || !without || !was_taken(*without)) return std::nullopt;
    violation.shape = "status:refused";
    violation.value = own.result.answer.status.message;
    violation.reason =
        "an update of the status is refused by the webhook: " + own.result.answer.status.message;
  } else {
    const Value before = without_status(own.before), after = without_status(own.result.after);
    if (!own.result.applied || before == after) return std::nullopt;
    violation.severity = Severity::warning;
    violation.path = first_difference(before, after);
    violation.value = at_path(after, violation.path);
    while (violation.value.is_object() && !violation.value.empty()) {  // a map that was not there
      violation.path = member_path(violation.path, violation.value.members()[0].key.text());
      violation.value = at_path(after, violation.path);
    }
    violation.shape = "status:written";  // whatever it writes: the rule asks for what the server drops
    violation.reason = violation.path + " is written in an update of the status, where the server drops it";
  }
  violation.calls = {own};
  return violation;
}

/// An update of `scale` that leaves the number of replicas, as an autoscaler at rest or a client may send it.
cases::Request update_of_scale(const LaterRequests& later, const Value& stored) {
  cases::Request request = later.update(stored, apiserver::scale_of(stored, later.kind()));
  request.sub_resource = "scale";
  return request;
}

bool is_called(const apiserver::Admission& admission) {
  return std::ranges::any_of(admission.calls, [](const auto& event) { return event.result.called; });
}

std::optional<Violation> violation_of_scale(const FirstCall& call, const LaterRequests& later,
                                            const cases::Request& request,
                                            const apiserver::Admission& answered) {
  const auto without = later.without(request);
  if (was_taken(answered) || !went_well(call.event.result) || !without || !was_taken(*without))
    return std::nullopt;
  Violation violation{.webhook = call.webhook.key, .path = "scale"};
  violation.shape = "scale:refused";
  violation.value = refusal_of(answered);
  violation.reason =
      "a Scale is refused where one without the webhook is taken, so that nobody can scale the object: " +
      refusal_of(answered);
  violation.calls = {call_in(answered, "an update of the subresource scale")};
  return violation;
}

Judgement subresources(const Examination& examination) {
  if (examination.value.request.is_update()) return not_applicable("the request is an update itself");
  std::vector<Violation> violations;
  bool is_asked = false;
  for (const FirstCall& call : first_calls(examination)) {
    const LaterRequests later(examination, call.webhook);
    const bool has_status = later.kind().has_subresource("status"),
               has_scale = later.kind().has_subresource("scale");
    if (later.kind().is_pod() || !(has_status || has_scale)) continue;
    const Value stored = later.created_without();
    if (stored.is_null()) continue;
    if (has_scale) {
      const cases::Request request = update_of_scale(later, stored);
      const auto answered = later.with(request);
      if (answered && is_called(*answered)) {
        is_asked = true;
        if (auto violation = violation_of_scale(call, later, request, *answered))
          violations.push_back(*std::move(violation));
      }
    }
    if (!has_status) continue;
    cases::Request request = later.update(stored, stored);
    request.sub_resource = "status";
    const auto answered = later.with(request);
    if (!answered || !was_asked(*answered)) continue;
    is_asked = true;
    if (auto violation = violation_of(call, later, request, *answered))
      violations.push_back(*std::move(violation));
  }
  if (!is_asked) return not_applicable("no webhook is asked for updates of a subresource");
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kSubresources = {
    .name = "subresources",
    .claim = "An update of the status or of scale is taken, and changes nothing that the server drops.",
    .is_cheap = false,
    .ask = subresources,
    .takes_any_kind = true,
    .explanation =
        {.example = "A rule for `widgets/*` sets a label in updates of the status, too: it is never "
                    "stored. One for `*/*` reads a Widget out of a Scale, and fails.",
         .matters = "The webhook believes to have done what it has not; nobody can scale the objects.",
         .fix = "Register for the resource alone, or leave requests with a subResource as they are."},
};

}  // namespace fixpoint::properties
