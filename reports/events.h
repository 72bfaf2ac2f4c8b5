#pragma once

#include <string>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/cases/problem.h"
#include "harness/document/fields.h"
#include "harness/runner/loop/run.h"
#include "reports/run_record.h"

namespace fixpoint::reports {

// The events of a run as NDJSON, one object each (docs/formats.md#events). Durations appear only under the
// keys milliseconds, seconds, rate and elapsed, so that the rest of the bytes is equal in equal runs.

document::Value start_event(const runner::RunOptions& options, const std::string& version);
document::Value regression_event(const std::string& file, const std::string& answer);
/// Returns the event of replaying a finding of the history.
document::Value retry_event(const cases::Finding& finding, const std::string& answer);
document::Value finding_event(const cases::Finding& finding);
/// Returns the event of a problem. `known_as` is the name of the regression or history that contains it;
/// empty for a new one.
document::Value problem_event(const cases::Problem& problem, const std::string& known_as);
document::Value note_event(const cases::Finding& finding);
/// Returns a line of `bench cases --json`.
document::Value cost_event(const CostRow& row);
document::Value vacuity_check_event(const runner::VacuityCheck& check);
document::Value observation_event(const runner::Observed& observed);
document::Value stop_event(const runner::RunSummary& summary);
/// Reads the counts of a run from its stop event. Findings, notes and vacuity checks are not in that event.
document::Result<runner::RunSummary> read_stop_event(const document::Value& stop);

/// Reads a count that may be absent; reports an error if the member is not a count.
void take_count(document::Fields& fields, std::string_view name, std::uint64_t& into);

}  // namespace fixpoint::reports
