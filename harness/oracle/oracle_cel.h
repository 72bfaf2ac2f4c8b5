#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/oracle/oracle_cel_syntax.h"
#include "harness/oracle/oracle_cel_value.h"

namespace fixpoint::oracle {

/// The names that an expression may use.
struct CelInputs {
  std::map<std::string, CelValue> values = {};
  /// Computes `variables.NAME`; throws CelFailed.
  std::function<CelValue(const std::string& name)> variable = {};
  /// Answers the authorizer's questions by their parts: whether it is allowed, and why.
  std::function<std::pair<bool, std::string>(const std::map<std::string, std::string>& question)> decide = {};
};

/// Evaluates an expression of CEL as Kubernetes' policies use it (cel-spec doc/langdef.md,
/// apiserver/pkg/cel/library): it walks the tree, without a check of types and without costs, so it is meant
/// for expressions that compile. Throws CelFailed where the evaluation ends with an error, and Unsupported,
/// with its name, for a function that it does not have.
CelValue evaluate_cel(const CelNode& expression, const CelInputs& inputs);

/// Calls a function that is neither a macro nor an operator with a meaning of its own; a target is the first
/// of the arguments.
CelValue call_cel_function(const std::string& name, bool has_target, const std::vector<CelValue>& arguments);

/// `a[b]` and `a.b`; throws CelFailed if there is none.
CelValue cel_member(const CelValue& of, const CelValue& key);
/// The value of a key, or nothing: an optional.
CelValue cel_optional_member(const CelValue& of, const CelValue& key);

/// The operators that compute: `+`, `-`, `*`, `/`, `%`, and `-` with one operand.
CelValue cel_arithmetic(const std::string& sign, const CelValue& a, const CelValue& b);
CelValue cel_negative(const CelValue& value);

}  // namespace fixpoint::oracle
