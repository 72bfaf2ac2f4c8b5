#pragma once

#include <string_view>

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

extern const Type kMutatingAdmissionPolicy, kMutatingAdmissionPolicyBinding;

/// Returns true if the servers of the minor know policies in that version, as apiVersion writes it.
bool knows_policies(std::string_view api_version, int minor);

}  // namespace fixpoint::apiserver
