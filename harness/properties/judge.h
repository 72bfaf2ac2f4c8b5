#pragma once

#include "harness/properties/property.h"

namespace fixpoint::properties {

/// Violated if there is any violation, else Held.
inline Judgement judged(std::vector<Violation> violations, std::vector<Observation> observations = {}) {
  if (violations.empty()) return Held{.observations = std::move(observations)};
  return Violated{std::move(violations), std::move(observations)};
}

inline Judgement not_reached(std::string reason) {
  return Skipped{Skipped::Why::not_reached, std::move(reason)};
}
inline Judgement not_applicable(std::string reason) {
  return Skipped{Skipped::Why::not_applicable, std::move(reason)};
}

/// Growing, oscillating and unsettled are errors whatever the severity of the list
/// (docs/judging.md#severity).
inline bool is_endless(std::string_view verdict) {
  return verdict == "growing" || verdict == "unsettled" || verdict.starts_with("oscillating");
}

}  // namespace fixpoint::properties
