#include "harness/conformance/live_policies.h"

#include <algorithm>
#include <array>

#include "harness/cases/webhook_configuration.h"
#include "harness/conformance/cluster_as_run.h"

namespace fixpoint::conformance {

using document::Value;

namespace {

constexpr const char* kNamespaceName = "kubernetes.io/metadata.name";
constexpr const char* kApiVersionOfPolicies = "admissionregistration.k8s.io/v1";
Value param_kind() { return {{"apiVersion", "v1"}, {"kind", "ConfigMap"}}; }

/// Returns true if a text of the value contains the word.
bool mentions(const Value& value, std::string_view word) {
  if (value.is_string()) return value.text().find(word) != std::string_view::npos;
  const auto elements = value.elements();
  if (std::any_of(elements.begin(), elements.end(), [&](const Value& one) { return mentions(one, word); }))
    return true;
  const auto members = value.members();
  return std::any_of(members.begin(), members.end(),
                     [&](const auto& member) { return mentions(member.value, word); });
}

/// The parts of an object that hold expressions of the request: of a policy, or of a webhook's conditions.
Value expressions_of(const Value& object) {
  if (cases::is_policy(object)) return object["spec"];
  std::vector<Value> conditions;
  if (cases::is_of_webhooks(object))
    for (const Value& webhook : object["webhooks"].elements())
      conditions.push_back(webhook["matchConditions"]);
  return conditions;
}

std::string beyond_a_server(const cases::Case& value, const Value& binding) {
  const Value& param = binding["spec"]["paramRef"];
  if (param.is_null()) return {};
  if (param["name"].text().empty()) return "a server has no order among the params of a selector";
  const std::string_view space = param["namespace"].text();
  if (!space.empty() && space != value.request.namespace_name)
    return "a param in another namespace than the Pod's is not created";
  const Value* policy = cases::find_configuration(value.cluster, binding["spec"]["policyName"].text());
  if (policy != nullptr && (*policy)["spec"]["paramKind"]["kind"].text() != "ConfigMap")
    return "a param that is no ConfigMap is not created";
  return {};
}

Value named(Value object, const std::string& name) {
  object.set("metadata", {{"name", name}});
  object.set("apiVersion", kApiVersionOfPolicies);
  return object;
}

Value registered_policy(Value policy, const std::string& prefix, const std::string& namespace_name,
                        const std::string& probe_label) {
  // A policy selects objects as a webhook does.
  Value criteria = policy["spec"]["matchConstraints"];
  criteria.set("rules", criteria["resourceRules"]);
  const Value narrow =
      narrowed({{"webhooks", Value::list({criteria})}}, namespace_name, probe_label)["webhooks"].at(0);
  criteria.remove("rules");
  criteria.set("resourceRules", narrow["rules"]);
  for (const char* selector : {"namespaceSelector", "objectSelector"})
    criteria.set(selector, narrow[selector]);
  policy.edit("spec").set("matchConstraints", criteria);
  const std::string name = prefix + std::string(policy["metadata"]["name"].text());
  return named(std::move(policy), name);
}

constexpr const char* kProbeParam = "fixpoint-live-param";

Value binding_with_param(const std::string& name, const Value& param) {
  Value spec{{"policyName", name}};
  if (!param.is_null()) spec.set("paramRef", param);
  return {{"apiVersion", kApiVersionOfPolicies},
          {"kind", cases::kPolicyBinding.kind},
          {"metadata", {{"name", name}}},
          {"spec", spec}};
}

Value probe_policy(const std::string& prefix, const std::string& namespace_name,
                   const std::string& probe_label) {
  const Value rule{{"apiGroups", Value::list({""})},
                   {"apiVersions", Value::list({"v1"})},
                   {"operations", Value::list({"CREATE"})},
                   {"resources", Value::list({"pods"})}};
  const std::string label =
      "Object{metadata: Object.metadata{labels: {'" + std::string(kPoliciesSeen) + "': 'yes'}}}";
  return {{"apiVersion", kApiVersionOfPolicies},
          {"kind", cases::kPolicy.kind},
          {"metadata", {{"name", prefix + "probe"}}},
          {"spec",
           {{"matchConstraints",
             {{"namespaceSelector", {{"matchLabels", {{kNamespaceName, namespace_name}}}}},
              {"objectSelector", {{"matchLabels", {{probe_label, "yes"}}}}},
              {"resourceRules", Value::list({rule})}}},
            {"failurePolicy", "Ignore"},
            {"reinvocationPolicy", "Never"},
            {"mutations", Value::list({Value{{"patchType", "ApplyConfiguration"},
                                             {"applyConfiguration", {{"expression", label}}}}})}}}};
}

}  // namespace

bool reads_user(const cases::Cluster& cluster) {
  return std::any_of(cluster.objects.begin(), cluster.objects.end(),
                     [](const Value& object) { return mentions(expressions_of(object), "userInfo"); });
}

std::string beyond_a_server(const cases::Case& value) {
  const auto bound = cases::bound_policies(value.cluster);
  if (bound.size() > 1) return "a server has no order among several bindings of policies";
  for (const Value& object : value.cluster.objects) {
    if (mentions(expressions_of(object), "authorizer")) return "the server's authorizer has rules of its own";
    if (!cases::is_policy_binding(object)) continue;
    if (std::string why = beyond_a_server(value, object); !why.empty()) return why;
  }
  return {};
}

bool has_params(const cases::Case& value) {
  const auto& objects = value.cluster.objects;
  return std::any_of(objects.begin(), objects.end(), [](const Value& object) {
    return cases::is_policy_binding(object) && object["spec"]["paramRef"].is_object();
  });
}

Value probe_param(const std::string& namespace_name) {
  return {{"apiVersion", "v1"},
          {"kind", "ConfigMap"},
          {"metadata", {{"name", kProbeParam}, {"namespace", namespace_name}}}};
}

std::vector<Registered> keeper_of_params(const std::string& prefix) {
  const std::string name = prefix + "keeper";
  Value policy = probe_policy(prefix, name, kProbeParam);  // for a namespace that does not exist
  policy.edit("metadata").set("name", name);
  policy.edit("spec").set("paramKind", param_kind());
  const Value param{{"name", kProbeParam}, {"namespace", name}, {"parameterNotFoundAction", "Allow"}};
  return {{kPoliciesPath, std::move(policy)}, {kPolicyBindingsPath, binding_with_param(name, param)}};
}

std::vector<Registered> registered_policies(const cases::Case& value, const std::string& prefix,
                                            const std::string& probe_label) {
  std::vector<Registered> all, bindings;
  const std::string& space = value.request.namespace_name;
  for (const Value& object : value.cluster.objects) {
    if (cases::is_policy(object))
      all.push_back({kPoliciesPath, registered_policy(object, prefix, space, probe_label)});
    if (!cases::is_policy_binding(object)) continue;
    Value binding = named(object, prefix + std::string(object["metadata"]["name"].text()));
    binding.edit("spec").set("policyName", prefix + std::string(object["spec"]["policyName"].text()));
    bindings.push_back({kPolicyBindingsPath, std::move(binding)});
  }
  Value probe = probe_policy(prefix, space, probe_label), param;
  if (has_params(value)) {
    probe.edit("spec").set("paramKind", param_kind());
    param = {{"name", kProbeParam}, {"namespace", space}, {"parameterNotFoundAction", "Allow"}};
  }
  all.push_back({kPoliciesPath, std::move(probe)});
  bindings.push_back({kPolicyBindingsPath, binding_with_param(prefix + "probe", param)});
  all.insert(all.end(), bindings.begin(), bindings.end());
  return all;
}

}  // namespace fixpoint::conformance
