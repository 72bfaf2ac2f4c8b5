#pragma once

#include <functional>

#include "harness/cases/sequence.h"

namespace fixpoint::generators {

/// One pass of structural reductions (runner::ReduceSequence): fewer steps, less of what is stored at first,
/// plainer components.
void reduce_sequence(cases::Sequence value, const std::function<bool(const cases::Sequence&)>& take);

}  // namespace fixpoint::generators
