#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "harness/cases/case.h"

namespace fixpoint::generators {

/// A neighbour that a person understands at a glance: one of the script peers, in one configuration.
struct SimpleNeighbour {
  std::string name;               ///< of its configuration
  document::Value configuration;  ///< with one webhook
  std::string key;                ///< <configuration>/<webhook>
  cases::Script script;
};

/// The simplest first. Which neighbour a finding needs matters seldom: the shrinker tries these in this
/// order.
std::span<const SimpleNeighbour> simple_neighbours();

/// The place of a script among them; nothing for any other.
std::optional<std::size_t> simplicity_rank(const cases::Script& script);

}  // namespace fixpoint::generators
