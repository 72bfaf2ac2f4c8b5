#pragma once

#include "reports/run_record.h"

namespace fixpoint::reports {

/// Returns the record without values that may be secrets, for all formats alike (cases/redaction.h). A value
/// that is hidden in a finding is hidden in all of its texts.
RunRecord redacted(RunRecord record);

/// Returns an event as it may leave the process; the run's folder has the event itself.
document::Value redacted_event(const document::Value& event);

}  // namespace fixpoint::reports
