#pragma once

#include <optional>
#include <string>

#include "harness/document/value.h"

namespace fixpoint::external {

/// Names an object of a cluster on which the API server acts in an admission and the simulator does not, as
/// `ValidatingAdmissionPolicy "replicas" (validation by policies)`; nothing for any other object.
std::optional<std::string> not_simulated(const document::Value& object);

}  // namespace fixpoint::external
