#pragma once

#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/webhooks/webhook.h"
#include "reports/run_record.h"

namespace fixpoint::campaign {

/// The options for reading a record.
struct RecordOptions {
  bool shows_values = false;  ///< else values that may be secrets are hidden
  webhooks::Resolve resolve = {};
};

/// Reads the folder of a run: its events, and bench.ndjson when it stands there. The Cases of findings are
/// run once more to show what each call did to the Pod; those that `resolve` cannot run go without.
document::Result<reports::RunRecord> read_run(const std::string& folder, const RecordOptions& options);

/// The name itself when there is such a format of reports; else an error that lists them.
document::Result<std::string> known_format(const std::string& name);

/// "FORMAT=FILE" as `--report` takes it.
struct ReportOrder {
  std::string format;
  std::string file;
};
document::Result<std::vector<ReportOrder>> read_orders(const std::vector<std::string>& texts);

/// The record for a report that is written to `file`, or to standard output where it is empty: it links the
/// reports of earlier runs by paths from there, as far as they are still there.
reports::RunRecord record_for(reports::RunRecord record, const std::string& file);
/// Writes each of them, whole or not at all.
std::optional<document::Error> write_reports(const reports::RunRecord& record,
                                             const std::vector<ReportOrder>& orders);
}  // namespace fixpoint::campaign
