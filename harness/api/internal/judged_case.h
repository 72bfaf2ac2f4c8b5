#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/api/internal/in_process.h"
#include "harness/runner/examine.h"

namespace fixpoint::api {

/// A Case of a webhook under test that ran.
struct JudgedCase {
  cases::Case value;
  runner::Prepared prepared;
  const runner::RunOptions& run;
};
/// Runs the Case with the webhook in it; an error if it cannot run. Throws std::invalid_argument if the
/// configuration of the webhook cannot be used.
document::Result<JudgedCase> run_case(const cases::Case& value, const Webhook& webhook,
                                      const apiserver::AdmitOptions& options = runner::kWithoutWarnings);

/// A violation for which the webhook under test is to blame.
struct OwnViolation {
  const properties::Property* property;
  properties::Violation violation;
  std::string fingerprint;
  std::string webhook;  ///< <configuration>/<webhook>; empty if unknown
};
std::vector<OwnViolation> own_violations(const JudgedCase& judged, const runner::JudgeOptions& options = {});

/// Returns the Finding of the Case as it is.
cases::Finding describe(const JudgedCase& judged, const OwnViolation& violation);
/// Returns the Finding of the smallest Case that shows it, with its cause and its repair, as a run reports
/// it.
cases::Finding shrink(const JudgedCase& judged, const OwnViolation& violation);

/// Returns a pass of reductions that leaves the webhook under test alone.
runner::Reduce reduction_of(const runner::RunOptions& run);

}  // namespace fixpoint::api
