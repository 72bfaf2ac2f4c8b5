#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The warnings of a Pod's creation (spec §6.2), each as the server words it, in no certain order. Those of
/// AppArmor annotations come from prepare_for_create, whether the Pod is valid or not; these only with a
/// valid one.
std::vector<std::string> creation_warnings(const document::Value& prepared, int minor = kNewestMinor);

/// What the vector kind `warn` does: decodes and defaults, prepares, and sorts both kinds of warnings
/// together.
document::Result<std::vector<std::string>> warn_vector(const document::Value& pod, int minor = kNewestMinor);

}  // namespace fixpoint::apiserver
