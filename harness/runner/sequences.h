#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/properties/sequences/sequence_property.h"
#include "harness/reconcile/reconciler.h"

/// What examine.h, shrink.h and story.h are for Cases, for Sequences.
namespace fixpoint::runner {

/// A Sequence with its reconciler and the results of its steps: everything that its properties ask about.
struct PreparedSequence {
  cases::Sequence value;
  reconcile::Reconciler reconciler;
  std::vector<reconcile::StepResult> results;
};
document::Result<PreparedSequence> prepare(cases::Sequence value,
                                           const reconcile::ResolveReconciler& resolve);

properties::Judgement ask(const PreparedSequence& prepared, const properties::sequences::Property& property,
                          const Limits& limits);

/// Property, subject without release, verdict and shape of the evidence: twelve hexadecimal digits.
std::string fingerprint(const cases::Sequence& value, std::string_view property,
                        const properties::Violation& violation);

/// The first violation of the property that has this fingerprint, when the Sequence shows it.
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
};
/// The smallest Sequence that `reduce` leads to and that still shows the fingerprint.
std::optional<ShrunkSequence> shrink(const cases::Sequence& value,
                                     const properties::sequences::Property& property, std::string_view wanted,
                                     const reconcile::ResolveReconciler& resolve,
                                     const ReduceSequence& reduce, const Limits& limits);

/// The steps in words, and what each did to the stored objects: "+ HorizontalPodAutoscaler a/b".
std::vector<cases::StoryCall> story_of(const cases::Sequence& value,
                                       const std::vector<reconcile::StepResult>& results);

/// What a shrunk Sequence shows, as a Finding; how it was found is the caller's to say.
cases::Finding finding_of(const ShrunkSequence& shrunk, const properties::sequences::Property& property);

}  // namespace fixpoint::runner
