#pragma once

#include <span>

#include "harness/properties/sequences/sequence_property.h"
#include "injectors/kserve/autoscaler/component.h"

namespace fixpoint::injectors::kserve::autoscaler {

using properties::Judgement;
using properties::sequences::Examination;

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
