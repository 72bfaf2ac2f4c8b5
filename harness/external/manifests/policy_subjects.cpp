#include "harness/external/manifests/policy_subjects.h"

#include <algorithm>

#include "harness/apiserver/matching/request_match.h"
#include "harness/apiserver/registrations/validate_policy.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::external {

namespace {

using document::Error;
using document::Value;
using runner::Subject;

/// What the generator learns from, in the form of a webhook configuration: selectors, rules and expressions.
Value as_configuration(const Value& policy, const std::vector<Value>& bindings) {
  const Value& spec = policy["spec"];
  Value expressions = Value::empty_list();
  const auto add = [&](const Value& source) {
    expressions.push_back({{"expression", source["expression"]}});
  };
  for (const char* list : {"matchConditions", "variables"})
    for (const Value& one : spec[list].elements()) add(one);
  for (const Value& mutation : spec["mutations"].elements())
    for (const char* kind : {"applyConfiguration", "jsonPatch"})
      if (mutation[kind].is_object()) add(mutation[kind]);
  Value webhooks = Value::empty_list();
  const auto add_webhook = [&](const Value& criteria, const Value& conditions) {
    webhooks.push_back({{"objectSelector", criteria["objectSelector"]},
                        {"namespaceSelector", criteria["namespaceSelector"]},
                        {"rules", criteria["resourceRules"]},
                        {"matchConditions", conditions}});
  };
  add_webhook(spec["matchConstraints"], expressions);
  for (const Value& binding : bindings) add_webhook(binding["spec"]["matchResources"], Value::empty_list());
  return {{"webhooks", webhooks}};
}

bool has_rule_for_any_pod(const Value& policy) {
  const Value& rules = policy["spec"]["matchConstraints"]["resourceRules"];
  const auto all = rules.elements();
  return std::any_of(all.begin(), all.end(), [](const Value& rule) {
    return apiserver::rule_matches(rule, "CREATE", "") || apiserver::rule_matches(rule, "UPDATE", "") ||
           apiserver::rule_matches(rule, "UPDATE", "ephemeralcontainers") ||
           apiserver::rule_matches(rule, "UPDATE", "resize");
  });
}

}  // namespace

std::optional<Error> PolicySubjects::take(const Value& document, const apiserver::WhereFieldIs& where) {
  if (document["metadata"]["name"].text().empty())
    return Error{"expected the object's name", "/metadata/name"};
  if (auto refused = apiserver::refusal_of_policy(document, apiserver::kNewestMinor, where)) return refused;
  (cases::is_policy(document) ? policies_ : bindings_).push_back(document);
  return std::nullopt;
}

std::vector<PolicySubject> PolicySubjects::subjects() const {
  std::vector<PolicySubject> all;
  for (const Value& policy : policies_) {
    if (!has_rule_for_any_pod(policy)) continue;
    PolicySubject one{
        .subject = {.name = std::string(policy["metadata"]["name"].text()), .configuration = policy}};
    for (const Value& binding : bindings_)
      if (binding["spec"]["policyName"].text() == one.subject.name) one.subject.objects.push_back(binding);
    if (one.subject.objects.empty()) {
      one.note = "policy \"" + one.subject.name + "\" has no binding here; it is tested as if it were bound";
      one.subject.objects.push_back({{"apiVersion", policy["apiVersion"]},
                                     {"kind", cases::kPolicyBinding},
                                     {"metadata", {{"name", one.subject.name}}},
                                     {"spec", {{"policyName", one.subject.name}}}});
    }
    runner::learn_from_configuration(one.subject.vocabulary, as_configuration(policy, one.subject.objects));
    runner::complete(one.subject.vocabulary);
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace fixpoint::external
