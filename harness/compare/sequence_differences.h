#pragma once

#include <optional>
#include <string>

#include "harness/cases/sequence.h"
#include "harness/compare/case_differences.h"
#include "harness/document/limits.h"
#include "harness/reconcile/reconciler.h"

namespace fixpoint::compare {

/// Two reconcilers, named with their releases, which run on the same Sequences.
struct ReconcilerPair {
  std::string a, b;
};

/// Returns the Sequence with this reconciler as its subject.
cases::Sequence with_reconciler(cases::Sequence value, const std::string& subject);

/// Returns the first step in which the two differ: in the requested writes, which are all that an API server
/// sees, or in the way the reconcile ends (success, error, crash). The stored objects follow from the writes.
/// The path is "steps[2].writes", "steps[2].writes[0] /spec/maxReplicas" or "steps[2].end"; the fingerprint
/// does not depend on the step. Empty if they never differ, or if one cannot run.
std::optional<Difference> first_difference(const cases::Sequence& value, const ReconcilerPair& pair,
                                           const reconcile::ResolveReconciler& resolve);

/// The smallest Sequence whose first difference is this one.
struct SmallestSequence {
  cases::Sequence value;
  Difference difference;
};
SmallestSequence shrink(const cases::Sequence& value, const Difference& difference,
                        const ReconcilerPair& pair, const reconcile::ResolveReconciler& resolve,
                        const Limits& limits);

}  // namespace fixpoint::compare
