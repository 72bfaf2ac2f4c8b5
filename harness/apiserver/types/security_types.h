#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// Security contexts.
extern const Type kSecurityContext, kPodSecurityContext;

}  // namespace fixpoint::apiserver
