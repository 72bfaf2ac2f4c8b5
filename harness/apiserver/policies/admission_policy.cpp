#include "harness/apiserver/policies/admission_policy.h"

#include <algorithm>
#include <optional>

#include "harness/apiserver/cel/compiled_once.h"
#include "harness/apiserver/types/policy_types.h"
#include "harness/cases/minors.h"
#include "harness/cases/webhook_configuration.h"

namespace fixpoint::apiserver::policies {

namespace {

using document::Error;
using document::Result;

/// The first minor whose servers run policies without a feature gate.
constexpr int kStableMinor = 36;

class Compiler {
 public:
  explicit Compiler(const Value& spec, int minor) : spec_(spec) {
    environment_.minor = minor;
    environment_.has_params = spec["paramKind"].is_object();
    environment_.has_authorizer = true;
    environment_.has_variables = true;
  }

  CompiledPolicy compiled() {
    for (const Value& variable : spec_["variables"].elements()) {
      cel::TypePtr type;
      PolicyExpression one = expression(variable, nullptr, &type);
      environment_.variables[one.name] = type ? cel::composed_type(type) : cel::read_type("dyn");
      policy_.variables.push_back(std::move(one));
    }
    for (const Value& condition : spec_["matchConditions"].elements())
      policy_.conditions.push_back(expression(condition, cel::read_type("bool")));
    for (const Value& validation : spec_["validations"].elements()) {
      Validation one{.expression = expression(validation, cel::read_type("bool"))};
      if (const Value& message = validation["messageExpression"]; !message.text().empty())
        one.message = expression({{"expression", message}}, cel::read_type("string"));
      policy_.validations.push_back(std::move(one));
    }
    environment_.has_patch_types = true;
    const cel::TypePtr object = cel::make_type(cel::TypeKind::message, "Object"),
                       patches = cel::list_type(cel::make_type(cel::TypeKind::message, "JSONPatch"));
    for (const Value& mutation : spec_["mutations"].elements()) {
      const bool is_json_patch = mutation["patchType"].text() == "JSONPatch";
      const Value& source = mutation[is_json_patch ? "jsonPatch" : "applyConfiguration"];
      policy_.mutations.push_back({is_json_patch, expression(source, is_json_patch ? patches : object)});
    }
    return std::move(policy_);
  }

 private:
  PolicyExpression expression(const Value& source, const cel::TypePtr& returns,
                              cel::TypePtr* type = nullptr) {
    PolicyExpression one{.name = std::string(source["name"].text()),
                         .source = std::string(source["expression"].text())};
    cel::Compiled compiled = cel::compile(one.source, environment_, returns);
    if (policy_.unsupported.empty()) policy_.unsupported = compiled.unsupported;
    if (type != nullptr && compiled.program) *type = compiled.program->type();
    one.program = std::move(compiled.program);
    one.error = std::move(compiled.error);
    return one;
  }

  const Value& spec_;
  cel::Environment environment_ = {};
  CompiledPolicy policy_ = {};
};

/// Policies are compiled once for each thread.
std::shared_ptr<const CompiledPolicy> compiled_policy(const Value& spec, int minor) {
  static thread_local std::vector<cel::KnownCompilation<CompiledPolicy>> known;
  return cel::compiled_once(known, spec, minor, [&] {
    return std::make_shared<const CompiledPolicy>(Compiler(spec, minor).compiled());
  });
}

/// Returns the policy with its bindings among those; nothing if it has none, or the server cannot read it.
std::optional<Policy> bound_policy(const Value& object, std::vector<Value> bindings,
                                   const cases::Cluster& cluster) {
  Policy policy{.name = std::string(object["metadata"]["name"].text()), .spec = object["spec"]};
  std::erase_if(bindings,
                [&](const Value& binding) { return binding["spec"]["policyName"].text() != policy.name; });
  policy.bindings = std::move(bindings);
  const std::string_view version = policy.spec["paramKind"]["apiVersion"].text();
  if (policy.bindings.empty() || std::count(version.begin(), version.end(), '/') > 1) return std::nullopt;
  policy.ignores_failure = policy.spec["failurePolicy"].text() == "Ignore";
  policy.compiled = compiled_policy(policy.spec, cases::minor_of(cluster));
  return policy;
}

}  // namespace

std::string key_of(const Policy& policy, const Value& binding) {
  return policy.name + "/" + std::string(binding["metadata"]["name"].text());
}

bool are_policies_enabled(const cases::Cluster& cluster) {
  const auto& gates = cluster.feature_gates;
  return cases::minor_of(cluster) >= kStableMinor ||
         std::find(gates.begin(), gates.end(), cases::kPolicyGate) != gates.end();
}

Result<std::vector<Policy>> read_policies(const cases::Cluster& cluster) {
  std::vector<Policy> all;
  if (!cluster.has_kind(cases::kPolicy) || !are_policies_enabled(cluster)) return all;
  const auto is_known = [&](const Value& object) {
    return knows_policies(object["apiVersion"].text(), cases::minor_of(cluster));
  };
  std::vector<Value> bindings;
  for (const Value* binding : cluster.of_kind(cases::kPolicyBinding))
    if (is_known(*binding)) bindings.push_back(*binding);
  for (const Value* object : cluster.of_kind(cases::kPolicy)) {
    auto policy = is_known(*object) ? bound_policy(*object, bindings, cluster) : std::nullopt;
    if (!policy) continue;
    policy->if_needed = policy->spec["reinvocationPolicy"].text() == "IfNeeded";
    if (!policy->compiled->unsupported.empty())
      return Error{"unsupported expression: " + policy->compiled->unsupported,
                   "MutatingAdmissionPolicy " + policy->name};
    find_param_kind(*policy, cluster);
    all.push_back(*std::move(policy));
  }
  const auto rank = [&](const Policy& policy) {
    return std::find(cluster.policy_order.begin(), cluster.policy_order.end(), policy.name) -
           cluster.policy_order.begin();
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Policy& a, const Policy& b) { return rank(a) < rank(b); });
  return all;
}

const Policy* find_apply_configuration(const std::vector<Policy>& policies) {
  const auto found = std::find_if(policies.begin(), policies.end(), [](const Policy& policy) {
    const auto& mutations = policy.compiled->mutations;
    return std::any_of(mutations.begin(), mutations.end(),
                       [](const Mutation& mutation) { return !mutation.is_json_patch; });
  });
  return found == policies.end() ? nullptr : &*found;
}

std::vector<Policy> read_validating_policies(const cases::Cluster& cluster) {
  std::vector<Policy> all;
  std::vector<Value> bindings;
  for (const Value* binding : cluster.of_kind(cases::kValidatingPolicyBinding)) bindings.push_back(*binding);
  for (const Value* object : cluster.of_kind(cases::kValidatingPolicy)) {
    auto policy = bound_policy(*object, bindings, cluster);
    if (!policy || !policy->compiled->unsupported.empty()) continue;
    find_param_kind(*policy, cluster);
    all.push_back(*std::move(policy));
  }
  return all;
}

}  // namespace fixpoint::apiserver::policies
