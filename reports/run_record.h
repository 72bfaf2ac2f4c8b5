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
  bool offending = false;  ///< what a finding speaks of
  bool gap = false;        ///< lines without a change are left out here
  bool operator==(const DiffLine&) const = default;
};

/// What one call did to the Pod.
struct Hop {
  int pass = 1;            ///< 0 of a call that the property made itself
  std::string check = {};  ///< which call of the property's own it is
  std::string webhook = {};
  std::vector<DiffLine> lines = {};
};

struct RecordedFinding {
  cases::Finding finding = {};
  std::vector<Hop> hops = {};  ///< when its Case could be run again
  /// Of the history: new, failing, fixed, flaky; of a policy: expected; empty without either.
  std::string state = {};
};

struct RegressionAnswer {
  std::string file = {};
  std::string answer = {};  ///< still failing, fixed, or not runnable: why
};

/// What a finding that the history knew answered when its Case was run again.
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

/// What one Case of some size costs: so many containers, webhooks or kilobytes.
struct CostRow {
  std::string axis = {};
  std::int64_t size = 1;    ///< above 0
  double microseconds = 0;  ///< above 0
  /// Of reading and writing each byte of the same Pod as JSON, then and there; 0: not measured. Where it
  /// rises, the machine is slower with much memory than with little.
  double byte_nanoseconds = 0;
};

/// What a history of runs knows of one finding.
struct PastFinding {
  std::string fingerprint = {};
  std::string property = {};
  std::string subject = {};
  std::string severity = {};
  std::string first_seen = {}, last_seen = {};  ///< dates of runs; texts that sort
  std::string state = {};                       ///< failing, fixed, flaky
  std::int64_t runs = 0;                        ///< in which it failed
};

/// A run that is over, or was cut off: what all reports are made of.
struct RunRecord {
  std::string version = {};
  std::string seed = {};
  std::vector<std::string> subjects = {};
  std::map<std::string, std::string> files = {};  ///< by configuration: the file that it was read from
  std::vector<RegressionAnswer> regressions = {};
  std::vector<RetryAnswer> retries = {};
  std::vector<RecordedFinding> findings = {};
  /// By fingerprint, where the run itself knew a finding from (a regression's name); empty for a new one.
  std::map<std::string, std::string> known = {};
  std::vector<cases::Finding> notes = {};
  runner::RunSummary summary = {};  ///< without the findings and the notes
  std::vector<LatencyRow> latencies = {};
  std::vector<CostRow> costs = {};
  std::vector<PastFinding> history = {};
  std::vector<PastRun> past_runs = {};          ///< of the history, the oldest first
  std::vector<PastProblem> past_problems = {};  ///< of these, by first sight
  properties::Catalog catalog = {};             ///< for what properties claim, and why
  bool complete = false;                        ///< whether it came to its stop
  bool shows_values = false;                    ///< whether values that may be secrets stand in it
  std::string folder = "run";                   ///< for the command that replays a finding
  /// The file of the repository in which code scanning shows results; empty: what is known of the subjects.
  std::string source = {};
};

/// Reads the events of a run, in their order. A last line that was cut off is left out; any other that cannot
/// be read is an error with its number.
document::Result<RunRecord> read_events(std::string_view text);

// What several formats say of a record.

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
/// "new", "known", or "" where no regression, history or policy was at hand: by the states of its findings.
std::string state_of(const cases::Problem& problem, const RunRecord& record);
/// Where the run itself knew one of its findings from; empty where it knew none.
std::string known_as(const cases::Problem& problem, const RunRecord& record);
/// Returns true for a warning in a run that only errors fail.
bool is_tolerated(const RunRecord& record, const cases::Finding& finding);
/// Returns true if the finding fails the run: nobody expected it, and it is not tolerated.
bool fails_run(const RunRecord& record, const RecordedFinding& recorded);
/// Returns true if the known failure fails still, always or now and then.
bool is_failing(const RetryAnswer& retry);
/// Whether something was found that was not expected, a regression still fails, or a gate did not hold.
bool is_failed(const RunRecord& record);
/// Whether a subject acted in no Case: where nothing failed the run then has no verdict.
bool has_no_verdict(const RunRecord& record);
/// Who is to blame, as a person calls it: an injector's name, a webhook, or the chain.
std::string subject_of(const cases::Finding& finding);
/// The command that replays a finding of the run, with the flags that its webhooks need.
std::string replay_command(const RunRecord& record, const cases::Finding& finding);
/// The Case or Sequence as canonical JSON.
std::string case_text(const cases::Finding& finding);

}  // namespace fixpoint::reports
