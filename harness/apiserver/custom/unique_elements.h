#pragma once

#include "harness/apiserver/validation/errors.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::custom {

/// Adds the elements that stand twice in lists that are sets, and those with the keys of another in lists
/// that are maps, each once (apiextensions-apiserver/pkg/apiserver/schema/listtype
/// ValidateListSetsAndMaps).
void check_unique_elements(const document::Value& object, const document::Value& schema,
                           validation::Errors& errors);

}  // namespace fixpoint::apiserver::custom
