#pragma once

#include <compare>
#include <cstdint>

#include "harness/cases/case.h"

namespace fixpoint::generators {

/// The size of a Case, or its distance from the simplest one. The order is well-founded: there is no endless
/// chain of ever lighter Cases.
struct Weight {
  std::uint64_t parts =
      0;  ///< values, webhooks, faults, plugins, and everything in a request that is not the default
  std::uint64_t letters = 0;  ///< the characters of all texts, numbers and keys
  std::uint64_t height = 0;   ///< the sum of the character codes, so that "a" is lighter than "b"
  auto operator<=>(const Weight&) const = default;
};

Weight weight_of(const document::Value& value);
Weight weight_of(const cases::Case& value);

}  // namespace fixpoint::generators
