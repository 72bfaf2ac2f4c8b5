#pragma once

#include <functional>
#include <span>

#include "harness/cases/sequence.h"
#include "harness/reconcile/reconciler.h"

namespace fixpoint::generators {

/// Runs one pass of structural reductions (runner::ReduceSequence): fewer steps, a smaller initial object,
/// simpler components, and simpler values of these kinds of steps.
void reduce_sequence(cases::Sequence value, std::span<const reconcile::StepKind> kinds,
                     const std::function<bool(const cases::Sequence&)>& take);

}  // namespace fixpoint::generators
