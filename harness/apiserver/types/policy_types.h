#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

extern const Type kMutatingAdmissionPolicy, kMutatingAdmissionPolicyBinding;

}  // namespace fixpoint::apiserver
