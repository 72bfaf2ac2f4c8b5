#pragma once

#include <string>

#include "harness/webhooks/process.h"

namespace fixpoint::external {

/// Returns the account of one command's processes, a line for each notable event. Ends those that wait for a
/// call.
std::string process_account_of(const std::string& program, const webhooks::ProcessTally& tally);

}  // namespace fixpoint::external
