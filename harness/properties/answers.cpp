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

/// The problem without the numbers of ports, processes and times.
std::string shape_of_problem(std::string problem) {
  std::erase_if(problem, [](char c) { return c >= '0' && c <= '9'; });
  return "broken off: " + problem;
}

Violation broke_off(const std::string& webhook, const std::string& problem) {
  Violation violation;
  violation.webhook = webhook;
  violation.path = "webhook";
  violation.value = problem;
  violation.shape = shape_of_problem(problem);
  violation.because =
      webhook + " broke off its answer (" + problem + "): the API server takes it for a failed call";
  return violation;
}

/// A webhook that recovers and one that does not have the same bug: the shape is that of a connection which
/// the panic closed.
Violation panicked(const std::string& webhook, const std::string& panic) {
  Violation violation = broke_off(webhook, "EOF (" + panic + ")");
  violation.value = "panic: " + panic;
  violation.because =
      webhook + " panicked (" + panic + "): its framework recovered and refused the Pod with 500";
  return violation;
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
    const auto panic = webhooks::recovered_panic(event.hop.answer);
    if (!panic && !is_broken_off(event)) continue;
    if (!named.insert(webhook.key).second) continue;
    violations.push_back(panic ? panicked(webhook.key, *panic) : broke_off(webhook.key, event.hop.problem));
  }
  if (!is_asked) return not_reached("a fault stood in front of every call");
  return judged(std::move(violations));
}

}  // namespace fixpoint::properties
