#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The warnings for the creation of a valid Pod (docs/simulator.md#6-2), in the server's words and in no
/// particular order. Those about AppArmor annotations come from prepare_for_create, also for an invalid Pod.
/// `sent` is the Pod as the request writes it, if no patch was applied to it, else null.
std::vector<std::string> creation_warnings(const document::Value& prepared, int minor = kNewestMinor,
                                           const document::Value& sent = {});

}  // namespace fixpoint::apiserver
