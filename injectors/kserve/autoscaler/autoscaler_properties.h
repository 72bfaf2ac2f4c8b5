#pragma once

#include <span>

#include "harness/properties/sequences/sequence_property.h"
#include "injectors/kserve/autoscaler/component.h"

namespace fixpoint::injectors::kserve::autoscaler {

using properties::Judgement;
using properties::sequences::Examination;

/// In the order in which they are asked and printed.
std::span<const properties::sequences::Property> all_properties();

// One function a property, each in a file of its own; the table says what they claim.
Judgement foreign_object_untouched(const Examination& examination);
Judgement external_hands_off(const Examination& examination);
Judgement finalizers_respected(const Examination& examination);
Judgement reconcile_settles(const Examination& examination);
Judgement no_orphan(const Examination& examination);

}  // namespace fixpoint::injectors::kserve::autoscaler
