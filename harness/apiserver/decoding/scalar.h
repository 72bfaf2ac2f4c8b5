#pragma once

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Decodes a value that is neither list, map nor object; `out` is the same node if it is canonical. Returns
/// false if the API server rejects the value. Null is supported only for quantities, times and
/// ints-or-strings, which it sets to zero.
bool decode_scalar(Shape shape, const document::Value& sent, document::Value& out);

/// The value that null gives a scalar that is no pointer.
document::Value zero_scalar(Shape shape);

}  // namespace fixpoint::apiserver
