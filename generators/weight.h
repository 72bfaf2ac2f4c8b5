#pragma once

#include <compare>
#include <cstdint>
#include <vector>

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
  Weight& operator+=(const Weight& other);
};

Weight weight_of(const document::Value& value);
Weight weight_of(const cases::Case& value);

/// The weight of a Case with those of the objects of its cluster: few of them differ between two variants,
/// and definitions are large. `whole` is weight_of(value).
struct CaseWeight {
  Weight whole = {};
  std::vector<Weight> objects = {};
};
CaseWeight case_weight_of(const cases::Case& value);
/// Returns the weight of a variant of a Case whose weight is known.
CaseWeight case_weight_of(const cases::Case& variant, const cases::Case& known, const CaseWeight& weight);

}  // namespace fixpoint::generators
