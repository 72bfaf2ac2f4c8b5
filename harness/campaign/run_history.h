#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/campaign/run_reader.h"
#include "harness/document/result.h"
#include "harness/external/external_webhooks.h"
#include "harness/webhooks/webhook.h"
#include "reports/history_page.h"

namespace fixpoint::campaign {

/// Reads the history in a file; a missing file has no runs. Folders and reports of its runs are paths from
/// the folder in which fixpoint was called.
document::Result<reports::History> read_history_file(const std::string& path);

/// Appends a run as one line that is on disk when this returns. An unfinished line of a killed process is
/// kept, and the new one begins after it.
std::optional<document::Error> append_history(const std::string& path, const reports::HistoryRun& run);

/// The same for the run in a folder, with the first of its reports that is a page. A history is for machines:
/// values stand in it as they are, so that its Cases run again.
std::optional<document::Error> append_run(const std::string& path, const std::string& folder,
                                          const std::vector<ReportOrder>& orders);

/// Now, in UTC: 2026-11-21T18:40:00Z.
std::string timestamp();

/// The known failures of the subjects, with the releases under test put in.
std::vector<cases::Finding> known_failures_of(const reports::History& history,
                                              const std::vector<std::string>& subjects);

/// Replays known failures, each several times: one whose answers differ is flaky.
std::vector<reports::RetryAnswer> retry(const std::vector<cases::Finding>& known,
                                        const webhooks::Resolve& resolve, const external::Bundled& bundled);

}  // namespace fixpoint::campaign
