#pragma once

#include "harness/compare/chain_runs.h"

namespace fixpoint::compare {

/// Adds to the advice on one webhook what a Case shows, whose run `all` calls every webhook again: the
/// benefit and the harm of calling this one.
void advise_on_reinvocation(const ChainRuns& runs, const cases::Case& plain, const runner::Prepared& all,
                            WebhookAdvice& one);

}  // namespace fixpoint::compare
