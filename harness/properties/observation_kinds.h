#pragma once

#include <span>
#include <string_view>

namespace fixpoint::properties {

/// A kind of observation, and the sentence that explains it first.
struct ObservationKind {
  std::string_view name;
  std::string_view meaning;
};

/// Sorted by name; observation_kinds() has the names alone.
std::span<const ObservationKind> explained_observation_kinds();

}  // namespace fixpoint::properties
