#pragma once

#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// A HorizontalPodAutoscaler with the defaults of autoscaling/v2: minReplicas, metrics, and, where there is a
/// behavior, its scaleUp and scaleDown (SetDefaults_HorizontalPodAutoscaler).
document::Value default_autoscaler(document::Value autoscaler);

}  // namespace fixpoint::apiserver
