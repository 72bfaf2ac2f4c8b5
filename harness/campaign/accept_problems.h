#pragma once

#include <string>
#include <vector>

#include "harness/campaign/policy.h"
#include "harness/cases/problem.h"
#include "harness/document/result.h"

namespace fixpoint::campaign {

/// Who accepts a problem, and for how long.
struct Acceptance {
  std::string reason, until;
  std::string owner = {}, ticket = {};
};

/// Where the smallest Case of an accepted problem stands, beside the policy.
std::string finding_file_of(const cases::Problem& problem);

/// The text of a policy file with these problems in its list `accepted`, in front of those that stand there;
/// every other line, comments too, stays as it is. An error for a list that is not written one entry a line.
document::Result<std::string> with_accepted(std::string text, const std::vector<cases::Problem>& problems,
                                            const Acceptance& acceptance);

}  // namespace fixpoint::campaign
