#pragma once

#include <algorithm>

namespace fixpoint::properties {

/// The creation of a Pod waits for every webhook of the chain, one after the other.
inline constexpr double kSecondsMax = 1.0;
/// A share of the timeout after which the API server gives up.
inline constexpr double kShareOfTimeoutMax = 0.5;

/// How long one call may take, in seconds, by its webhook's timeoutSeconds (property within-budget).
inline double seconds_budget(int timeout_seconds) {
  return std::min(kSecondsMax, kShareOfTimeoutMax * timeout_seconds);
}

}  // namespace fixpoint::properties
