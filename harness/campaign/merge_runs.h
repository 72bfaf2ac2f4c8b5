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

/// A finished run as read from its folder, or several merged runs.
struct FinishedRun {
  std::string folder = {};
  std::vector<document::Value> starts = {};             ///< start events: one, or those of all merged runs
  std::map<std::string, std::string> regressions = {};  ///< the answers by file
  std::map<std::string, std::string> known = {};        ///< the names of known failures by fingerprint
  std::vector<cases::Finding> findings = {}, notes = {};
  runner::RunSummary summary = {};
};

/// Reads the folder of a run; returns an error if the run is unfinished.
document::Result<FinishedRun> read_finished_run(const std::string& folder);

/// Returns the error that two start events differ in the texts from which the run learned alone; nothing if
/// they differ in anything else, or not at all.
std::optional<document::Error> changed_sources(document::Value stored, document::Value now);

/// Merges runs that differ only in the seed and the shard: keeps the smallest Case of each finding and adds
/// up the counts. The order of the runs does not matter. Returns an error if a run differs in anything else,
/// or if a seed occurs twice.
document::Result<FinishedRun> merged(std::vector<FinishedRun> runs);

/// Writes a merged run in the same way as `fuzz` writes its own.
std::optional<document::Error> write_merged(const FinishedRun& whole, RunFolder& folder);

/// Returns the exit code of `fuzz` for such a run.
ExitCode exit_code_of(const FinishedRun& run);

}  // namespace fixpoint::campaign
