#include "harness/properties/second_process.h"

#include "harness/apiserver/types/equality.h"
#include "harness/document/json.h"
#include "harness/properties/probe.h"

namespace fixpoint::properties {

namespace {

using apiserver::Hop;

constexpr std::size_t kValueMax = 60;  ///< bytes of a value in a sentence

Hop call(const Examination& examination, const FirstCall& first, const webhooks::Handler& handler) {
  return call_webhook(first.webhook, handler,
                      {.request = examination.value.request,
                       .cluster = examination.value.cluster,
                       .object = first.event.before,
                       .number = first.event.number,
                       .minor = apiserver::minor_of(examination.value.cluster),
                       .name = first.event.before["metadata"]["name"].text()},
                      examination.limits);
}

bool is_same_answer(const Hop& a, const Hop& b) {
  return a.error == b.error && apiserver::semantically_equal(a.after, b.after);
}

std::string in_a_sentence(const Value& value) {
  if (value.is_null()) return "nothing";
  const std::string text = document::write_json(value);
  return text.size() <= kValueMax ? text : text.substr(0, kValueMax) + "…";
}

Violation difference(const FirstCall& first, const Hop& one, const Hop& other,
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

}  // namespace

std::vector<Violation> differences_of_second_processes(const Examination& examination,
                                                       const DifferenceSentence& because) {
  std::vector<Violation> violations;
  if (examination.replicas == nullptr) return violations;
  for (const apiserver::CallEvent& event : examination.admission.calls) {
    if (event.pass != 1 || !event.hop.called || is_disturbed(examination, event)) continue;
    const FirstCall first{examination.admission.webhooks[static_cast<std::size_t>(event.index)], event};
    const auto replica = examination.replicas->find(first.webhook.key);
    if (replica == examination.replicas->end()) continue;
    const Hop one = call(examination, first, examination.handlers.at(first.webhook.key));
    const Hop other = call(examination, first, replica->second);
    if (is_same_answer(one, other) || !is_same_answer(one, first.event.hop)) continue;
    violations.push_back(difference(first, one, other, because));
  }
  return violations;
}

}  // namespace fixpoint::properties
