#pragma once

#include <compare>
#include <cstdint>

#include "harness/cases/case.h"

namespace fixpoint::generators {

/// The size of a Case and its distance from the simplest one. A well-founded order: no Case has an endless
/// chain of lighter ones.
struct Weight {
  std::uint64_t parts =
      0;  ///< values, webhooks, faults, plugins, and whatever of a request is not the default
  std::uint64_t letters = 0;  ///< of all texts, numbers and keys
  std::uint64_t height = 0;   ///< their sum, so that "a" is lighter than "b"
  auto operator<=>(const Weight&) const = default;
};

Weight weight_of(const document::Value& value);
Weight weight_of(const cases::Case& value);

}  // namespace fixpoint::generators
