#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/document/value.h"

namespace fixpoint::apiserver::validating {

/// The levels of the Pod Security Standards, from lax to strict.
enum class SecurityLevel { privileged, baseline, restricted };

/// Evaluates a Pod by all checks of a level as they stood in the Kubernetes minor `version`
/// (k8s.io/pod-security-admission/policy). Returns what the Pod breaks, in the server's words:
/// "privileged (container "a" must not set securityContext.privileged=true), hostPath volumes (…)".
std::optional<std::string> broken_checks(const document::Value& pod, SecurityLevel level, int version);

/// The labels of a namespace that PodSecurity reads begin with this.
inline constexpr std::string_view kSecurityLabels = "pod-security.kubernetes.io/";
/// Returns true if the labels of a namespace ask PodSecurity for anything.
bool has_security_labels(const document::Value& labels);

}  // namespace fixpoint::apiserver::validating
