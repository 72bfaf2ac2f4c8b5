#pragma once

#include "reports/run_record.h"

namespace fixpoint::reports {

/// Returns the record without values that may be secrets, for all formats (cases/redaction.h). A value that
/// is redacted in a finding is redacted in all of its texts.
RunRecord redacted(RunRecord record);

/// Returns an event that may leave the process; the run's folder contains the unredacted event.
document::Value redacted_event(const document::Value& event);

}  // namespace fixpoint::reports
