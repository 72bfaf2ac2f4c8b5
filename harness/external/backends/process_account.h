#pragma once

#include <string>

#include "harness/webhooks/process.h"

namespace fixpoint::external {

/// Returns the account of one command's processes, a line for each notable event: descendants that were left
/// behind, log lines on standard output, processes that died or were killed. Ends the idle processes.
std::string account_of(const std::string& program, const webhooks::ProcessTally& tally);

}  // namespace fixpoint::external
