#include "harness/apiserver/kinds/job_status.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/apiserver/kinds/job_indexes.h"

namespace fixpoint::apiserver::kinds {

namespace {

/// The first minor in which a Job may be managed by others: its status is validated by how it changes.
constexpr int kManagedByOthers = 32;

/// A Job and its stored form: the conditions of both, and which members of the status changed.
struct StatusChange {
  const Value &job, &old, &status, &old_status;
  const bool is_complete = has_condition(job, "Complete"), is_failed = has_condition(job, "Failed"),
             has_met_criteria = has_condition(job, "SuccessCriteriaMet"),
             has_failure_target = has_condition(job, "FailureTarget"), is_finished = is_complete || is_failed;
  const bool was_complete = has_condition(old, "Complete"), was_failed = has_condition(old, "Failed"),
             had_met_criteria = has_condition(old, "SuccessCriteriaMet"),
             had_failure_target = has_condition(old, "FailureTarget"),
             was_finished = was_complete || was_failed;

  explicit StatusChange(const Change& change)
      : job(change.object),
        old(change.old),
        status(change.object["status"]),
        old_status(change.old["status"]) {}
  bool has_new(const char* member) const { return !(status[member] == old_status[member]); }
  bool is_finished_new() const { return is_finished != was_finished; }
  std::int64_t number(const char* member) const { return status[member].integer().value_or(0); }
  std::int64_t old_number(const char* member) const { return old_status[member].integer().value_or(0); }
};

constexpr Path kStatus("status");
constexpr Path kConditions = kStatus.child("conditions");

void check_uncounted(const Value& uncounted, Errors& errors) {
  std::set<std::string_view> seen;
  const Path path = kStatus.child("uncountedTerminatedPods");
  for (const char* list : {"succeeded", "failed"}) {
    const Path list_path = path.child(list);
    const Value& uids = uncounted[list];
    for (std::size_t i = 0; i < uids.size(); ++i) {
      const std::string_view uid = uids.at(i).text();
      if (uid.empty())
        errors.invalid_typed(list_path.at(i), uid, Text("must not be empty"));
      else if (!seen.insert(uid).second)
        errors.duplicate_typed(list_path.at(i), uid);
    }
  }
}

/// Conditions that exclude or need one another, and what a finished Job has.
void check_conditions(const StatusChange& change, Errors& errors) {
  const bool complete_new = change.is_complete != change.was_complete;
  const struct {
    bool is_asked, is_wrong;
    Text text;
  } rows[] = {
      {complete_new || change.is_failed != change.was_failed, change.is_complete && change.is_failed,
       Text("cannot set Complete=True and Failed=true conditions")},
      {complete_new || change.has_failure_target != change.had_failure_target,
       change.is_complete && change.has_failure_target,
       Text("cannot set Complete=True and FailureTarget=true conditions")},
      {change.is_failed != change.was_failed || change.has_new("failedIndexes"),
       change.is_failed && !change.has_failure_target,
       Text("cannot set Failed=True condition without the FailureTarget=true condition")},
      {complete_new || change.has_met_criteria != change.had_met_criteria,
       change.is_complete && !change.has_met_criteria,
       Text("cannot set Complete=True condition without the SuccessCriteriaMet=true condition")},
      {true, change.was_failed && !change.is_failed,
       Text("cannot disable the terminal Failed=True condition")},
      {true, change.was_complete && !change.is_complete,
       Text("cannot disable the terminal Complete=True condition")},
      {true, change.had_failure_target && !change.has_failure_target,
       Text("cannot disable the terminal FailureTarget=True condition")},
  };
  for (const auto& row : rows)
    if (row.is_asked && row.is_wrong) errors.invalid_hidden(kConditions, row.text);
}

void check_times(const StatusChange& change, Errors& errors) {
  const Value &start = change.status["startTime"], &end = change.status["completionTime"];
  const Value& old_end = change.old_status["completionTime"];
  const Path start_path = kStatus.child("startTime"), end_path = kStatus.child("completionTime");
  const bool is_end_asked = change.is_complete != change.was_complete || change.has_new("completionTime");
  if (is_end_asked && !end.is_null() && !change.is_complete)
    errors.invalid(end_path, end, Text("cannot set completionTime when there is no Complete=True condition"));
  if (is_end_asked && end.is_null() && change.is_complete)
    errors.required(end_path, Text("completionTime is required for Complete jobs"));
  // Canonical times are ordered as their texts are.
  if ((change.has_new("startTime") || change.has_new("completionTime")) && !start.is_null() &&
      !end.is_null() && end.text() < start.text())
    errors.invalid(end_path, end, Text("must be equal to or after `startTime`"));
  if (!end.is_null() && !old_end.is_null() && change.has_new("completionTime"))
    errors.invalid(end_path, end, Text("field is immutable"));
  const Value& spec = change.job["spec"];
  const bool never_ran = spec["suspend"].is_true() && spec["completions"].integer() == 0;
  if ((change.is_finished_new() || change.has_new("startTime")) && !never_ran && start.is_null() &&
      change.is_finished)
    errors.required(start_path, Text("startTime is required for finished job"));
  const bool is_resumed =
      has_condition(change.old, "Suspended") && has_condition(change.job, "Suspended", "False");
  if (change.has_new("startTime") && !is_resumed && !change.old_status["startTime"].is_null() &&
      !spec["suspend"].is_true())
    errors.invalid(start_path, start, Text("field is immutable for unsuspended job once set"));
}

void check_counters(const StatusChange& change, Errors& errors) {
  static constexpr document::GoMember kUncounted[] = {{"Succeeded", "succeeded", "null"},
                                                      {"Failed", "failed", "null"}};
  const Value &spec = change.job["spec"], &uncounted = change.status["uncountedTerminatedPods"];
  const auto refuse = [&](const char* member, Text text) {
    errors.invalid(kStatus.child(member), Value(change.number(member)), text);
  };
  const auto is_asked = [&](const char* member) {
    return change.is_finished && (change.is_finished_new() || change.has_new(member));
  };
  if (is_asked("active") && change.number("active") > 0)
    refuse("active", Text("active>0 is invalid for finished job"));
  if (is_asked("terminating") && change.number("terminating") > 0)
    refuse("terminating", Text("terminating>0 is invalid for finished job"));
  if (is_asked("uncountedTerminatedPods") && !(uncounted["succeeded"].empty() && uncounted["failed"].empty()))
    errors.invalid(kStatus.child("uncountedTerminatedPods"), uncounted, kUncounted,
                   Text("must be empty for finished job"));
  if ((change.has_new("ready") || change.has_new("active")) &&
      change.number("ready") > change.number("active") && !change.status["ready"].is_null())
    refuse("ready", Text("cannot set more ready pods than active"));
  if (change.number("failed") < change.old_number("failed"))
    refuse("failed", Text("cannot decrease the failed counter"));
  const bool is_scaled =
      spec["completionMode"].text() == "Indexed" && spec["completions"] == spec["parallelism"];
  if (!is_scaled && change.number("succeeded") < change.old_number("succeeded"))
    refuse("succeeded", Text("cannot decrease the succeeded counter"));
}

/// validateFailedIndexesNotOverlapCompleted: the first index at which two intervals meet, in their order.
std::optional<std::int64_t> overlap_of(const std::vector<IndexInterval>& completed,
                                       const std::vector<IndexInterval>& failed) {
  for (std::size_t c = 0, f = 0; c < completed.size() && f < failed.size();) {
    const IndexInterval &one = completed[c], &other = failed[f];
    if (!one.problem.empty())
      ++c;
    else if (!other.problem.empty())
      ++f;
    else if (one.first <= other.last && other.first <= one.last)
      return std::max(one.first, other.first);
    else
      ++(one.first <= other.first ? c : f);
  }
  return std::nullopt;
}

void check_index_formats(const StatusChange& change, std::int64_t completions, Errors& errors) {
  const Value &done = change.status["completedIndexes"], &failed = change.status["failedIndexes"];
  const auto completed = read_indexes(done.text(), completions),
             lost = read_indexes(failed.text(), completions);
  const bool is_done_new = change.has_new("completedIndexes"),
             is_failed_new = change.has_new("failedIndexes");
  if (const std::string problem = indexes_problem(completed); is_done_new && !problem.empty())
    errors.invalid(kStatus.child("completedIndexes"), done.text(),
                   Text("error parsing completedIndexes: {}").with({problem}));
  if (failed.is_null()) return;
  const Path path = kStatus.child("failedIndexes");
  if (const std::string problem = indexes_problem(lost);
      is_failed_new && !problem.empty() && !change.job["spec"]["backoffLimitPerIndex"].is_null())
    errors.invalid_typed(path, failed.text(), Text("error parsing failedIndexes: {}").with({problem}));
  if (const auto index = overlap_of(completed, lost); index && (is_done_new || is_failed_new))
    errors.invalid(
        path, failed.text(),
        Text("failedIndexes and completedIndexes overlap at index: {}").with({std::to_string(*index)}));
}

void check_indexes(const StatusChange& change, Errors& errors) {
  const Value& spec = change.job["spec"];
  const Value &done = change.status["completedIndexes"], &failed = change.status["failedIndexes"];
  if (const auto completions = spec["completions"].integer())
    check_index_formats(change, *completions, errors);
  if (change.has_new("completedIndexes") && !done.text().empty() &&
      spec["completionMode"].text() != "Indexed")
    errors.invalid(kStatus.child("completedIndexes"), done.text(),
                   Text("cannot set non-empty completedIndexes when non-indexed completion mode"));
  if (change.has_new("failedIndexes") && !failed.is_null() && spec["backoffLimitPerIndex"].is_null())
    errors.invalid(kStatus.child("failedIndexes"), failed.text(),
                   Text("cannot set non-null failedIndexes when backoffLimitPerIndex is null"));
}

/// The rules about SuccessCriteriaMet, which hold however the status changed.
void check_success_criteria(const StatusChange& change, Errors& errors) {
  const bool has_policy = !change.job["spec"]["successPolicy"].is_null();
  const struct {
    bool is_wrong;
    Text text;
  } rows[] = {
      {change.has_met_criteria && change.is_failed,
       Text("cannot set SuccessCriteriaMet=True and Failed=true conditions")},
      {change.has_met_criteria && change.has_failure_target,
       Text("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions")},
      {has_policy && !change.has_met_criteria && change.is_complete,
       Text("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True")},
      {change.had_met_criteria && !change.has_met_criteria,
       Text("cannot disable the SuccessCriteriaMet=True condition")},
      {change.was_complete && !change.had_met_criteria && change.has_met_criteria,
       Text("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions")},
  };
  for (const auto& row : rows)
    if (row.is_wrong) errors.invalid_hidden(kConditions, row.text);
}

}  // namespace

bool has_condition(const Value& job, std::string_view type, std::string_view status) {
  for (const Value& one : job["status"]["conditions"].elements())
    if (one["type"].text() == type && one["status"].text() == status) return true;
  return false;
}

void check_status_of_job(const Change& change, Errors& errors) {
  const StatusChange status(change);
  check_not_negative(status.status, {"active", "succeeded", "failed", "ready", "terminating"}, kStatus,
                     errors);
  check_uncounted(status.status["uncountedTerminatedPods"], errors);
  check_success_criteria(status, errors);
  if (change.minor < kManagedByOthers) return;
  check_conditions(status, errors);
  check_times(status, errors);
  check_counters(status, errors);
  check_indexes(status, errors);
}

}  // namespace fixpoint::apiserver::kinds
