#pragma once

#include "harness/document/value.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::generators {

/// Draws a value for an openAPIV3Schema: required members always, the others in half of the values, enums,
/// bounds, formats and keys of lists respected, as far as a generator can. Of patterns, those of names,
/// quantities, paths and versions are met; for any other the string is a plain name. What describes a part of
/// a Pod is drawn as one (pod_parts.h). `depth_max` bounds recursion.
document::Value draw_schema_value(runner::Choices& choices, const document::Value& schema, int depth_max = 8);

}  // namespace fixpoint::generators
