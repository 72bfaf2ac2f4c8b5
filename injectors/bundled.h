#pragma once

#include "harness/external/backends/bundled.h"

namespace fixpoint::injectors {

/// Returns the injectors and reconcilers of this program, by name.
const external::Bundled& bundled();

}  // namespace fixpoint::injectors
