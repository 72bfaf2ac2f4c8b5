#pragma once

#include <string>

#include "harness/cases/case.h"

namespace fixpoint::cases {

/// Returns a sentence about Pods as one about the object of the request: of another kind, it is "an object".
std::string said_of(const Request& request, std::string sentence);

}  // namespace fixpoint::cases
