#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "reports/run_record.h"

namespace fixpoint::reports {

/// The result of one finding in one run.
struct HistoryEntry {
  cases::Finding finding;
  std::string answer;  ///< found, flaky, or a text of runner::text_of
};

/// One run, which is one line of a history.
struct HistoryRun {
  std::string id = {};    ///< of the run; empty in lines of older versions
  std::string date = {};  ///< 2026-11-21T18:40:00Z; sorts as text
  std::string version = {};
  std::string seed = {};
  std::vector<std::string> subjects = {};
  std::uint64_t cases = 0;
  /// The run's folder and its page, relative to the folder of the history's file; empty if unknown.
  std::string folder = {}, report = {};
  std::vector<HistoryEntry> findings = {};
};

/// A file to which each run appends a line.
struct History {
  std::vector<HistoryRun> runs = {};
  std::size_t torn = 0;  ///< the number of lines that a killed process left unfinished
};

/// Reads a history; an empty text contains no runs. A run that was resumed after it had appended its line has
/// several, and the last one stands for it. A line that is not JSON was cut off while it was written,
/// and is counted. A line that is JSON but not a run is an error with its line number.
document::Result<History> read_history(std::string_view text);
/// Returns the line of a run, with its line end.
std::string history_line(const HistoryRun& run);
/// Returns the entry of a run for a history: its findings, and the results of retries.
HistoryRun history_run(const RunRecord& record, const std::string& date);

/// Returns every finding of the history in the order of first sight. The state is `failing` if the last run
/// that checked the finding saw it, `reopened` if that run was the first to see it after it was fixed,
/// `fixed` if a retry no longer showed it, and `flaky` if one run gave both results or if a fixed finding
/// failed again in the same release of its subject.
std::vector<PastFinding> past_findings(const History& history);
/// Returns the newest Finding of each that is not fixed or is flaky, in the order of first sight.
std::vector<cases::Finding> known_failures(const History& history);
/// Adds the history to a record: its findings, its runs with their problems, and the state of each finding of
/// the record (`new` if no earlier run had it).
void tell_history(RunRecord& record, const History& history);

}  // namespace fixpoint::reports
