#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/cases/problem.h"
#include "reports/run_record.h"

namespace fixpoint::reports {

/// A problem of an earlier run that this run retried and did not find again.
struct EarlierProblem {
  std::string state;     ///< FIXED, STILL, REOPENED; OPEN if nobody can tell
  std::string title;     ///< with its part
  std::string why = {};  ///< the answer, unless the state says it
};

/// Returns the problems of the retried findings, without those that are among `found`: FIXED if all findings
/// are fixed, OPEN if one could not be decided, REOPENED if its first finding is one of `were_fixed` (by
/// fingerprint) and fails again, else STILL. FIXED stands first.
std::vector<EarlierProblem> earlier_problems_of(std::span<const RetryAnswer> retries,
                                                std::span<const cases::Problem> found,
                                                const std::set<std::string>& were_fixed = {});

/// Returns "FIXED  kserve/agent adds …".
std::string text_of(const EarlierProblem& one);

}  // namespace fixpoint::reports
