#pragma once

#include "harness/conformance/vectors.h"

namespace fixpoint::conformance {

/// Compares a reconciler with a recorded line of kind kserve-hpa. Compared for each step: the writes to the
/// autoscaler and to other objects, the autoscaler stored afterwards, and that there was an error or a crash,
/// but not its text.
Compared check_sequence(const document::Value& line, int minor);

}  // namespace fixpoint::conformance
