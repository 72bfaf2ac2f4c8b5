#pragma once

#include <optional>
#include <vector>

#include "harness/runner/shrink_finding.h"

namespace fixpoint::runner {

/// A Case that a webhook's process answers otherwise after other Cases than a new process does.
struct HistoryDependence {
  std::vector<cases::Case> before;  ///< oldest first
  cases::Case value;
  properties::Violation violation;  ///< of independent-of-history
};

/// Looks for it: after the Case itself, then after `earlier`, of which as few as can be are left; then both
/// are made smaller by `reduce`. Each try starts new processes, at most kHistoryTriesMax; none is made once
/// `is_over`. Nothing when no history of these makes a difference, or no webhook runs as a program.
/// Nothing either when two new processes disagree, which needs no history.
inline constexpr int kHistoryTriesMax = 200;
std::optional<HistoryDependence> find_history(const cases::Case& value,
                                              const std::vector<cases::Case>& earlier,
                                              const webhooks::Resolve& resolve, const Reduce& reduce,
                                              const Limits& limits, const std::function<bool()>& is_over);

/// The same request of another object in another namespace, which has what its own one has.
cases::Case in_another_namespace(cases::Case value);

}  // namespace fixpoint::runner
