#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The warnings of a Pod's creation (docs/simulator.md#6-2), each as the server words it, in no certain
/// order, for a valid Pod only. Those of AppArmor annotations come from prepare_for_create, also for an
/// invalid one.
std::vector<std::string> creation_warnings(const document::Value& prepared, int minor = kNewestMinor);

/// What the vector kind `warn` does: decodes and defaults, prepares, and sorts both kinds of warnings
/// together.
document::Result<std::vector<std::string>> warn_vector(const document::Value& pod, int minor = kNewestMinor);

}  // namespace fixpoint::apiserver
