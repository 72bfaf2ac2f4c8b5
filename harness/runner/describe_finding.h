#pragma once

#include <string>

#include "harness/cases/finding.h"
#include "harness/runner/shrink_finding.h"

namespace fixpoint::runner {

/// The Finding of a shrunk Case; how it was found and who is to blame is the caller's to say.
cases::Finding describe(const Shrunk& shrunk, const properties::Property& property,
                        const std::string& fingerprint, const webhooks::Resolve& resolve,
                        const Limits& limits);

/// Gives a finding whose webhook is known its cause and, where one heals it, its repair. Calls that were not
/// made any more leave it without both.
void classify(cases::Finding& finding, const properties::Property& property, properties::Violation violation,
              const webhooks::Resolve& resolve, const Limits& limits);

}  // namespace fixpoint::runner
