#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/cases/finding.h"

namespace fixpoint::reports {

/// Returns the finding that shows a problem best: an error before a warning, one in which a webhook does a
/// thing again, one whose Pod the API server refuses, then the one with the fewest webhooks and the smallest
/// Case. `findings` must not be empty.
const cases::Finding& telling_of(const std::vector<cases::Finding>& findings);

/// Returns the finding with the smallest Case, an error before a warning: what is easiest to replay;
/// `findings` must not be empty.
const cases::Finding& smallest_of(const std::vector<cases::Finding>& findings);

/// Returns the lines that show a finding at a glance: the object in one line, the calls, and what came of
/// them, each of at most so many columns. The finding is redacted.
std::string example_lines(const cases::Finding& finding, std::size_t columns);
/// Returns the same without its indentation.
std::string unindented_example(const cases::Finding& finding, std::size_t columns);

}  // namespace fixpoint::reports
