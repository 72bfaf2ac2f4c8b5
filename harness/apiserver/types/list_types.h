#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// Kinds that a patch can turn a Pod into and that the server decodes by other rules: a list of Pods, a list
// of other objects, a Status, and any other object as far as all are the same.
extern const Type kPodList, kObjectList, kStatus, kAnyObject;

}  // namespace fixpoint::apiserver
