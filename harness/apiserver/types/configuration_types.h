#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

extern const Type kMutatingWebhookConfiguration;

}  // namespace fixpoint::apiserver
