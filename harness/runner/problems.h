#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/cases/problem.h"

namespace fixpoint::runner {

/// The id of the finding's problem, twelve hexadecimal digits made from part to blame, webhook, place and
/// symptom (docs/judging.md#problem).
std::string problem_id(const cases::Finding& finding);

/// The problems behind findings: those of one cause are one, and those that one repair of one operation
/// heals. Errors come first, then what was classified in time, then what has more findings; a function of the
/// findings, whatever their order.
std::vector<cases::Problem> problems_of(std::span<const cases::Finding> findings);

}  // namespace fixpoint::runner
