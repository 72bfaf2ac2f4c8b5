#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/webhooks/webhook.h"
#include "reports/run_record.h"

namespace fixpoint::campaign {

/// The options for reading a record.
struct RecordOptions {
  bool shows_values = false;  ///< if false, values that may be secrets are redacted
  webhooks::Resolve resolve = {};
  /// Returns true once no further Case may be run; empty: never.
  std::function<bool()> is_over = {};
};

/// Reads the folder of a run: its events, and bench.ndjson if it exists. The Cases of findings are run again
/// to show what each call did to the Pod; that part is missing for Cases that `resolve` cannot run.
document::Result<reports::RunRecord> read_run(const std::string& folder, const RecordOptions& options);

/// Returns the name if there is a report format of that name; else an error that lists the formats.
document::Result<std::string> known_format(const std::string& name);

/// An argument of `--report`: "FORMAT=FILE".
struct ReportOrder {
  std::string format;
  std::string file;
};
document::Result<std::vector<ReportOrder>> read_orders(const std::vector<std::string>& texts);

/// Returns the record for a report that is written to `file`, or to standard output if `file` is empty. Links
/// to reports of earlier runs are relative to it; reports that no longer exist are not linked.
reports::RunRecord record_for(reports::RunRecord record, const std::string& file);
/// Writes the reports, each of them whole or not at all.
std::optional<document::Error> write_reports(const reports::RunRecord& record,
                                             const std::vector<ReportOrder>& orders);
}  // namespace fixpoint::campaign
