#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "harness/apiserver/admission/admission.h"

namespace fixpoint::runner {

/// Coverage features of a Case, as hashes that Cases share: how each call ended, which operations at which
/// kinds of places it sent and what they overwrote there, how the request ended and what was invalid. Indices
/// and values do not count.
using Features = std::vector<std::uint64_t>;
Features features_of(const apiserver::Admission& admission);

/// The coverage map: the features seen so far in a run. Beyond marks_max nothing counts as new.
class CoverageMap {
 public:
  bool has_new(const Features& features) const;
  /// Adds the features; returns true if one of them is new.
  bool add(const Features& features);
  std::size_t size() const { return known_.size(); }
  /// Returns all features, sorted.
  Features all() const;

 private:
  static constexpr std::size_t kMarksMax = 1u << 16;
  std::unordered_set<std::uint64_t> known_ = {};
};

}  // namespace fixpoint::runner
