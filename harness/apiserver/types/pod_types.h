#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// The Pod itself.
extern const Type kPodSpec, kPod;

}  // namespace fixpoint::apiserver
