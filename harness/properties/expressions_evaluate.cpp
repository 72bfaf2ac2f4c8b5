#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/apiserver/cel/cel.h"
#include "harness/properties/judge.h"
#include "harness/properties/message_shape.h"
#include "harness/properties/property.h"
#include "harness/properties/validity.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallError;
using apiserver::CallEvent;

/// The server's words without the values that they quote, and without numbers; `problem` has no expression.
std::string shape_of_failure(const std::string& problem) {
  std::string shape = "fails: ";
  for (const char c : without_quoted(problem, "…'"))
    if (c < '0' || c > '9') shape += c;
  return shape;
}

Violation failed(const apiserver::ConfiguredWebhook& policy, const CallEvent& event) {
  const std::string& said = event.result.said;
  Violation violation;
  violation.severity = policy.ignores_failure ? Severity::warning : Severity::error;
  violation.webhook = policy.key;
  violation.path = event.result.error == CallError::condition ? "matchConditions" : "mutations";
  violation.value = said;
  violation.shape = shape_of_failure(event.result.problem);
  violation.excerpt = event.result.excerpt;
  violation.reason = "policy " + policy.configuration + " fails on a Pod that the server accepts (" + said +
                     "): " +
                     (policy.ignores_failure ? "with failurePolicy Ignore the Pod starts without the mutation"
                                             : "with failurePolicy Fail nobody can create such a Pod");
  return violation;
}

using Verdict = apiserver::ConditionVerdict;

/// The results of one match condition in a Case.
struct ConditionInCase {
  std::set<Verdict::Is> verdicts = {};
  std::uint64_t cost = 0;
};

/// The costs that are observed: at least half of what one evaluation may take.
constexpr std::uint64_t kCostlyMin = apiserver::cel::kCallCostMax / 2;

Observation costly(const std::string& webhook, const std::string& path) {
  return {"costly", webhook, path,
          "takes at least half of the " + std::to_string(apiserver::cel::kCallCostMax) +
              " cost units that the server allows to one evaluation, for " + path};
}

Observation result_of(const std::string& webhook, const std::string& path, const ConditionInCase& condition) {
  const bool is_constant = condition.verdicts.size() == 1;
  if (is_constant && condition.verdicts.contains(Verdict::Is::yes))
    return {"always-true", webhook, path, path + " was true in every Case: it keeps nothing out"};
  if (is_constant && condition.verdicts.contains(Verdict::Is::no))
    return {"always-false", webhook, path, path + " was false in every Case: the policy never acts"};
  return {std::string(kVaries), webhook, path, ""};
}

std::vector<Observation> observed(const apiserver::Admission& admission) {
  std::vector<Observation> all;
  std::map<std::pair<std::string, std::string>, ConditionInCase> conditions;
  for (const auto& event : admission.conditions) {
    ConditionInCase& condition =
        conditions[{event.policy + "/" + event.binding, "matchConditions[" + event.condition + "]"}];
    condition.verdicts.insert(event.verdict.is);
    condition.cost = std::max(condition.cost, event.verdict.cost);
  }
  for (const auto& [key, condition] : conditions) {
    all.push_back(result_of(key.first, key.second, condition));
    if (condition.cost >= kCostlyMin) all.push_back(costly(key.first, key.second));
  }
  for (const auto& event : admission.policies)
    for (std::size_t i = 0; i < event.costs.size(); ++i)
      if (event.costs[i] >= kCostlyMin)
        all.push_back(costly(event.policy + "/" + event.binding, "mutations[" + std::to_string(i) + "]"));
  return all;
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
  if (!is_asked) return Skipped{Skipped::Why::not_reached, "no policy was evaluated", observed(admission)};
  return judged(std::move(violations), observed(admission));
}

}  // namespace

extern constinit const Property kExpressionsEvaluate = {
    .name = "expressions-evaluate",
    .claim = "Each expression of a policy can be evaluated for every Pod that the API server accepts.",
    .is_cheap = true,
    .ask = expressions_evaluate,
    .takes_any_kind = true,
    .applies_to = is_policy,
    .explanation =
        {.example = "`object.spec.nodeSelector['disk']` fails on a Pod without a nodeSelector: no such key.",
         .matters = "With failurePolicy Fail nobody can create such a Pod; with Ignore it starts without the "
                    "mutation.",
         .fix = "Ask has() first, or use optional fields: `object.spec.?nodeSelector[?'disk'].orValue('')`."},
};

}  // namespace fixpoint::properties
