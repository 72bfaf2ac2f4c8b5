#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/validity.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallError;
using apiserver::CallEvent;

/// The server's words without the expression and the values that they quote.
std::string shape_of_failure(const std::string& said) {
  std::string shape;
  char quote = 0;
  for (const char c : said) {
    if (quote == 0 && c >= '0' && c <= '9') continue;
    if (quote == 0) shape += c;
    if (quote == c) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    }
  }
  return "fails: " + shape;
}

Violation failed(const apiserver::ConfiguredWebhook& policy, const CallEvent& event) {
  const std::string& said = event.result.said;
  Violation violation;
  violation.severity = policy.ignores_failure ? Severity::warning : Severity::error;
  violation.webhook = policy.key;
  violation.path = event.result.error == CallError::condition ? "matchConditions" : "mutations";
  violation.value = said;
  violation.shape = shape_of_failure(said);
  violation.because =
      "policy " + policy.configuration + " fails on a Pod that the server accepts (" + said + "): " +
      (policy.ignores_failure ? "with failurePolicy Ignore the Pod starts without the mutation"
                              : "with failurePolicy Fail nobody can create such a Pod");
  return violation;
}

Judgement expressions_evaluate(const Examination& examination) {
  const apiserver::Admission& admission = examination.admission;
  std::vector<Violation> violations;
  std::set<std::string> named;
  bool is_asked = false;
  for (const CallEvent& event : admission.calls) {
    const auto& policy = admission.webhooks[static_cast<std::size_t>(event.index)];
    if (!policy.is_policy) continue;
    is_asked = true;
    const bool has_failed =
        event.result.error == CallError::policy || event.result.error == CallError::condition;
    if (!has_failed || !is_storable(examination.value, event.before)) continue;
    if (named.insert(policy.key).second) violations.push_back(failed(policy, event));
  }
  const bool has_policy = std::any_of(admission.webhooks.begin(), admission.webhooks.end(),
                                      [](const auto& one) { return one.is_policy; });
  if (!has_policy) return not_applicable("the chain has no policy");
  if (!is_asked) return not_reached("no policy was evaluated");
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kExpressionsEvaluate = {
    .name = "expressions-evaluate",
    .claim = "Each expression of a policy can be evaluated for every Pod that the API server accepts.",
    .is_cheap = true,
    .ask = expressions_evaluate,
    .applies_to = is_policy,
    .explanation =
        {.example = "`object.spec.nodeSelector['disk']` fails on a Pod without a nodeSelector: no such key.",
         .matters = "With failurePolicy Fail nobody can create such a Pod; with Ignore it starts without the "
                    "mutation.",
         .fix = "Ask has() first, or use optional fields: `object.spec.?nodeSelector[?'disk'].orValue('')`."},
};

}  // namespace fixpoint::properties
