#pragma once

#include <string>

#include "harness/campaign/fuzz_run.h"
#include "harness/campaign/known_findings.h"
#include "harness/runner/loop/run.h"

namespace fixpoint::campaign {

/// Returns the first line of a run: the policy file that says a part of it, the seed, the shard, and what it
/// goes on with.
std::string headline(const FuzzOptions& options, const runner::RunOptions& run, const KnownFindings& stored);

}  // namespace fixpoint::campaign
