#include "harness/external/manifests/policy_subjects.h"

#include <algorithm>

#include "harness/apiserver/registrations/validate_policy.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/external/manifests/selected_kinds.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::external {

namespace {

using document::Error;
using document::Value;
using runner::Subject;

/// The input of the generator's learning, in the form of a webhook configuration: selectors, rules and
/// expressions.
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

}  // namespace

std::optional<Error> PolicySubjects::take(const Value& document, const apiserver::WhereFieldIs& where) {
  if (document["metadata"]["name"].text().empty())
    return Error{"expected the object's name", "/metadata/name"};
  if (auto refused = apiserver::refusal_of_policy(document, apiserver::kNewestMinor, where)) return refused;
  (cases::is_policy(document) ? policies_ : bindings_).push_back(document);
  return std::nullopt;
}

std::vector<PolicySubject> PolicySubjects::subjects(const std::vector<Value>& definitions) const {
  std::vector<PolicySubject> all;
  for (const Value& policy : policies_) {
    const std::vector<Value> rules = rules_of(policy);
    PolicySubject one{.subject = {.name = std::string(policy["metadata"]["name"].text()),
                                  .configuration = policy,
                                  .kinds = selected_kinds(rules, definitions),
                                  .other_resources = other_resources(rules, definitions)}};
    if (one.subject.kinds.empty() && one.subject.other_resources.empty()) continue;
    for (const Value& binding : bindings_)
      if (binding["spec"]["policyName"].text() == one.subject.name) one.subject.objects.push_back(binding);
    if (one.subject.objects.empty()) {
      one.note = "policy \"" + one.subject.name + "\" has no binding here; it is tested as if it were bound";
      one.subject.objects.push_back({{"apiVersion", policy["apiVersion"]},
                                     {"kind", cases::kPolicyBinding.kind},
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
