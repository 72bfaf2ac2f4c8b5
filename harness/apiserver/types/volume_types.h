#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// Volumes and the claims inside them.
extern const Type kVolume;

}  // namespace fixpoint::apiserver
