#pragma once

#include <span>
#include <string>

#include "harness/cases/finding.h"
#include "harness/runner/sequences.h"
#include "harness/runner/shrink_finding.h"

namespace fixpoint::runner {

/// Returns the Finding of a Case without the calls that show it.
cases::Finding undescribed(const Shrunk& shrunk, const properties::Property& property,
                           const std::string& fingerprint);

/// Returns the Finding of a shrunk Case; the caller adds how it was found and which webhook is to blame.
cases::Finding describe(const Shrunk& shrunk, const properties::Property& property,
                        const std::string& fingerprint, const webhooks::Resolve& resolve,
                        const Limits& limits);

/// Adds to a finding whose webhook is known its cause and, if one heals it, its repair. If calls were
/// skipped at the end of the run, it gets neither. What `examples`, Pods of users, have is no contrived name.
void classify(cases::Finding& finding, const properties::Property& property, properties::Violation violation,
              const webhooks::Resolve& resolve, const Limits& limits,
              std::span<const document::Value> examples = {});

/// Returns the Finding of a shrunk Sequence; the caller adds how it was found.
cases::Finding finding_of(const ShrunkSequence& shrunk, const properties::sequences::Property& property);

}  // namespace fixpoint::runner
