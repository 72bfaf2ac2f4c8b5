#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// The plain kinds: objects without a template of Pods.
extern const Type kService, kConfigMap, kSecret, kServiceAccount, kNamespace, kIngress,
    kHorizontalPodAutoscaler, kScale;

}  // namespace fixpoint::apiserver
