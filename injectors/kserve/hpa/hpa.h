#pragma once

#include <string_view>

#include "harness/reconcile/reconciler.h"

/// KServe's reconciler of a component's autoscaler in a raw deployment, release by release: it selects an
/// autoscaler by the class annotation, sets the owner, and reconciles.
namespace fixpoint::injectors::kserve::hpa {

/// Returns the reconciler of a known release.
reconcile::Reconciler reconciler(std::string_view release);

}  // namespace fixpoint::injectors::kserve::hpa
