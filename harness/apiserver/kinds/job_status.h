#pragma once

#include "harness/apiserver/kinds/workload_checks.h"

namespace fixpoint::apiserver::kinds {

/// Returns true if the status of the Job has the condition with that status.
bool has_condition(const Value& job, std::string_view type, std::string_view status = "True");

/// Checks an update of the status of a Job (pkg/apis/batch/validation ValidateJobUpdateStatus): since 1.32,
/// when a Job may be managed by others, what changed must be a step that the Job controller could make
/// (pkg/registry/batch/job/strategy.go getStatusValidationOptions).
void check_status_of_job(const Change& change, Errors& errors);

}  // namespace fixpoint::apiserver::kinds
