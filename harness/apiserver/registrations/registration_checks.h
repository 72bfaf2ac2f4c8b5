#pragma once

#include <string_view>

#include "harness/apiserver/validation/errors.h"
#include "harness/document/value.h"

// Checks that webhook configurations and admission policies have in common
// (pkg/apis/admissionregistration/validation).
namespace fixpoint::apiserver::validation {

using document::Value;

inline constexpr std::string_view kFailurePolicies[] = {"Fail", "Ignore"};
inline constexpr std::string_view kMatchPolicies[] = {"Equivalent", "Exact"};
inline constexpr std::string_view kReinvocationPolicies[] = {"IfNeeded", "Never"};

/// A rule: operations, groups, versions, resources and a scope.
void check_rule(const Value& rule, const Path& path, Errors& errors);

/// Match conditions; those of policies may read params.
void check_conditions(const Value& conditions, bool has_params, int minor, const Path& path, Errors& errors);

/// The metadata of an object without a namespace. A namespace that was sent is dropped.
void check_cluster_metadata(const Value& metadata, const Path& path, Errors& errors);

}  // namespace fixpoint::apiserver::validation
