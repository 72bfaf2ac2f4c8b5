#pragma once

#include <span>

#include "harness/reconcile/reconciler.h"

namespace fixpoint::injectors::kserve::autoscaler {

/// Returns the kinds of steps besides `reconcile`:
/// - `set: CLASS`: the component's annotation for the class of its autoscaler; `absent` removes it;
/// - `user: create|update|delete`: a user's own autoscaler of the component's name;
/// - `stop: true|false`: the component's annotation that stops it.
std::span<const reconcile::StepKind> autoscaler_steps();

}  // namespace fixpoint::injectors::kserve::autoscaler
