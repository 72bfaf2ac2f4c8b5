#pragma once

#include <string_view>

#include "harness/cases/case.h"

namespace fixpoint::runner {

/// Returns true if a webhook that refuses the object with that message does what it is there for: the message
/// names a label or an annotation of the object, or its value, and the value is neither a number, a quantity,
/// a duration nor a switch, which a webhook must read in each spelling; or it says that something is not
/// found which the object refers to.
bool is_refusal_by_design(const document::Value& object, std::string_view message);

}  // namespace fixpoint::runner
