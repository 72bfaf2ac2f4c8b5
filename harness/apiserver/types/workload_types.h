#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// The kinds of apps/v1 that make Pods of a template.
extern const Type kDeployment, kReplicaSet, kStatefulSet, kDaemonSet;

}  // namespace fixpoint::apiserver
