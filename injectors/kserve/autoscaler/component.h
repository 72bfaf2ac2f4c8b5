#pragma once

#include <string_view>

#include "harness/reconcile/run_sequence.h"

/// The autoscaler of a component in a raw deployment: the contents of its Sequences, and the properties of
/// its reconciler.
namespace fixpoint::injectors::kserve::autoscaler {

using document::Value;

inline constexpr const char* kClassAnnotation = "serving.kserve.io/autoscalerClass";
inline constexpr const char* kStopAnnotation = "serving.kserve.io/stop";

/// The InferenceService that owns the objects of the reconciler.
inline constexpr std::string_view kOwnerName = "model";
inline constexpr std::string_view kOwnerUid = "22222222-2222-2222-2222-222222222222";

/// Returns true if an object has that InferenceService among its owners, compared by uid as in Kubernetes.
bool is_owned(const Value& object);

/// Returns the component's class: `hpa` if its annotation is absent.
std::string_view class_of(const Value& desired);

}  // namespace fixpoint::injectors::kserve::autoscaler
