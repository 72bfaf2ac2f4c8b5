#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "harness/cases/case.h"

namespace fixpoint::generators {

/// A neighbour that a reader understands at a glance: one of the script webhooks, in one configuration.
struct SimpleNeighbour {
  std::string name;               ///< the name of the configuration
  document::Value configuration;  ///< has one webhook
  std::string key;                ///< <configuration>/<webhook>
  cases::Script script;
};

/// Returns the simplest neighbours first. It seldom matters which neighbour a finding needs: the shrinker
/// tries these in order.
std::span<const SimpleNeighbour> simple_neighbours();

/// Returns the rank of a script among them; nothing for any other script.
std::optional<std::size_t> simplicity_rank(const cases::Script& script);

}  // namespace fixpoint::generators
