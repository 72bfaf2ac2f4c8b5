#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::document {

/// The unescaped tokens of a JSON pointer (RFC 6901).
using Pointer = std::vector<std::string>;

/// An error for a pointer that is neither empty nor begins with `/`, and for a `~` without `0` or `1` after
/// it.
Result<Pointer> parse_pointer(std::string_view text);
/// `/` and `~` escaped.
std::string escape_token(std::string_view token);

/// The value at a pointer, or nullptr. Array indices are plain decimal numbers without leading zeros; `-`
/// refers to nothing.
const Value* resolve(const Value& root, const Pointer& pointer);

}  // namespace fixpoint::document
