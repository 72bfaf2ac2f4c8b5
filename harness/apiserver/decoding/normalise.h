#pragma once

#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// A decoded Pod after the way through the server's internal type and back (spec §4.4): serviceAccountName
/// and its deprecated alias in step, a negative grace period 1, annotations of init containers of old
/// dropped, a security context and the first pod IP always there, apiVersion and kind filled in. The same
/// node if nothing changes.
document::Value normalise_pod(const document::Value& pod);

}  // namespace fixpoint::apiserver
