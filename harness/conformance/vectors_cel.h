#pragma once

#include "harness/apiserver/cel/cel_value.h"
#include "harness/conformance/vectors.h"
#include "harness/document/value.h"

namespace fixpoint::conformance {

/// Compiles and evaluates the expression of a line, and compares value, messages and cost.
Compared check_cel(const document::Value& line, int minor);

/// The answer to the question of a line: `value`, `compileError` or `runtimeError`, and `cost`; or
/// `unsupported`.
document::Value answer_cel(const document::Value& line);

/// A value as lines write it: JSON where JSON says which type it has, else an object whose only member names
/// the type.
document::Value tagged_value(const apiserver::cel::Datum& value);

}  // namespace fixpoint::conformance
