#include "harness/properties/second_process.h"

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

}  // namespace

bool is_same_answer(const CallResult& a, const CallResult& b) {
  return a.error == b.error && apiserver::is_same_object(a.after, b.after);
}

Violation difference_of(const FirstCall& first, const CallResult& one, const CallResult& other,
                        const DifferenceSentence& because) {
  Violation violation{
      .severity = Severity::warning, .webhook = first.webhook.key, .verdict = "nondeterministic"};
  if (one.error != other.error) {
    violation.path = violation.shape = "error";
    violation.because = because("the answer", std::string(word(one.error)), std::string(word(other.error)));
    return violation;
  }
  violation.path = first_difference(one.after, other.after);
  violation.value = at_path(other.after, violation.path);
  violation.shape = shape_of(violation.path, other.after, Value());
  violation.because = because(violation.path, in_a_sentence(at_path(one.after, violation.path)),
                              in_a_sentence(violation.value));
  return violation;
}

std::vector<Violation> differences_of_second_processes(const Examination& examination,
                                                       const DifferenceSentence& because) {
  std::vector<Violation> violations;
  if (examination.replicas == nullptr) return violations;
  const Examination of_replicas{examination.value, *examination.replicas, examination.admission,
                                examination.limits};
  for (const apiserver::CallEvent& event : examination.admission.calls) {
    if (event.pass != 1 || !event.result.called || is_disturbed(examination, event)) continue;
    const FirstCall first{examination.admission.webhooks[static_cast<std::size_t>(event.index)], event};
    if (!examination.replicas->contains(first.webhook.key)) continue;
    const CallResult other = call_afresh(of_replicas, first.webhook, event.before);
    if (is_same_answer(event.result, other) || has_timed_out(event.result, other)) continue;
    if (!is_repeatable(examination, first.webhook, event.before, event.result)) continue;
    violations.push_back(difference_of(first, event.result, other, because));
    violations.back().calls = {
        {"the same call, in a second process", first.webhook.key, event.before, other}};
  }
  return violations;
}

}  // namespace fixpoint::properties
