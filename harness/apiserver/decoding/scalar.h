#pragma once

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Decodes a value that is neither list, map nor object; `out` is the same node when it is canonical. False
/// when the API server refuses it. Null is not handled here but for quantities, times and ints-or-strings,
/// which turn it to zero.
bool decode_scalar(Shape shape, const document::Value& sent, document::Value& out);

/// What null makes of a scalar that is no pointer.
document::Value zero_scalar(Shape shape);

}  // namespace fixpoint::apiserver
