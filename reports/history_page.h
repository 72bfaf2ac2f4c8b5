#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "reports/run_record.h"

namespace fixpoint::reports {

/// The result of one run for one finding.
struct HistoryEntry {
  cases::Finding finding;
  std::string answer;  ///< found, still failing, fixed, flaky
};

/// One line of a history: one run.
struct HistoryRun {
  std::string date;  ///< 2026-11-21T18:40:00Z; texts that sort
  std::string version;
  std::string seed;
  std::vector<std::string> subjects = {};
  std::uint64_t cases = 0;
  /// The run's folder and its page, as paths from the folder of the history's file; empty if unknown.
  std::string folder = {}, report = {};
  std::vector<HistoryEntry> findings = {};
};

/// A file to which runs are appended, one line each.
struct History {
  std::vector<HistoryRun> runs = {};
  std::size_t torn = 0;  ///< lines that a killed process left unfinished
};

/// Reads a history; an empty text is one without runs. A line that is not JSON was cut off while it was
/// written and is counted; one that is JSON but not a run is an error with its number.
document::Result<History> read_history(std::string_view text);
/// One line with its end.
std::string history_line(const HistoryRun& run);
/// Returns the entry of a run for a history: its findings, and the results of retries.
HistoryRun history_run(const RunRecord& record, const std::string& date);

/// Returns every finding of the history in the order of first sight: `failing` if the last run that checked
/// it saw it, `fixed` if a retry no longer showed it, `flaky` if one run gave both results, or if a fixed
/// finding failed again in the same subject of the same release.
std::vector<PastFinding> past_findings(const History& history);
/// The newest Finding of each that is not fixed, or that is flaky, in the order of their first sight.
std::vector<cases::Finding> known_failures(const History& history);
/// Adds the history to a record: its findings, its runs with their problems, and the state of each finding
/// (`new` if it was never seen before).
void tell_history(RunRecord& record, const History& history);

}  // namespace fixpoint::reports
