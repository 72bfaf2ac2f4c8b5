#pragma once

#include <optional>
#include <string>

namespace fixpoint::runner {

/// Seconds on a clock that only goes forward.
double now();

/// "30s", "5m", "2h", "90" in seconds; nothing for anything else.
std::optional<double> parse_duration(const std::string& text);

}  // namespace fixpoint::runner
