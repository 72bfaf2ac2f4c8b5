#pragma once

#include "harness/apiserver/kinds/workload_checks.h"

namespace fixpoint::apiserver::kinds {

/// Checks the podFailurePolicy of the spec of a Job.
void check_failure_policy(const Value& spec, const Path& path, Errors& errors);
/// Checks the successPolicy of the spec of an indexed Job with completions.
void check_success_policy(const Value& spec, const Path& path, Errors& errors);
/// Returns true if the server reads the completions of an Indexed Job that has none
/// (validateSuccessPolicyRule).
bool success_policy_panics(const Value& spec);

// The policies as Go writes its structs.
extern const std::span<const document::GoMember> kFailurePolicyMembers, kSuccessPolicyMembers;

}  // namespace fixpoint::apiserver::kinds
