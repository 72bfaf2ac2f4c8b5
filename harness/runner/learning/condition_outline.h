#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::runner {

/// The names and constants that a CEL expression asks for. A function that says nothing is replaced by its
/// receiver or the list of its arguments, and `a ? b : c` by `a && b || c`; optional selection is selection.
struct Outline {
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
  std::vector<std::unique_ptr<Outline>> parts = {};
};

/// The outline of an expression, whatever variables and functions it uses.
document::Result<std::unique_ptr<Outline>> outline_of(std::string_view expression);

}  // namespace fixpoint::runner
