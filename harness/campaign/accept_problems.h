#pragma once

#include <string>
#include <vector>

#include "harness/campaign/policy.h"
#include "harness/cases/problem.h"
#include "harness/document/result.h"

namespace fixpoint::campaign {

/// The reason for accepting a problem, the last day of the acceptance, its owner and its ticket.
struct Acceptance {
  std::string reason, until;
  std::string owner = {}, ticket = {};
};

/// Returns the path of the smallest Case of an accepted problem, beside the policy.
std::string finding_file_of(const cases::Problem& problem);

/// Returns the text of a policy file with these problems added at the beginning of its list `accepted`. All
/// other lines, comments included, are unchanged. Returns an error if the list is not written with one entry
/// per line.
document::Result<std::string> with_accepted(std::string text, const std::vector<cases::Problem>& problems,
                                            const Acceptance& acceptance);

}  // namespace fixpoint::campaign
