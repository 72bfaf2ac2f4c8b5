#pragma once

#include <span>
#include <string_view>

namespace fixpoint::runner {

/// Returns values of the kind that a message asks for: `strconv.ParseBool: parsing "64Mi"` wants a boolean,
/// `invalid duration "x"` a duration. Empty if it names no kind.
std::span<const std::string_view> wanted_values(std::string_view message);

}  // namespace fixpoint::runner
