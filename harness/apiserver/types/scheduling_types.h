#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// Affinity, tolerations, spreading.
extern const Type kNodeAffinity, kAffinity, kToleration, kTopologySpreadConstraint;

}  // namespace fixpoint::apiserver
