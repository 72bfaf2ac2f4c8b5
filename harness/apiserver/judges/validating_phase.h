#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/judges/validators.h"
#include "harness/cases/case.h"
#include "harness/cases/outcome.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Asks the validating plugins of the server, in its order, about the Pod that the registry has prepared and
/// found valid; the first that refuses ends it (docs/simulator.md#11). `warnings` gets what they tell the
/// client. It costs next to nothing if the Case has no object that any of them looks at, and no validating
/// webhook.
cases::Validating judge_stored(const cases::Request& request, const cases::Cluster& cluster,
                               const document::Value& pod, const document::Value& old_pod, int minor,
                               std::vector<std::string>& warnings, const Validators& validators = {});

}  // namespace fixpoint::apiserver
