#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// Containers and what belongs to one.
extern const Type kResourceRequirements, kContainer, kEphemeralContainer;

/// The lists of a Pod's containers in the order in which the server visits them, and those whose containers a
/// Pod has from the beginning.
inline constexpr document::Name kContainerLists[] = {"initContainers", "containers", "ephemeralContainers"};
inline constexpr document::Name kRunContainers[] = {"containers", "initContainers"};

}  // namespace fixpoint::apiserver
