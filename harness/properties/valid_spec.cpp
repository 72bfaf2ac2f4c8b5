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
  /// Of what the last call left, which is often what one before it made, the registry has them already.
  std::vector<FieldError> errors_after(const CallEvent& event) {
    const auto& admission = examination_.admission;
    const bool is_last = event.hop.after.same(admission.calls.back().hop.after);
    if (is_last && !admission.stored.is_null()) return admission.invalid;
    return errors_of(event.hop.after);
  }

 private:
  const Examination& examination_;
  Value passed_;
};

/// Errors that the Pod did not have when the webhook got it; those are the webhook's. What a plugin made of
/// the Pod between two calls (LimitRanger fills in a container that came late) stands there before the call.
std::vector<FieldError> new_errors(const Examination& examination, const CallEvent& event, InTurn& pods) {
  std::vector<FieldError> after = pods.errors_after(event);
  if (after.empty()) return after;
  std::multiset<std::string> known;
  for (const FieldError& error : errors_of(examination, event.before))
    known.insert(identity_of(error, event.before));
  std::erase_if(after, [&](const FieldError& error) {
    const auto old = known.find(identity_of(error, event.hop.after));
    if (old == known.end()) return false;
    known.erase(old);
    return true;
  });
  return after;
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
  std::vector<Violation> violations;
  for (const CallEvent& event : admission.calls) {
    if (!event.hop.applied || event.hop.after.same(event.before) || is_disturbed(examination, event))
      continue;
    for (const FieldError& error : new_errors(examination, event, pods))
      violations.push_back(describe(examination, event, error));
  }
  return judged(std::move(violations));
}

}  // namespace fixpoint::properties
