#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// The status of a Pod.
extern const Type kPodStatus;

}  // namespace fixpoint::apiserver
