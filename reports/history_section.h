#pragma once

#include <string>
#include <vector>

#include "harness/document/value.h"
#include "reports/problem_view.h"
#include "reports/run_record.h"

namespace fixpoint::reports {

/// The limit on the runs that are shown, newest first; a sentence says how many more there are.
inline constexpr std::size_t kRunsShownMax = 50;

/// Returns a section of a page: a chart of the trend of problems over the runs of the history; a table of the
/// runs, newest first, with links to their reports and problems; then the problems of all runs. `views` are
/// the problems of this page. Adds the figures of the trend to the page's data. Empty if there is no history.
std::string history_section(const RunRecord& record, const std::vector<ProblemView>& views,
                            document::Value& data);

}  // namespace fixpoint::reports
