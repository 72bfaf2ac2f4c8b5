#include <set>

#include "harness/properties/judge.h"
#include "harness/properties/probe.h"
#include "harness/properties/properties.h"
#include "harness/properties/validity.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallEvent;
using cases::FieldError;

/// Judges the Pods of an admission in their order: what a call leaves as it was has passed with the Pod
/// before, and much of the first with the one that the registry took.
class InTurn {
 public:
  explicit InTurn(const Examination& examination)
      : examination_(examination), passed_(passed_in(examination)) {}

  std::vector<FieldError> errors_of(const Value& pod) {
    auto stored = stored_as_is(examination_.value, pod, passed_);
    if (stored.invalid.empty() && !examination_.value.request.is_update()) passed_ = std::move(stored.object);
    return std::move(stored.invalid);
  }
  /// Of the last call's result the registry has them already.
  std::vector<FieldError> errors_after(const CallEvent& event) {
    const auto& admission = examination_.admission;
    if (&event == &admission.calls.back() && !admission.stored.is_null()) return admission.invalid;
    return errors_of(event.hop.after);
  }

 private:
  const Examination& examination_;
  Value passed_;
};

/// Errors that the Pod did not have before the call; those are the webhook's.
std::vector<FieldError> new_errors(const std::multiset<std::string>& before,
                                   const std::vector<FieldError>& after, const Value& pod) {
  std::multiset<std::string> known = before;
  std::vector<FieldError> fresh;
  for (const FieldError& error : after) {
    const auto old = known.find(identity_of(error, pod));
    if (old == known.end()) {
      fresh.push_back(error);
    } else {
      known.erase(old);
    }
  }
  return fresh;
}

Violation describe(const Examination& examination, const CallEvent& event, const FieldError& error) {
  Violation violation{.severity = Severity::error, .path = error.field};
  violation.webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)].key;
  violation.value = error.type;
  violation.shape = shape_of(error.field, event.hop.after, *event.hop.answer.patch) + ":" + error.type;
  violation.because = error.field + " is refused after the call: ";
  violation.because += error.message.empty() ? error.type : error.message;
  return violation;
}

}  // namespace

Judgement valid_spec(const Examination& examination) {
  const apiserver::Admission& admission = examination.admission;
  if (admission.calls.empty()) return not_reached("no webhook was called");
  InTurn pods(examination);
  if (!pods.errors_of(admission.first).empty()) return not_reached("the request's Pod was not valid");
  std::multiset<std::string> before;
  std::vector<Violation> violations;
  for (const CallEvent& event : admission.calls) {
    if (!event.hop.applied || event.hop.after.same(event.before)) continue;
    const Value& pod = event.hop.after;
    const std::vector<FieldError> after = pods.errors_after(event);
    if (!is_disturbed(examination, event)) {
      for (const FieldError& error : new_errors(before, after, pod)) {
        violations.push_back(describe(examination, event, error));
      }
    }
    before.clear();
    for (const FieldError& error : after) before.insert(identity_of(error, pod));
  }
  return judged(std::move(violations));
}

}  // namespace fixpoint::properties
