#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// The kinds of batch/v1.
extern const Type kJob, kCronJob;

}  // namespace fixpoint::apiserver
