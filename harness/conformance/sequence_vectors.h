#pragma once

#include <vector>

#include "harness/conformance/vectors.h"
#include "harness/reconcile/run_sequence.h"

namespace fixpoint::conformance {

/// Compares a reconciler with a recorded line of kind kserve-hpa. Compared for each step: the writes to the
/// autoscaler and to other objects, the autoscaler stored afterwards, and that there was an error or a crash,
/// but not its text.
Compared check_sequence(const document::Value& line, int minor);

/// Returns each step in the form of a line of kind live-sequence: its requests, its error, whether the
/// reconciler crashed, and the objects stored afterwards.
document::Value steps_of(const std::vector<reconcile::StepResult>& results);
/// Compares a simulated run with what a running server had (live_sequence.h): all of these, of an error the
/// reason.
Compared check_live_sequence(const document::Value& line, int minor);

}  // namespace fixpoint::conformance
