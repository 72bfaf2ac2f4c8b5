#pragma once

#include "harness/apiserver/types/field.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// A decoded Pod with the API server's defaults (docs/simulator.md#9). Returns the same node if nothing
/// changes; parts that an earlier call has defaulted cost nothing.
document::Value default_pod(const document::Value& decoded, int minor = kNewestMinor);

}  // namespace fixpoint::apiserver
