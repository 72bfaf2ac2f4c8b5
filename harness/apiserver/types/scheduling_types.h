#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// Affinity, tolerations, spreading.
extern const Type kAffinity, kToleration, kTopologySpreadConstraint;

}  // namespace fixpoint::apiserver
