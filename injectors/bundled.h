#pragma once

#include "harness/external/external_webhooks.h"

namespace fixpoint::injectors {

/// The injectors and reconcilers of this program, by name.
external::Bundled bundled();

}  // namespace fixpoint::injectors
