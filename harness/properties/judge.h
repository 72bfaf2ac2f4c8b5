#pragma once

#include "harness/properties/property.h"

namespace fixpoint::properties {

/// Violated if there is any violation, else Held.
inline Judgement judged(std::vector<Violation> violations) {
  if (violations.empty()) return Held{};
  return Violated{std::move(violations)};
}

inline Judgement not_reached(std::string because) {
  return Skipped{Skipped::Why::not_reached, std::move(because)};
}
inline Judgement not_applicable(std::string because) {
  return Skipped{Skipped::Why::not_applicable, std::move(because)};
}

/// Growing, oscillating and unsettled are errors whatever the list's own severity (decisions.md, Severity).
inline bool is_endless(std::string_view verdict) {
  return verdict == "growing" || verdict == "unsettled" || verdict.starts_with("oscillating");
}

}  // namespace fixpoint::properties
