#pragma once

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Writes the defaults that stand in the tables of types: those that follow from the object itself. The same
/// node when all of them are there.
document::Value default_object(const Type& type, const document::Value& canonical, int minor);

}  // namespace fixpoint::apiserver
