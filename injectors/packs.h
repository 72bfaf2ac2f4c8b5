#pragma once

#include <span>

#include "harness/properties/pack.h"

namespace fixpoint::injectors {

/// The packs of properties that come with the bundled injectors and reconcilers.
std::span<const properties::Pack> all_packs();

}  // namespace fixpoint::injectors
