#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/properties/judge.h"
#include "harness/properties/sequences/sequence_property.h"
#include "injectors/kserve/autoscaler/component.h"

namespace fixpoint::injectors::kserve::autoscaler {

using properties::is_endless;
using properties::Judgement;
using properties::Severity;
using properties::Violation;
using properties::sequences::Examination;
using properties::sequences::existing;
using properties::sequences::step_path;
using properties::sequences::title;
using properties::sequences::went_well;
using properties::sequences::writes;
using reconcile::StepResult;

/// Judges the steps of a Sequence in their order. `ask(result, index, violations)` returns true if the step
/// raised the question; if none did, it was not reached for that reason.
template <class Ask>
Judgement judged_steps(const Examination& examination, std::string not_reached_because, Ask ask) {
  bool is_reached = false;
  std::vector<Violation> violations;
  for (std::size_t i = 0; i < examination.results.size(); ++i)
    is_reached = ask(examination.results[i], i, violations) || is_reached;
  return is_reached ? properties::judged(std::move(violations))
                    : properties::not_reached(std::move(not_reached_because));
}

/// Returns the properties in the order in which they are checked and printed.
std::span<const properties::sequences::Property> all_properties();

// One function for each property, each in its own file; the table holds their claims.
Judgement foreign_object_untouched(const Examination& examination);
Judgement external_hands_off(const Examination& examination);
Judgement finalizers_respected(const Examination& examination);
Judgement reconcile_settles(const Examination& examination);
Judgement no_orphan(const Examination& examination);
Judgement users_object_kept(const Examination& examination);
Judgement written_objects_taken(const Examination& examination);

}  // namespace fixpoint::injectors::kserve::autoscaler
