#pragma once

#include "reports/history_page.h"

namespace fixpoint::reports {

/// Adds the runs of a history and their problems to a record that already contains its past findings. Two
/// problems are the same if they have an id in common. Values that may be secrets are redacted.
void tell_past_runs(RunRecord& record, const History& history);

}  // namespace fixpoint::reports
