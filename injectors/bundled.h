#pragma once

#include "harness/external/backends/bundled_webhooks.h"

namespace fixpoint::injectors {

/// Returns the injectors and reconcilers of this program, by name.
const external::Bundled& bundled();

}  // namespace fixpoint::injectors
