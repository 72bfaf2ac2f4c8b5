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

/// A finished run as its folder has it, or several runs as one.
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

/// Joins runs that have all but the seed and the shard in common: of each finding the smallest Case, and what
/// was counted together. The order of the runs leaves no trace. An error for another run, or a seed twice.
document::Result<FinishedRun> merged(std::vector<FinishedRun> runs);

/// Writes a merged run as `fuzz` would have.
std::optional<document::Error> write_merged(const FinishedRun& whole, RunFolder& folder);

/// The exit code of `fuzz` for such a run.
ExitCode exit_code_of(const FinishedRun& run);

}  // namespace fixpoint::campaign
