#pragma once

#include <string_view>

#include "harness/document/value.h"

// The texts of a value, in members and elements of any depth; keys are none.
namespace fixpoint::document {

bool has_text(const Value& value, std::string_view text);
/// Puts another text wherever the value has this one.
void replace_text(Value& value, std::string_view from, std::string_view to);

}  // namespace fixpoint::document
