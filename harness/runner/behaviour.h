#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "harness/apiserver/admission/admission.h"

namespace fixpoint::runner {

/// What a Case made the webhooks and the simulator do, as small marks that Cases share: how each call ended,
/// which operations at which kinds of places it sent and what they overwrote there, how the request ended and
/// what was invalid. Indices and values leave no trace.
using Marks = std::vector<std::uint64_t>;
Marks marks_of(const apiserver::Admission& admission);

/// The marks met so far in a run. Beyond marks_max nothing counts as new any more.
class KnownBehaviour {
 public:
  bool has_new(const Marks& marks) const;
  /// Whether one of them was new.
  bool add(const Marks& marks);
  std::size_t size() const { return known_.size(); }
  /// Sorted.
  Marks all() const;

 private:
  static constexpr std::size_t kMarksMax = 1u << 16;
  std::unordered_set<std::uint64_t> known_ = {};
};

}  // namespace fixpoint::runner
