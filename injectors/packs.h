#pragma once

#include <span>

#include "harness/properties/packs/pack.h"

namespace fixpoint::injectors {

/// Returns the packs of properties that ship with the bundled injectors and reconcilers.
std::span<const properties::Pack> all_packs();

}  // namespace fixpoint::injectors
