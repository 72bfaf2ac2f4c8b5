#pragma once

#include <string>
#include <vector>

#include "harness/document/value.h"
#include "reports/problem_view.h"
#include "reports/run_record.h"

namespace fixpoint::reports {

/// How many runs are shown, the newest; a sentence says how many more there are.
inline constexpr std::size_t kRunsShownMax = 50;

/// A section of a page: the trend of problems over the runs of the history as a chart, the runs as a table,
/// the newest first, with links to their reports and problems, then the problems and the findings of all of
/// them. `views` are the problems of this page. The figures of the trend go into the page's data; empty
/// without a history.
std::string history_section(const RunRecord& record, const std::vector<ProblemView>& views,
                            document::Value& data);

}  // namespace fixpoint::reports
