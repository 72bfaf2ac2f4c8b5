#pragma once

#include "harness/external/external_webhooks.h"

namespace fixpoint::injectors {

/// The injectors and reconcilers of this program, by name.
const external::Bundled& bundled();

}  // namespace fixpoint::injectors
