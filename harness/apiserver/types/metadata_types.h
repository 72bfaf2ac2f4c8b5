#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// Object metadata, label selectors and references.
extern const Type kObjectMeta, kLabelSelector, kLocalObjectReference, kObjectReference;

}  // namespace fixpoint::apiserver
