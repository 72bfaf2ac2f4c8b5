#pragma once

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Compares two decoded Pods by the API machinery's semantic equality (docs/simulator.md#4-3): quantities by
/// value; nil lists and maps equal empty ones, but nil objects differ from empty ones; the order of lists and
/// everything else exactly. Subtrees that are the same node cost nothing.
bool semantically_equal(const document::Value& a, const document::Value& b);

/// The same for two values of any type of the tables.
bool semantically_equal_as(const Type& type, const document::Value& a, const document::Value& b);

}  // namespace fixpoint::apiserver
