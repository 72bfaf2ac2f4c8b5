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
    violation.because =
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
    violation.shape = shape_of(violation.path, after, own.result);
    violation.because = violation.path + " is written in an update of the status, where the server drops it";
  }
  violation.calls = {own};
  return violation;
}

Judgement subresources(const Examination& examination) {
  if (examination.value.request.is_update()) return not_applicable("the request is an update itself");
  std::vector<Violation> violations;
  bool is_asked = false;
  for (const FirstCall& call : first_calls(examination)) {
    const LaterRequests later(examination, call.webhook);
    if (later.kind().is_pod() || !later.kind().has_subresource("status")) continue;
    const Value stored = later.created_without();
    if (stored.is_null()) continue;
    cases::Request request = later.update(stored, stored);
    request.sub_resource = "status";
    const auto answered = later.with(request);
    if (!answered || !was_asked(*answered)) continue;
    is_asked = true;
    if (auto violation = violation_of(call, later, request, *answered))
      violations.push_back(*std::move(violation));
  }
  if (!is_asked) return not_applicable("no webhook is asked for updates of a status");
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kSubresources = {
    .name = "subresources",
    .claim = "An update of the status is taken, and changes nothing that the server drops.",
    .is_cheap = false,
    .ask = subresources,
    .takes_any_kind = true,
    .explanation =
        {.example = "A rule for `widgets/*` sets a label in updates of the status, too: it is never "
                    "stored.",
         .matters = "The webhook believes to have done what it has not, at each write of a status.",
         .fix = "Register for the resource alone, or leave requests with a subResource as they are."},
};

}  // namespace fixpoint::properties
