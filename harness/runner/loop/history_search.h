#pragma once

#include <optional>
#include <vector>

#include "harness/runner/shrink_finding.h"

namespace fixpoint::runner {

/// A Case that a webhook's process answers differently after other Cases than a new process does.
struct HistoryDependence {
  std::vector<cases::Case> before;  ///< oldest first
  cases::Case value;
  properties::Violation violation;  ///< of independent-of-history
};

/// Looks for one: first after the Case itself, then after `earlier`, of which as few as possible are kept;
/// then `reduce` shrinks both. Each try starts new processes, at most kHistoryTriesMax times; none is made
/// once `is_over`. Returns nothing if no history of these makes a difference, if no webhook runs as a
/// program, or if two new processes disagree, which needs no history.
inline constexpr int kHistoryTriesMax = 200;
std::optional<HistoryDependence> find_history(const cases::Case& value,
                                              const std::vector<cases::Case>& earlier,
                                              const webhooks::Resolve& resolve, const Reduce& reduce,
                                              const Limits& limits, const std::function<bool()>& is_over);

/// Returns the same request for another object in another namespace with the same contents.
cases::Case in_another_namespace(cases::Case value);

}  // namespace fixpoint::runner
