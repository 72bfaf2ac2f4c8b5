#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// The Pod itself, and the template of one.
extern const Type kPodSpec, kPod, kPodTemplateSpec;

}  // namespace fixpoint::apiserver
