#pragma once

#include <string>

#include "reports/run_record.h"

namespace fixpoint::reports {

/// A finding as a folded card of an HTML page: its calls with the Pods beside one another, the command that
/// replays it, and its smallest Case as YAML.
std::string finding_card(const RecordedFinding& recorded, const RunRecord& record, bool is_open);

}  // namespace fixpoint::reports
