#pragma once

#include "harness/cases/kind.h"
#include "harness/document/value.h"

// The steps that a custom resource's schema takes with its objects before anything is checked
// (apiextensions-apiserver/pkg/apiserver/schema). A schema is the openAPIV3Schema of a version as the
// definition has it.
namespace fixpoint::apiserver::custom {

using document::Value;

/// Returns the schema of the kind's version; null if it has none.
const Value& schema_of(const cases::Kind& kind);

/// Removes what the schema does not specify (schema/pruning). Of the root and of embedded resources
/// apiVersion, kind and metadata stay.
Value pruned(Value object, const Value& schema);

/// Removes members that are null where the schema is not nullable and has no default
/// (schema/defaulting PruneNonNullableNullsWithoutDefaults).
Value without_nulls(Value object, const Value& schema);

/// Sets absent members, and null ones that are not nullable, to their defaults, from the root down
/// (schema/defaulting Default).
Value with_defaults(Value object, const Value& schema);

/// Returns true if an object of the kind may hold anything: the version has no schema, or one that keeps
/// unknown members at its root and specifies none.
bool is_free(const cases::Kind& kind);

}  // namespace fixpoint::apiserver::custom
