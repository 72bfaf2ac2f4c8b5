#pragma once

#include <optional>
#include <string>

#include "harness/cases/sequence.h"
#include "harness/compare/case_differences.h"
#include "harness/document/limits.h"
#include "harness/reconcile/reconciler.h"

namespace fixpoint::compare {

/// Two reconcilers, by their names with a release, that go through the same Sequences.
struct ReconcilerPair {
  std::string a, b;
};

/// The Sequence with this reconciler as its subject.
cases::Sequence with_reconciler(cases::Sequence value, const std::string& subject);

/// The first step in which they differ: in the writes that a reconcile asks for, which is all that an API
/// server sees of it, or in how it ends (well, with an error, with a crash). What is stored follows from the
/// writes. Its path is "steps[2].writes", "steps[2].writes[0] /spec/maxReplicas" or "steps[2].end"; the
/// fingerprint does not depend on the step. Nothing when they never differ, or one cannot run.
std::optional<Difference> first_difference(const cases::Sequence& value, const ReconcilerPair& pair,
                                           const reconcile::ResolveReconciler& resolve);

/// The smallest Sequence on which they differ first in this way.
struct SmallestSequence {
  cases::Sequence value;
  Difference difference;
};
SmallestSequence shrink(const cases::Sequence& value, const Difference& difference,
                        const ReconcilerPair& pair, const reconcile::ResolveReconciler& resolve,
                        const Limits& limits);

}  // namespace fixpoint::compare
