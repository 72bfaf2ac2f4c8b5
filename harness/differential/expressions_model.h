#pragma once

#include <vector>

#include "harness/apiserver/dispatch/configuration.h"
#include "harness/apiserver/policies/admission_policy.h"
#include "harness/cases/case.h"
#include "harness/oracle/oracle_expression.h"

namespace fixpoint::apiserver {

/// Evaluates the expressions of a Case for the reference model with the simulator's CEL engine, of which
/// recorded vectors are the judge. `value` must outlive it.
class Expressions {
 public:
  explicit Expressions(const cases::Case& value);

  /// As oracle::Evaluate says.
  oracle::Json evaluate(const oracle::Expression& expression) const;

 private:
  const cases::Case& value_;
  std::vector<policies::Policy> policies_ = {};
  std::vector<ConfiguredWebhook> webhooks_ = {};
};

}  // namespace fixpoint::apiserver
