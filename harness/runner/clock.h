#pragma once

#include <optional>
#include <string>

namespace fixpoint::runner {

/// Returns seconds on a clock that never goes back.
double now();

/// Returns "30s", "5m", "2h", "50ms" or "0" in seconds; nothing for any other text: a number says no unit.
std::optional<double> parse_duration(const std::string& text);

}  // namespace fixpoint::runner
