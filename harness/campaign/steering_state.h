#pragma once

#include <vector>

#include "harness/document/fields.h"
#include "harness/document/value.h"
#include "harness/runner/learning/steering.h"

namespace fixpoint::campaign {

// The state that steers the drawing of each subject, as stored in a checkpoint.

document::Value write_counts(const runner::RoundCounts& counts);
document::Value write_steering(const runner::Steering& steering);
/// Reads what write_counts() wrote, and read_steering() what write_steering() wrote. Problems are reported
/// to `fields`.
runner::RoundCounts read_counts(document::Fields& fields);
runner::Steering read_steering(document::Fields& fields);

}  // namespace fixpoint::campaign
