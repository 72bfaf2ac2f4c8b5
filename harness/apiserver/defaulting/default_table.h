#pragma once

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Applies the defaults listed in the tables of types: those that follow from the object itself. Returns the
/// same node if nothing is missing.
document::Value default_object(const Type& type, const document::Value& canonical, int minor);

}  // namespace fixpoint::apiserver
