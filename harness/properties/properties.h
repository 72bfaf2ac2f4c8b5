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
Judgement accepts_own_output(const Examination& examination);
Judgement reinvocation_valid(const Examination& examination);
Judgement reinvocation_complete(const Examination& examination);
Judgement order_independent(const Examination& examination);
Judgement preserves_order(const Examination& examination);
Judgement absent_empty_present(const Examination& examination);
Judgement no_explicit_zeros(const Examination& examination);
Judgement protocol(const Examination& examination);
Judgement dry_run_equal(const Examination& examination);
Judgement update_safe(const Examination& examination);
Judgement covers_all_containers(const Examination& examination);
Judgement request_context(const Examination& examination);
Judgement text_survives(const Examination& examination);
Judgement numbers_survive(const Examination& examination);
Judgement aggregate_consistent(const Examination& examination);
Judgement within_budget(const Examination& examination);
Judgement answers(const Examination& examination);
Judgement replicas_agree(const Examination& examination);
Judgement independent_of_history(const Examination& examination);

}  // namespace fixpoint::properties
