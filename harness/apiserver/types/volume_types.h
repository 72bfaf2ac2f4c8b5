#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// Volumes, the claims inside them, and claims themselves.
extern const Type kVolume, kPersistentVolumeClaim, kTypedLocalObjectReference;

}  // namespace fixpoint::apiserver
