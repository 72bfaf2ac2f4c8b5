#pragma once

#include "reports/history_page.h"

namespace fixpoint::reports {

/// Puts the runs of a history and their problems into a record whose past findings stand there already.
/// Problems are the same where they have an id in common. Values that may be secrets are hidden.
void tell_past_runs(RunRecord& record, const History& history);

}  // namespace fixpoint::reports
