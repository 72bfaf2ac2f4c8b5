#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// An expression of the cluster, and what its names stand for.
struct Expression {
  enum class Use {
    webhook_condition,
    policy_condition,
    apply_configuration,
    json_patch,
  };
  Use use = Use::webhook_condition;
  std::string owner = {};  ///< the policy, or the webhook as <configuration>/<name>
  std::size_t number = 0;  ///< among the conditions or mutations of the owner
  std::string text = {};   ///< in CEL
  /// object, oldObject, request, and where the server has them namespaceObject and params.
  std::map<std::string, Json> names = {};
};

/// Thrown for an expression that does not compile or whose evaluation ends with an error.
struct ExpressionFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Thrown for a JSON Patch that crashes the server while it is converted.
struct ServerCrashed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Evaluates an expression: a condition to true or false, a mutation to the document of its apply
/// configuration or, as a string, to the bytes of its JSON Patch. The reference model has no CEL of its own;
/// it knows when an expression is evaluated and what follows.
using Evaluate = std::function<Json(const Expression&)>;

}  // namespace fixpoint::oracle
