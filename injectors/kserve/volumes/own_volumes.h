#pragma once

#include "harness/properties/property.h"

namespace fixpoint::injectors::kserve::volumes {

/// The webhook mounts the volume that it means, not one of the user's that has its name.
properties::Judgement mounts_own_volumes(const properties::Examination& examination);

}  // namespace fixpoint::injectors::kserve::volumes
