#include "harness/apiserver/registry.h"
#include "harness/properties/judge.h"
#include "harness/properties/probe.h"
#include "harness/properties/properties.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallEvent;
using cases::FieldError;

std::vector<FieldError> errors_of(const Examination& examination, Value pod) {
  const auto& value = examination.value;
  if (value.request.managed_fields && !pod["metadata"]["managedFields"].is_null()) {
    pod.edit("metadata").remove("managedFields");
  }
  return apiserver::store(value.request, pod, value.request.old_object, apiserver::minor_of(value.cluster))
      .invalid;
}

/// Errors that the Pod did not have before the call; those are the webhook's.
std::vector<FieldError> new_errors(const std::vector<FieldError>& before,
                                   const std::vector<FieldError>& after) {
  std::vector<FieldError> fresh;
  for (const FieldError& error : after) {
    if (std::find(before.begin(), before.end(), error) == before.end()) fresh.push_back(error);
  }
  return fresh;
}

}  // namespace

Judgement valid_spec(const Examination& examination) {
  const apiserver::Admission& admission = examination.admission;
  if (admission.calls.empty()) return not_reached("no webhook was called");
  if (!errors_of(examination, admission.first).empty()) return not_reached("the request's Pod was not valid");
  std::vector<FieldError> before;
  std::vector<Violation> violations;
  for (const CallEvent& event : admission.calls) {
    if (!event.hop.applied || event.hop.after.same(event.before)) continue;
    std::vector<FieldError> after = errors_of(examination, event.hop.after);
    const auto& webhook = admission.webhooks[static_cast<std::size_t>(event.index)];
    for (const FieldError& error :
         is_disturbed(examination, event) ? std::vector<FieldError>() : new_errors(before, after)) {
      Violation violation{.severity = Severity::error, .webhook = webhook.key, .path = error.field};
      violation.value = error.type;
      violation.shape = shape_of(error.field, event.hop.after, *event.hop.answer.patch) + ":" + error.type;
      violation.because =
          error.field + " is refused after the call: " + (error.message.empty() ? error.type : error.message);
      violations.push_back(std::move(violation));
    }
    before = std::move(after);
  }
  return judged(std::move(violations));
}

}  // namespace fixpoint::properties
