#pragma once

#include <map>
#include <string>

#include "harness/oracle/oracle_cel_syntax.h"

namespace fixpoint::oracle {

/// The names of an expression with what is known of their types: `dyn`, `bool`, `list(T)`, `map(T)` (of the
/// values), `optional(T)`, `Object.spec`, `request`, `namespace`, `authorizer`. A variable x is there as
/// `variables.x`.
using CelKinds = std::map<std::string, std::string>;

/// Says what type an expression certainly has, in as far as the server looks at it: a condition must be a
/// `bool`, a mutation an `Object` or a `list(JSONPatch)`, and `dyn` is neither. It is no check of types; it
/// throws CelFailed for some expressions that do not compile: an undeclared name, alternatives or operands of
/// different types. `?` is a type of which nothing is said.
std::string cel_kind(const CelNode& expression, const CelKinds& names);

}  // namespace fixpoint::oracle
