#pragma once

#include "harness/conformance/vectors.h"

namespace fixpoint::conformance {

/// Compares a reconciler with a recorded line of kind kserve-hpa: per step what was asked about the
/// autoscaler and about other objects, what is stored, and that there was an error or a crash; not their
/// texts.
Compared check_sequence(const document::Value& line, int minor);

}  // namespace fixpoint::conformance
