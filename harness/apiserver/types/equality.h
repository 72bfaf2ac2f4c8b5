#pragma once

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The API machinery's semantic equality of two decoded Pods (docs/simulator.md#4-3): quantities by value, no
/// difference between nil and empty lists and maps, one between nil and an empty object; order of lists and
/// everything else exact. Costs nothing for subtrees that are the same node.
bool semantically_equal(const document::Value& a, const document::Value& b);

/// The same for two values of any type of the tables.
bool semantically_equal_as(const Type& type, const document::Value& a, const document::Value& b);

}  // namespace fixpoint::apiserver
