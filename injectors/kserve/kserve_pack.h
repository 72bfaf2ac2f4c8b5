#pragma once

#include "harness/properties/packs/pack.h"

namespace fixpoint::injectors::kserve {

/// Returns the properties that need knowledge of KServe: of its agent and of its autoscaler reconciler.
properties::Pack kserve_pack();

}  // namespace fixpoint::injectors::kserve
