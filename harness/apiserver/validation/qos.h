#pragma once

#include <string_view>

#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Guaranteed, Burstable or BestEffort, from the Pod's requests and limits (since 1.34, pod-level ones take
/// precedence over those of containers).
std::string_view qos_class(const document::Value& spec, int minor);
/// The class that the Pod's status says, else that of its spec (GetPodQOS in pkg/apis/core/helper/qos).
std::string_view qos_class_of(const document::Value& pod, int minor);

}  // namespace fixpoint::apiserver
