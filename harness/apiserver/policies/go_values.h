#pragma once

#include "harness/apiserver/cel/cel_value.h"
#include "harness/apiserver/cel/opaque.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::policies {

/// Returns the `Object{…}` that a value is, or nullptr.
const cel::ObjectBox* object_in(const cel::Datum& value);
/// A finite double as JSON, without an exponent where Go writes none.
document::Value value_of_double(double number);

/// The `Object{…}` of an apply configuration as the server's Go values, which the schema then judges
/// (apiserver/pkg/cel/mutation/dynamic/objects.go Value, convertField): lists and maps are those of Go only
/// directly in a field, and what no document has stands as a foreign_value().
document::Result<document::Value> go_value_of(const cel::Datum& object);

}  // namespace fixpoint::apiserver::policies
