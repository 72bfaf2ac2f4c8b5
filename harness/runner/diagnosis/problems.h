#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/cases/problem.h"

namespace fixpoint::runner {

/// Returns the id of the finding's problem, twelve hexadecimal digits made from part to blame, webhook, place
/// and symptom (docs/judging.md#problem).
std::string problem_id(const cases::Finding& finding);

/// Returns the problems behind findings: findings of one cause are one problem, and so are those that one
/// repair of one operation heals. A finding that was not classified in time belongs to the classified ones
/// that say the same of another element, if these are one problem. Errors come first, then problems that were
/// classified in time, then those with more findings. A function of the findings, whatever their order.
std::vector<cases::Problem> problems_of(std::span<const cases::Finding> findings);

}  // namespace fixpoint::runner
