#pragma once

#include <string>

#include "harness/apiserver/matching/conditions.h"
#include "harness/apiserver/policies/admission_policy.h"

namespace fixpoint::apiserver::policies {

/// The cost units that one mutation may take (apiserver/pkg/apis/cel/config.go RuntimeCELCostBudget).
inline constexpr long kMutationBudget = 10'000'000;

/// One activation: the variables of a policy are computed when they are first read and kept for all of its
/// expressions (apiserver/pkg/admission/plugin/cel/activation.go Evaluate, composition.go).
class PolicyActivation {
 public:
  PolicyActivation(const CompiledPolicy& policy, cel::Activation inputs, long budget);
  PolicyActivation(const PolicyActivation&) = delete;
  PolicyActivation& operator=(const PolicyActivation&) = delete;

  Evaluated evaluate(const PolicyExpression& expression);

 private:
  cel::Datum variable(std::string_view name, bool& found);

  const CompiledPolicy& policy_;
  cel::Activation inputs_;
  long budget_;
  std::uint64_t variable_cost_ = 0;
  std::uint64_t costliest_ = 0;
  std::string failed_in_variable_ = {};  ///< the excerpt of the innermost one
};

/// Judges the match conditions of a policy for an activation.
ConditionsAnswer judge_conditions(const Policy& policy, PolicyActivation& activation);

}  // namespace fixpoint::apiserver::policies
