#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/cel/cel.h"
#include "harness/cases/case.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

// MutatingAdmissionPolicies (docs/simulator.md#5-5) and validating ones: what the cluster has of them.
namespace fixpoint::apiserver::policies {

using document::Value;

/// An expression of a policy. Without a program it fails whenever it is evaluated, with `error`.
struct PolicyExpression {
  std::string name = {};  ///< of a condition or a variable
  std::string source = {};
  std::shared_ptr<const cel::Program> program = {};
  std::string error = {};
};

struct Mutation {
  bool is_json_patch = false;  ///< else an apply configuration
  PolicyExpression expression = {};
};

/// One of the conditions that a validating policy demands.
struct Validation {
  PolicyExpression expression = {};
  PolicyExpression message = {};  ///< messageExpression; without a source there is none
};

/// The expressions of a policy, compiled as those that a server has stored.
struct CompiledPolicy {
  std::vector<PolicyExpression> conditions = {}, variables = {};
  std::vector<Mutation> mutations = {};
  std::vector<Validation> validations = {};
  std::string unsupported = {};  ///< the first construct that fixpoint does not support
};

/// A policy with its bindings, with the API's defaults.
struct Policy {
  std::string name = {};
  Value spec = {};
  bool ignores_failure = false;
  bool if_needed = false;  ///< reinvocationPolicy
  std::string configuration_error = {};
  bool has_namespaced_params = false;
  std::shared_ptr<const CompiledPolicy> compiled = {};
  std::vector<Value> bindings = {};  ///< by name
};

/// The key of what a binding makes of a policy: <policy>/<binding>, like <configuration>/<webhook>.
std::string key_of(const Policy& policy, const Value& binding);

/// Notes whether the params of a policy have namespaces, or that the server does not know their kind.
void find_param_kind(Policy& policy, const cases::Cluster& cluster);

/// Returns true if a server of the cluster's minor runs policies: from 1.36 on, before with the feature gate.
bool are_policies_enabled(const cases::Cluster& cluster);

/// The policies of a cluster that have a binding, in the order of `policyOrder`, others after them by name.
/// An error for an expression that fixpoint does not support; it begins with "unsupported".
document::Result<std::vector<Policy>> read_policies(const cases::Cluster& cluster);

/// The ValidatingAdmissionPolicies of a cluster that have a binding, by name; without those of which an
/// expression is not supported.
std::vector<Policy> read_validating_policies(const cases::Cluster& cluster);

/// The objects that a binding gives a policy as params, one invocation for each. A null stands for none. An
/// error in the server's words (apiserver/pkg/admission/plugin/policy/generic/policy_dispatcher.go
/// CollectParams).
document::Result<std::vector<Value>> collect_params(const Policy& policy, const Value& binding,
                                                    const cases::Cluster& cluster,
                                                    const std::string& namespace_name);

/// Returns the first policy with an apply configuration; nullptr if all mutations are JSON patches.
const Policy* find_apply_configuration(const std::vector<Policy>& policies);

}  // namespace fixpoint::apiserver::policies
