#pragma once

#include "harness/conformance/vectors.h"
#include "harness/document/value.h"

namespace fixpoint::conformance {

/// Compares two calls of one release of KServe's webhook: errors, crashes, and the Pods as the newest types
/// decode them.
Compared check_kserve(const document::Value& line, int minor);
/// Compares a whole admission with the answer of a running API server.
Compared check_live(const document::Value& line, int minor);

}  // namespace fixpoint::conformance
