#pragma once

#include <string>
#include <string_view>

#include "harness/document/value.h"

namespace fixpoint::runner {

/// Returns "webhook: " and what the message of a failure says before the first value that it names, of the
/// object or in quotation marks: one failure says the same of every object.
std::string place_of_failure(std::string_view message, const document::Value& object);

}  // namespace fixpoint::runner
