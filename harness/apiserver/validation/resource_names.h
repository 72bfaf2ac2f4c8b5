#pragma once

#include <string_view>

namespace fixpoint::apiserver::validation {

/// Returns true for a resource of Kubernetes itself: one without a domain, or of a domain kubernetes.io
/// (IsNativeResource in pkg/apis/core/helper).
bool is_native_resource(std::string_view name);

/// Returns true for a resource that a device plugin may announce (IsExtendedResourceName there).
bool is_extended_resource(std::string_view name);

}  // namespace fixpoint::apiserver::validation
