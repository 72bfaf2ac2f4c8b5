#pragma once

#include "harness/properties/property.h"

namespace fixpoint::properties {

// One function a property, each in a file of its own; the catalog says what they claim.
Judgement no_duplicate_names(const Examination& examination);
Judgement valid_spec(const Examination& examination);
Judgement converges(const Examination& examination);
Judgement bounded_growth(const Examination& examination);
Judgement idempotent(const Examination& examination);
Judgement preserves_others(const Examination& examination);
Judgement patch_well_formed(const Examination& examination);
Judgement deterministic(const Examination& examination);
Judgement answers(const Examination& examination);
Judgement probe_handed_over(const Examination& examination);
Judgement agent_can_become_ready(const Examination& examination);

}  // namespace fixpoint::properties
