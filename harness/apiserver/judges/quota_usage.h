#pragma once

#include <string_view>

#include "harness/apiserver/judges/pod_totals.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::validating {

// The amounts of Pods that quotas count (pkg/quota/v1/evaluator/core/pods.go).

/// Returns true if Pods use that resource of a quota.
bool is_counted_for_pods(std::string_view quota_resource);

/// The names that a quota knows the requests and limits of one container by, with their amounts.
Usage usage_of_container(const document::Value& container);

/// The amounts of a quota that a Pod uses; a Pod that has ended only counts as an object.
Usage usage_of_pod(const document::Value& pod, int minor);

/// Returns true if the quota's scopes and its scope selector are those of the Pod.
bool in_scopes(const document::Value& quota_spec, const document::Value& pod, int minor);

/// Returns true if the Pod is in the scope Terminating.
bool has_deadline(const document::Value& pod);

}  // namespace fixpoint::apiserver::validating
