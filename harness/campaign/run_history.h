#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/campaign/run_reader.h"
#include "harness/document/result.h"
#include "harness/external/backends/bundled_webhooks.h"
#include "harness/runner/replay_answer.h"
#include "reports/history_page.h"

namespace fixpoint::campaign {

/// Reads the history in a file; a missing file contains no runs. The returned folders and reports are paths
/// relative to the current folder.
document::Result<reports::History> read_history_file(const std::string& path);

/// Appends a run as one line, which is on disk when the function returns. An unfinished line of a killed
/// process is kept, and the new line begins after it.
std::optional<document::Error> append_history(const std::string& path, const reports::HistoryRun& run);

/// Returns a random id for a new run.
std::string new_run_id();

/// Appends the run in a folder under its id, with a link to its first HTML report. A history is for machines:
/// its values are not redacted, so that its Cases can be replayed.
std::optional<document::Error> append_run(const std::string& path, const std::string& folder,
                                          const std::string& id, const std::vector<ReportOrder>& orders);

/// Returns the current time in UTC: 2026-11-21T18:40:00Z.
std::string timestamp();

/// Returns the known failures of the subjects, with the releases under test inserted.
std::vector<cases::Finding> known_failures_of(const reports::History& history,
                                              const std::vector<std::string>& subjects,
                                              const external::Bundled& bundled);

/// Returns the answer for a stored finding; "not run" if the work of this thread is bounded and over.
runner::Answer answer_in_time(const cases::Finding& finding, const runner::ReplayWith& with);

/// Replays each known failure several times; one whose answers differ is flaky.
std::vector<reports::RetryAnswer> retry(const std::vector<cases::Finding>& known,
                                        const runner::ReplayWith& with);

}  // namespace fixpoint::campaign
