#include "harness/properties/answer_difference.h"

#include "harness/apiserver/decoding/server_status.h"
#include "harness/document/json.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;

constexpr std::size_t kValueMax = 60;  ///< bytes of a value in a sentence

std::string in_a_sentence(const Value& value) {
  if (value.is_null()) return "nothing";
  const std::string text = document::write_json(value);
  return text.size() <= kValueMax ? text : text.substr(0, kValueMax) + "…";
}

Violation violation_of(const FirstCall& first, const CallResult& other, const DifferenceSentence& reason) {
  const CallResult& one = first.event.result;
  Violation violation{
      .severity = Severity::warning, .webhook = first.webhook.key, .verdict = "nondeterministic"};
  if (one.error != other.error) {
    violation.path = violation.shape = "error";
    violation.reason = reason("the answer", std::string(word(one.error)), std::string(word(other.error)));
    return violation;
  }
  violation.path = first_difference_or_order(one.after, other.after);
  violation.value = at_path(other.after, violation.path);
  violation.shape = shape_of(violation.path, other.after, Value());
  violation.reason = reason(violation.path, in_a_sentence(at_path(one.after, violation.path)),
                            in_a_sentence(violation.value));
  return violation;
}

}  // namespace

bool differ(const CallResult& one, const CallResult& other) {
  const bool is_same = one.error == other.error && apiserver::is_same_object(one.after, other.after);
  return !is_same && !has_timed_out(one, other);
}

std::optional<Violation> difference_of(const Examination& examination, const FirstCall& first,
                                       const CallResult& other, const char* what,
                                       const DifferenceSentence& reason) {
  const auto& [webhook, event] = first;
  if (!differ(event.result, other) || !is_repeatable(examination, webhook, event.before, event.result))
    return std::nullopt;
  Violation violation = violation_of(first, other, reason);
  violation.calls = {{what, webhook.key, event.before, other}};
  return violation;
}

std::vector<Violation> differences_of_second_processes(const Examination& examination,
                                                       const DifferenceSentence& reason) {
  std::vector<Violation> violations;
  if (examination.replicas == nullptr) return violations;
  const Examination of_replicas{examination.value, *examination.replicas, examination.admission,
                                examination.limits};
  for (const apiserver::CallEvent& event : examination.admission.calls) {
    if (event.pass != 1 || !event.result.called || is_disturbed(examination, event)) continue;
    const FirstCall first{examination.admission.webhooks[static_cast<std::size_t>(event.index)], event};
    if (!examination.replicas->contains(first.webhook.key)) continue;
    const CallResult other = call_afresh(of_replicas, first.webhook, event.before);
    if (auto violation =
            difference_of(examination, first, other, "the same call, in a second process", reason))
      violations.push_back(*std::move(violation));
  }
  return violations;
}

}  // namespace fixpoint::properties
