#include <algorithm>

#include "harness/apiserver/registry/strategies.h"
#include "harness/cases/kind.h"
#include "harness/properties/judge.h"
#include "harness/properties/later_requests.h"
#include "harness/properties/property.h"
#include "harness/properties/untyped.h"
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

/// Returns the path of the first thing that is written into a status; empty if there is none. What a typed
/// copy leaves out, or fills with zeros, is none.
std::string written_below(const Value& before, const Value& after, const std::string& path) {
  if (after.same(before) || after == before) return "";
  if (after.is_array() && before.is_array() && after.size() < before.size()) return path;
  for (const document::Member& member : after.members())
    if (auto found =
            written_below(before[member.key.name()], member.value, member_path(path, member.key.text()));
        !found.empty())
      return found;
  for (std::size_t i = 0; after.is_array() && i < after.size(); ++i) {
    const Value old = before.is_array() && i < before.size() ? before.at(i) : Value();
    if (auto found = written_below(old, after.at(i), element_path(path, i)); !found.empty()) return found;
  }
  const bool is_zero = after.is_null() || is_zero_or_false(after) || after == Value("");
  return is_scalar(after) && !is_zero ? path : "";
}

/// Adds what the call writes into the status of an object whose kind has that as a subresource: strategies of
/// such kinds take the status of the stored object (k8s.io/apiextensions-apiserver, customResourceStrategy).
void ask_status_of_object(const FirstCall& call, std::vector<Violation>& violations) {
  const Value &before = call.event.before, &after = call.event.result.after;
  const std::string path = written_below(before["status"], after["status"], "status");
  if (path.empty()) return;
  Violation violation{.severity = Severity::warning, .webhook = call.webhook.key, .path = path};
  violation.value = at_path(after, path);
  violation.shape = "status:of-object";
  violation.reason = path +
                     " is written in a request for the object, where the server drops it: its kind has the "
                     "subresource status";
  violations.push_back(std::move(violation));
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
  const cases::Request& request_of_case = examination.value.request;
  const cases::Kind kind = cases::kind_of(request_of_case, examination.value.cluster);
  std::vector<Violation> violations;
  if (kind.is_custom() && kind.has_subresource("status") && request_of_case.sub_resource.empty())
    for (const FirstCall& call : effective_calls(examination)) ask_status_of_object(call, violations);
  if (request_of_case.is_update())
    return violations.empty() ? not_applicable("the request is an update itself")
                              : judged(std::move(violations));
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
  if (!is_asked && violations.empty())
    return not_applicable("no webhook is asked for updates of a subresource");
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kSubresources = {
    .name = "subresources",
    .claim =
        "An update of the status or of scale is taken, and nothing is written where the server drops it.",
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
