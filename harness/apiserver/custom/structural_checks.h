#pragma once

#include "harness/apiserver/validation/errors.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::custom {

/// Adds the reasons for which a schema is not structural: members without a type, keywords inside allOf,
/// anyOf, oneOf and not that only the schema around them may have, and members that only those specify
/// (apiextensions-apiserver/pkg/apiserver/schema ValidateStructural).
void check_structure(const document::Value& schema, const validation::Path& path, validation::Errors& errors);

/// Returns false for a schema with a keyword that no structural one can hold, of which the server asks
/// nothing else about its structure (NewStructural).
bool can_be_structural(const document::Value& schema);

}  // namespace fixpoint::apiserver::custom
