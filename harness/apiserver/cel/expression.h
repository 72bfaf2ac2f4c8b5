#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// A compiled match condition: the part of CEL that match conditions use. Operators `||` `&&` `!` `==` `!=`
/// `<` `<=` `>` `>=` `in`, member selection, indexing, `has()`, `size()`, `.exists()`, `.all()`,
/// `.exists_one()`, `.startsWith()`, `.endsWith()`, `.contains()`, and string, bool, int, list and null
/// literals, on `object`, `oldObject` and `request`. `&&`, `||` and the quantifiers absorb an error on one
/// side, as CEL's do.
struct Expression {
  enum class Op {
    literal,
    name,
    select,
    index,
    has,
    list,
    negate,
    logical_or,
    logical_and,
    equal,
    unequal,
    less,
    less_or_equal,
    greater,
    greater_or_equal,
    in,
    size,
    exists,
    all,
    exists_one,
    starts_with,
    ends_with,
    contains
  };
  Op op = Op::literal;
  document::Value literal = {};
  std::string name = {};  ///< of a variable, a member, or a quantifier's variable
  std::vector<std::unique_ptr<Expression>> parts = {};
  bool is_refused = false;  ///< set on the root: the server's compiler rejects the expression
};

/// The variables of an expression.
struct ExpressionInput {
  document::Value object;
  document::Value old_object;
  document::Value request;
};

/// The result of a condition; `exhausted` is an evaluation that went over its budget (docs/simulator.md#2-1).
enum class Truth { no, yes, error, exhausted };

/// Returns true if the server's compiler accepts the expression as a condition: all types that are known
/// before the request fit, and the result is a boolean. A value looked up in an object has a dynamic type,
/// which fits everywhere except as the whole condition.
bool is_condition(const Expression& expression);

/// Compiles an expression. One that is no condition evaluates to an error every time. A construct outside the
/// subset is an error that begins with "unsupported".
document::Result<std::shared_ptr<const Expression>> compile_expression(std::string_view text);

/// Parses an expression only for the names in it, not for evaluation: accepts other variables and functions,
/// optional selection and `a ? b : c`, and replaces a function by its arguments.
document::Result<std::shared_ptr<const Expression>> parse_expression(std::string_view text);

/// Evaluates; a result that is no boolean is an error. `budget` counts evaluated nodes down.
Truth evaluate(const Expression& expression, const ExpressionInput& input, long& budget);

/// The maximal number of steps for all conditions of one webhook together.
inline constexpr long kExpressionBudget = 1'000'000;

}  // namespace fixpoint::apiserver
