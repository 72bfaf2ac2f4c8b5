#pragma once

#include "generators/case_reduction.h"

namespace fixpoint::generators {

/// Drops webhooks, first all but one: most findings need a single webhook.
void drop_webhooks(CaseReduction& reduction);
/// Drops validating webhooks, all at once or each.
void drop_validators(CaseReduction& reduction);
/// Replaces neighbours with simpler means: a finding that needs another webhook seldom needs that
/// particular one, and an admission plugin that acts on the added part, or a plain neighbour, suffices.
void simplify_neighbours(CaseReduction& reduction);
/// Reduces the configuration of a neighbour, the object with that index. That of a subject is what its owner
/// wrote: it stays.
void reduce_configuration(CaseReduction& reduction, std::size_t i);

}  // namespace fixpoint::generators
