#pragma once

#include "harness/properties/property.h"

namespace fixpoint::injectors::kserve::volumes {

/// What the webhook mounts is the volume that it means, not one of the user's that has its name.
properties::Judgement mounts_own_volumes(const properties::Examination& examination);

}  // namespace fixpoint::injectors::kserve::volumes
