#pragma once

#include <functional>
#include <string>

#include "harness/oracle/oracle_answer.h"
#include "harness/oracle/oracle_expression.h"
#include "harness/oracle/oracle_steps.h"

namespace fixpoint::oracle {

/// A rule that the reference model leaves out, so that tests can see whether a comparison notices it.
enum class Forgotten {
  nothing,
  second_pass,     ///< a policy that was evaluated asks for it
  own_run,         ///< and is due there by its own run
  guard,           ///< match conditions
  constraints,     ///< matchConstraints and matchResources
  order,           ///< policyOrder
  failure_policy,  ///< Fail
  failed_test,     ///< leaves the object alone
  defaults,        ///< are set after each mutation
  due_webhooks,    ///< pass 2 calls those alone that were due
  own_change,      ///< makes no webhook due
  failed_call,     ///< failurePolicy Ignore passes it over
};

/// The parts of an admission that the reference model does not contain.
struct Environment {
  /// Calls the webhook <configuration>/<webhook> with the body of an AdmissionReview; `number` counts the
  /// webhook's calls.
  std::function<Answer(const std::string& webhook, const std::string& review, int number)> call;
  Evaluate evaluate;
  Steps steps;
  Forgotten forgotten = Forgotten::nothing;
};

}  // namespace fixpoint::oracle
