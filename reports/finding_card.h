#pragma once

#include <string>

#include "reports/run_record.h"

namespace fixpoint::reports {

/// Returns a finding as a folded card of an HTML page: its calls with the Pods before and after, the command
/// that replays it, and its smallest Case as YAML.
std::string finding_card(const RecordedFinding& recorded, const RunRecord& record, bool is_open);

/// Returns the line of the expression that failed, with a caret below it, as HTML; empty if there is none.
std::string excerpt_html(const cases::Finding& finding);

}  // namespace fixpoint::reports
