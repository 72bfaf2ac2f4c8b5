#pragma once

#include <string>

#include "harness/document/value.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::generators {

/// Draws an expression of CEL from its grammar by type, mostly one that compiles; about `object` of
/// expression_variables(), with nesting up to `depth`.
std::string draw_expression(runner::Choices& choices, int depth = 4);

/// The variables that drawn expressions are about.
document::Value expression_variables();

}  // namespace fixpoint::generators
