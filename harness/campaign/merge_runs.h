#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/campaign/exit_code.h"
#include "harness/campaign/run_folder.h"
#include "harness/cases/finding.h"
#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/runner/run_summary.h"

namespace fixpoint::campaign {

/// A finished run as read from its folder, or several runs as one.
struct FinishedRun {
  std::string folder = {};
  std::vector<document::Value> starts = {};             ///< events; one, of merged runs those of all
  std::map<std::string, std::string> regressions = {};  ///< answers by file
  std::map<std::string, std::string> known = {};        ///< names of known failures by fingerprint
  std::vector<cases::Finding> findings = {}, notes = {};
  runner::RunSummary summary = {};
};

/// Reads the folder of a run; an error for one that has not come to its end.
document::Result<FinishedRun> read_finished_run(const std::string& folder);

/// Joins runs that differ only in the seed and the shard: of each finding the smallest Case, and the sums of
/// the counts. The order of the runs does not matter. An error for another run, or a seed twice.
document::Result<FinishedRun> merged(std::vector<FinishedRun> runs);

/// Writes a merged run as `fuzz` would have.
std::optional<document::Error> write_merged(const FinishedRun& whole, RunFolder& folder);

/// Returns the exit code of `fuzz` for such a run.
ExitCode exit_code_of(const FinishedRun& run);

}  // namespace fixpoint::campaign
