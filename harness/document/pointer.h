#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::document {

/// A JSON pointer (RFC 6901), taken apart and unescaped.
using Pointer = std::vector<std::string>;

/// Refuses a pointer that is neither empty nor begins with `/`, and a `~` without `0` or `1` behind it.
Result<Pointer> parse_pointer(std::string_view text);
/// `/` and `~` escaped.
std::string escape_token(std::string_view token);

/// The value a pointer leads to, or nullptr. Array indices are plain decimal numbers without leading zeros;
/// `-` leads nowhere.
const Value* resolve(const Value& root, const Pointer& pointer);

}  // namespace fixpoint::document
