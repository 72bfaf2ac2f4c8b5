#pragma once

#include <string>
#include <vector>

#include "reports/problem_view.h"

namespace fixpoint::reports {

/// Returns the problems of a run as a section of an HTML page: filters, which need the page's script, and a
/// folded article for each problem with its meaning, its repair, the proof, and its findings.
std::string problem_section(const std::vector<ProblemView>& views, const RunRecord& record);

}  // namespace fixpoint::reports
