#pragma once

#include "harness/document/value.h"
#include "harness/runner/choices.h"

namespace fixpoint::generators {

/// Draws a value for an openAPIV3Schema: required members always, the others in half of the values, enums,
/// bounds and formats respected, as far as a generator can. Patterns other than the common ones are not
/// solved: their strings are plain names. `depth_max` bounds recursion.
document::Value draw_schema_value(runner::Choices& choices, const document::Value& schema, int depth_max = 8);

}  // namespace fixpoint::generators
