#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// Containers and what belongs to one.
extern const Type kResourceRequirements, kContainer, kEphemeralContainer;

}  // namespace fixpoint::apiserver
