#pragma once

#include <string>
#include <vector>

#include "harness/conformance/live_cluster.h"

namespace fixpoint::conformance {

/// A real server's answer compared with the simulator's.
struct ClusterVerdict {
  enum class Kind { agrees, differs, not_runnable } kind = Kind::agrees;
  /// "422 spec.volumes[3].name FieldValueDuplicate after 2 calls", "5 steps, 3 requests", or why it is not
  /// runnable.
  std::string detail = {};
  std::vector<std::string> differences = {};

  /// Returns "agrees", "differs" or "not runnable".
  const char* word() const;
};

/// Compares a real server's answer with the simulator's.
ClusterVerdict verdict_of(const LiveAnswer& answer);

}  // namespace fixpoint::conformance
