#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/cases/problem.h"
#include "harness/document/result.h"
#include "harness/properties/pack.h"
#include "harness/runner/run.h"
#include "reports/past_run.h"

namespace fixpoint::reports {

/// One line of a side-by-side comparison of two Pods as YAML. Empty on one side: added or removed there.
struct DiffLine {
  std::string before = {}, after = {};
  bool changed = false;
  bool again = false;      ///< of an item that an earlier call had added already
  bool offending = false;  ///< the evidence of a finding
  bool gap = false;        ///< lines without a change are left out here
  bool operator==(const DiffLine&) const = default;
};

/// The effect of one call on the Pod.
struct CallDiff {
  int pass = 1;            ///< 0 of a call that the property made itself
  std::string check = {};  ///< which call of the property's own it is
  std::string webhook = {};
  std::vector<DiffLine> lines = {};
};

struct RecordedFinding {
  cases::Finding finding = {};
  std::vector<CallDiff> call_diffs = {};  ///< if its Case could be run again
  /// Of the history: new, failing, fixed, flaky; of a policy: expected; empty without either.
  std::string state = {};
};

struct RegressionAnswer {
  std::string file = {};
  std::string answer = {};  ///< still failing, fixed, or not runnable: why
};

/// The result of running the Case of a known finding again.
struct RetryAnswer {
  cases::Finding finding = {};
  std::string answer = {};  ///< still failing, fixed, flaky, or not runnable: why
};

/// Microseconds of one call of an injector, or of a whole admission, on Pods of one size.
struct LatencyRow {
  std::string injector = {};
  std::int64_t pod_bytes = 0;
  std::optional<std::int64_t> patch_bytes = {};  ///< of a call; an admission has none of its own
  double p50 = 0, p90 = 0, p99 = 0, max = 0;
};

/// The cost of one Case of some size: so many containers, webhooks or kilobytes.
struct CostRow {
  std::string axis = {};
  std::int64_t size = 1;    ///< above 0
  double microseconds = 0;  ///< above 0
  /// The cost of reading and writing each byte of the same Pod as JSON, measured at the same time; 0: not
  /// measured. If it rises, the machine is slower with much memory than with little.
  double byte_nanoseconds = 0;
};

/// A finding in a history of runs.
struct PastFinding {
  std::string fingerprint = {};
  std::string property = {};
  std::string subject = {};
  std::string severity = {};
  std::string first_seen = {}, last_seen = {};  ///< dates of runs; texts that sort
  std::string state = {};                       ///< failing, fixed, flaky
  std::int64_t runs = 0;                        ///< in which it failed
};

/// A run that is over, or was cut off: the source of all reports.
struct RunRecord {
  std::string version = {};
  std::string seed = {};
  std::vector<std::string> subjects = {};
  std::map<std::string, std::string> files = {};  ///< by configuration: the file that it was read from
  std::vector<RegressionAnswer> regressions = {};
  std::vector<RetryAnswer> retries = {};
  std::vector<RecordedFinding> findings = {};
  /// The regression's name by fingerprint, for findings that the run itself knew; empty for a new one.
  std::map<std::string, std::string> known = {};
  std::vector<cases::Finding> notes = {};
  runner::RunSummary summary = {};  ///< without the findings and the notes
  std::vector<LatencyRow> latencies = {};
  std::vector<CostRow> costs = {};
  std::vector<PastFinding> history = {};
  std::vector<PastRun> past_runs = {};          ///< of the history, the oldest first
  std::vector<PastProblem> past_problems = {};  ///< of these, by first sight
  properties::Catalog catalog = {};             ///< for what properties claim, and why
  bool complete = false;                        ///< the run reached its stop event
  bool shows_values = false;                    ///< it contains values that may be secrets
  std::string folder = "run";                   ///< for the command that replays a finding
  /// The file of the repository in which code scanning shows results; empty: the file of the subject, if it
  /// is known.
  std::string source = {};
};

/// Reads the events of a run, in their order. A last line that was cut off is left out; any other that cannot
/// be read is an error with its number.
document::Result<RunRecord> read_events(std::string_view text);

// Texts about a record that several formats share.

/// "2 findings", "failed: 1 gate did not hold", "nothing found", "cut off",
/// "no verdict: hooks acted in 0 of 16 Cases"
std::string verdict_of(const RunRecord& record);
/// The verdict behind the word that sums it up: "FAILED: 2 findings", "NO VERDICT: hooks acted in 0 of 16
/// Cases".
std::string headline_of(const RunRecord& record);
/// The problems behind the findings.
std::vector<cases::Problem> problems_of(const RunRecord& record);
/// The findings of one of them.
std::vector<cases::Finding> members_of(const cases::Problem& problem, const RunRecord& record);
/// Returns "new" or "known" by the states of its findings, or "" without regressions, history and policy.
std::string state_of(const cases::Problem& problem, const RunRecord& record);
/// Returns true for a warning in a run that only errors fail.
bool is_tolerated(const RunRecord& record, const cases::Finding& finding);
/// Returns true if the finding fails the run: nobody expected it, and it is not tolerated.
bool fails_run(const RunRecord& record, const RecordedFinding& recorded);
/// Returns true if the known failure still fails, always or sometimes.
bool is_failing(const RetryAnswer& retry);
/// Returns true if something unexpected was found, a regression still fails, or a gate did not hold.
bool is_failed(const RunRecord& record);
/// Returns true if a subject acted in no Case: a run without failures then has no verdict.
bool has_no_verdict(const RunRecord& record);
/// Returns the part to blame as a user calls it: an injector's name, a webhook, or the chain.
std::string subject_of(const cases::Finding& finding);
/// The command that replays a finding of the run, with the flags that its webhooks need.
std::string replay_command(const RunRecord& record, const cases::Finding& finding);
/// The Case or Sequence as canonical JSON.
std::string case_text(const cases::Finding& finding);

}  // namespace fixpoint::reports
