#pragma once

#include <string>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The fields that strict decoding rejects in an object of a kind in the scheme that is no Pod, as far as a
/// Pod's own members go: `unknown field "spec.containers"`. A JSON Patch of a policy that changes the kind is
/// decoded so (apiserver/pkg/admission/plugin/policy/mutating/patch/json_patch.go). Other members of such a
/// kind's spec are not known here, and pass.
std::vector<std::string> strict_problems_of_other_kind(const document::Value& sent, int minor);

}  // namespace fixpoint::apiserver
