#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/cases/problem.h"
#include "harness/document/result.h"
#include "harness/properties/packs/pack.h"
#include "harness/runner/loop/run.h"
#include "reports/past_run.h"

namespace fixpoint::reports {

/// One line of a side-by-side comparison of two Pods as YAML. A line that is empty on one side was added or
/// removed.
struct DiffLine {
  std::string before = {}, after = {};
  bool changed = false;
  bool again = false;      ///< part of an item that an earlier call had already added
  bool offending = false;  ///< the line is the evidence of a finding
  bool gap = false;        ///< unchanged lines are left out here
  bool operator==(const DiffLine&) const = default;
};

/// The effect of one call on the Pod.
struct CallDiff {
  int pass = 1;            ///< 0 for a call that the property itself made
  std::string check = {};  ///< names the property's own call
  std::string webhook = {};
  std::vector<DiffLine> lines = {};
};

struct RecordedFinding {
  cases::Finding finding = {};
  std::vector<CallDiff> call_diffs = {};  ///< empty if the Case could not be run again
  /// From the history: new, failing, reopened, fixed, flaky; from a policy: expected; empty without either.
  std::string state = {};
};

struct RegressionAnswer {
  std::string file = {};
  std::string answer = {};  ///< a text of runner::text_of
};

/// The result of replaying a known finding.
struct RetryAnswer {
  cases::Finding finding = {};
  std::string answer = {};  ///< flaky, or a text of runner::text_of
};

/// The duration, in microseconds, of one call of an injector, or of a whole admission, on Pods of one size.
struct LatencyRow {
  std::string injector = {};
  std::int64_t pod_bytes = 0;
  std::optional<std::int64_t> patch_bytes = {};  ///< the patch of a call; an admission has none
  double p50 = 0, p90 = 0, p99 = 0, max = 0;
};

/// The cost of one Case of a size, in containers, webhooks or kilobytes.
struct CostRow {
  std::string axis = {};
  std::int64_t size = 1;    ///< above 0
  double microseconds = 0;  ///< above 0
  /// The cost of reading and writing each byte of the same Pod as JSON, measured at the same time; 0: not
  /// measured. If it rises with the size, the machine is slower when more memory is in use.
  double byte_nanoseconds = 0;
};

/// A finding in a history of runs.
struct PastFinding {
  std::string fingerprint = {};
  std::string property = {};
  std::string subject = {};
  std::string severity = {};
  std::string first_seen = {}, last_seen = {};  ///< dates of runs; they sort as text
  std::string state = {};                       ///< failing, reopened, fixed, flaky
  std::int64_t runs = 0;                        ///< the number of runs in which it failed
};

/// A run, finished or interrupted: the source of all reports.
struct RunRecord {
  std::string version = {};
  std::string seed = {};
  std::vector<std::string> subjects = {};
  std::map<std::string, std::string> files = {};  ///< the file of each configuration
  /// The lines of these files, from 1, at which a configuration or policy stands, and
  /// <configuration>/<webhook>.
  std::map<std::string, int> lines = {};
  std::vector<RegressionAnswer> regressions = {};
  std::vector<RetryAnswer> retries = {};
  std::vector<RecordedFinding> findings = {};
  /// The name of the regression or history that has a finding, by fingerprint; an empty name for a new one.
  std::map<std::string, std::string> known = {};
  std::vector<cases::Finding> notes = {};
  /// The problems as they were before values were hidden: an id is made of the values. Unset: those of the
  /// findings above.
  std::optional<std::vector<cases::Problem>> problems = {};
  runner::RunSummary summary = {};  ///< its findings and notes are empty; they are above
  std::vector<LatencyRow> latencies = {};
  std::vector<CostRow> costs = {};
  std::vector<PastFinding> history = {};
  std::vector<PastRun> past_runs = {};          ///< the runs of the history, oldest first
  std::vector<PastProblem> past_problems = {};  ///< the problems of these runs, in the order of first sight
  properties::Catalog catalog = {};             ///< for the claims of properties and the reasons for them
  bool complete = false;                        ///< the run reached its stop event
  bool shows_values = false;                    ///< the record contains values that may be secrets
  std::string folder = "run";                   ///< used in the command that replays a finding
  /// The file of the repository in which code scanning shows results. If empty, it is the file of the
  /// subject, if known.
  std::string source = {};
};

/// Reads the events of a run in order. An unfinished last line is ignored; any other line that cannot be read
/// is an error with its number.
document::Result<RunRecord> read_events(std::string_view text);

// Texts about a record that several formats share.

/// Returns the verdict: "2 findings", "failed: 1 gate did not hold", "nothing found", "cut off", "no verdict:
/// hooks acted in 0 of 16 Cases".
std::string verdict_of(const RunRecord& record);
/// Returns the verdict after a word that sums it up: "FAILED: 2 findings", "NO VERDICT: hooks acted in 0 of
/// 16 Cases".
std::string headline_of(const RunRecord& record);
/// Returns the problems of the findings: errors first, and the new ones before those that are known.
std::vector<cases::Problem> problems_of(const RunRecord& record);
/// Returns the findings of one problem as they are recorded; they belong to the record.
std::vector<const RecordedFinding*> recorded_of(const cases::Problem& problem, const RunRecord& record);
/// Returns the findings of one problem.
std::vector<cases::Finding> members_of(const cases::Problem& problem, const RunRecord& record);
/// Returns "new" or "known" by the states of its findings, or "" if there are no regressions, no history and
/// no policy.
std::string state_of(const cases::Problem& problem, const RunRecord& record);
/// Returns the state for people: NEW, STILL, REOPENED, or KNOWN for a stored regression and for what a policy
/// accepts; "" where state_of is "".
std::string state_word(const cases::Problem& problem, const RunRecord& record);
/// Returns the word for a state of the history: STILL, REOPENED, FIXED, FLAKY; else the state itself.
std::string state_word(const std::string& state);
/// Returns true for a warning in a run that fails only on errors.
bool is_tolerated(const RunRecord& record, const cases::Finding& finding);
/// Returns true if the finding fails the run: it is neither expected nor tolerated.
bool fails_run(const RunRecord& record, const RecordedFinding& recorded);
/// Returns true if the known failure still fails, always or sometimes.
bool is_failing(const RetryAnswer& retry);
/// Returns true if there is an unexpected finding, a regression still fails, or a vacuity check failed.
bool is_failed(const RunRecord& record);
/// Returns true if a subject acted in no Case: a run without failures then has no verdict.
bool has_no_verdict(const RunRecord& record);
/// Returns the part to blame under the user's name for it: an injector's name, a webhook, or the chain.
std::string subject_of(const cases::Finding& finding);
/// Returns the command that replays a finding of the run, with the flags that its webhooks need.
std::string replay_command(const RunRecord& record, const cases::Finding& finding);
/// Returns the Case or Sequence as canonical JSON.
std::string case_text(const cases::Finding& finding);

}  // namespace fixpoint::reports
