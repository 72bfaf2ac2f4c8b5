#pragma once

#include <string_view>

#include "harness/reconcile/run_sequence.h"

/// The autoscaler of a component in a raw deployment: what its Sequences consist of, and the properties of
/// its reconciler.
namespace fixpoint::injectors::kserve::autoscaler {

using document::Value;

inline constexpr const char* kClassAnnotation = "serving.kserve.io/autoscalerClass";
inline constexpr const char* kStopAnnotation = "serving.kserve.io/stop";

/// The InferenceService that owns what the reconciler makes.
inline constexpr std::string_view kOwnerName = "model";
inline constexpr std::string_view kOwnerUid = "22222222-2222-2222-2222-222222222222";

/// Whether an object has that InferenceService among its owners: by uid, as Kubernetes tells owners apart.
bool is_owned(const Value& object);

/// The component's class: `hpa` when its annotation is absent.
std::string_view class_of(const Value& desired);

}  // namespace fixpoint::injectors::kserve::autoscaler
