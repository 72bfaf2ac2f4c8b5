#pragma once

#include "harness/conformance/vectors.h"
#include "harness/document/value.h"

namespace fixpoint::conformance {

/// Two calls of KServe's webhook of one release: errors and crashes, and the Pods as the newest types read
/// them.
Compared check_kserve(const document::Value& line, int minor);
/// A whole admission as a running API server answered it.
Compared check_live(const document::Value& line, int minor);

}  // namespace fixpoint::conformance
