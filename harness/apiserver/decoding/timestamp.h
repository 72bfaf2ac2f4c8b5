#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fixpoint::apiserver {

/// The text the API server writes for a time that was sent as `text`: UTC, whole seconds; empty for the zero
/// time, which it writes as null. Nothing for what Go's RFC 3339 parser refuses (it takes a comma for the
/// point of the fraction, one digit of the hour, and an offset up to 24:60).
std::optional<std::string> canonical_time(std::string_view text);

}  // namespace fixpoint::apiserver
