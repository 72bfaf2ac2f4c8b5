#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// Probes and lifecycle handlers.
extern const Type kProbe, kLifecycle;

}  // namespace fixpoint::apiserver
