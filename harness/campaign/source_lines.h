#pragma once

#include "reports/run_record.h"

namespace fixpoint::campaign {

/// Finds the lines at which the webhooks and policies of a run stand in their files, and of a folder the
/// file. The files are read as they are now; what cannot be read has no line.
void find_source_lines(reports::RunRecord& record);

}  // namespace fixpoint::campaign
