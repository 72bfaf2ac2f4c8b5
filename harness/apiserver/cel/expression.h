#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// A compiled match condition: the part of CEL that match conditions use. Operators `||` `&&` `!` `==` `!=`
/// `<` `<=`
/// `>` `>=` `in`, member selection, indexing, `has()`, `size()`, `.exists()`, `.all()`, `.exists_one()`,
/// `.startsWith()`, `.endsWith()`, `.contains()`, and string, bool, int, list and null literals, on `object`,
/// `oldObject` and `request`. `&&`, `||` and the quantifiers absorb an error on one side, as CEL's do.
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
  bool is_refused = false;  ///< the whole: it is no condition for the server's compiler
};

/// What an expression can see.
struct ExpressionInput {
  document::Value object;
  document::Value old_object;
  document::Value request;
};

/// The result of a condition; `exhausted` is an evaluation that went over its budget (docs/simulator.md#2-1).
enum class Truth { no, yes, error, exhausted };

/// Whether the server's compiler takes it for a condition: types fit where they are known before the request,
/// and it is a boolean. What is looked up in an object is of no certain type, which fits everywhere but as
/// the whole condition.
bool is_condition(const Expression& expression);

/// Compiles; what is no condition is an error whenever it is evaluated. A construct outside the subset is an
/// error that begins with "unsupported".
document::Result<std::shared_ptr<const Expression>> compile_expression(std::string_view text);

/// Reads an expression for what it names, not to evaluate it: other variables and functions, optional
/// selection and `a ? b : c` are read, too, and a function stands for its arguments.
document::Result<std::shared_ptr<const Expression>> parse_expression(std::string_view text);

/// Evaluates; whatever is not a boolean in the end is an error. `budget` counts evaluated nodes and is taken
/// down.
Truth evaluate(const Expression& expression, const ExpressionInput& input, long& budget);

/// The steps that all conditions of one webhook may take together.
inline constexpr long kExpressionBudget = 1'000'000;

}  // namespace fixpoint::apiserver
