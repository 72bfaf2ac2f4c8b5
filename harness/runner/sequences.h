#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/properties/sequences/sequence_property.h"
#include "harness/reconcile/reconciler.h"

/// The counterparts for Sequences of the functions for Cases in examine.h, shrink_finding.h and trace.h.
namespace fixpoint::runner {

/// A Sequence with its reconciler and the results of its steps: everything that its properties need.
struct PreparedSequence {
  cases::Sequence value;
  reconcile::Reconciler reconciler;
  std::vector<reconcile::StepResult> results;
};
document::Result<PreparedSequence> prepare(cases::Sequence value,
                                           const reconcile::ResolveReconciler& resolve);

properties::Judgement ask(const PreparedSequence& prepared, const properties::sequences::Property& property,
                          const Limits& limits);

/// Returns twelve hexadecimal digits for property, subject without release, verdict and shape of the
/// evidence.
std::string fingerprint(const cases::Sequence& value, std::string_view property,
                        const properties::Violation& violation);

/// Returns the first violation of the property that has this fingerprint, if the Sequence shows it.
std::optional<properties::Violation> shows(const PreparedSequence& prepared,
                                           const properties::sequences::Property& property,
                                           std::string_view wanted, const Limits& limits);

/// One pass of reductions of a Sequence, as Reduce is of a Case.
using ReduceSequence =
    std::function<void(cases::Sequence, const std::function<bool(const cases::Sequence&)>& take)>;

struct ShrunkSequence {
  PreparedSequence prepared;
  properties::Violation violation;
  std::int64_t steps = 0;  ///< reductions that kept the fingerprint
  std::size_t tries = 0;
  bool is_unfinished = false;  ///< the work of this thread was over before its end
};
/// Returns the smallest Sequence that `reduce` leads to and that still shows the fingerprint; as small as it
/// got if the work of this thread is bounded and over.
std::optional<ShrunkSequence> shrink(const cases::Sequence& value,
                                     const properties::sequences::Property& property, std::string_view wanted,
                                     const reconcile::ResolveReconciler& resolve,
                                     const ReduceSequence& reduce, const Limits& limits);

/// Returns the steps in words, with the change of each to the stored objects: "+ HorizontalPodAutoscaler
/// a/b".
std::vector<cases::TraceStep> trace_of(const cases::Sequence& value,
                                       const std::vector<reconcile::StepResult>& results);

}  // namespace fixpoint::runner
