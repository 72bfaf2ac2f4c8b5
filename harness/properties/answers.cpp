#include <set>
#include <string>
#include <vector>

#include "harness/properties/judge.h"
#include "harness/properties/probe.h"
#include "harness/properties/properties.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallError;
using apiserver::CallEvent;

/// Whether calling failed through the webhook's own doing: it broke off, or its answer could not be used.
bool is_broken_off(const CallEvent& event) {
  switch (event.hop.error) {
    case CallError::call:
    case CallError::ignored:
    case CallError::internal:
      return true;
    default:
      return false;
  }
}

/// How it broke off, without the numbers of ports, processes and times.
std::string shape_of_problem(std::string problem) {
  std::erase_if(problem, [](char c) { return c >= '0' && c <= '9'; });
  return "broken off: " + problem;
}

}  // namespace

Judgement answers(const Examination& examination) {
  const apiserver::Admission& admission = examination.admission;
  if (admission.calls.empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  std::set<std::string> named;
  bool is_asked = false;
  for (const CallEvent& event : admission.calls) {
    if (is_disturbed(examination, event)) continue;
    is_asked = true;
    const auto& webhook = admission.webhooks[static_cast<std::size_t>(event.index)];
    if (!is_broken_off(event) || !named.insert(webhook.key).second) continue;
    Violation violation;
    violation.webhook = webhook.key;
    violation.path = "webhook";
    violation.value = event.hop.problem;
    violation.shape = shape_of_problem(event.hop.problem);
    violation.because = webhook.key + " broke off its answer (" + event.hop.problem +
                        "): the API server takes it for a failed call";
    violations.push_back(std::move(violation));
  }
  if (!is_asked) return not_reached("a fault stood in front of every call");
  return judged(std::move(violations));
}

}  // namespace fixpoint::properties
