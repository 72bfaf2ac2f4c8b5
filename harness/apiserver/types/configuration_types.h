#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

extern const Type kWebhookClientConfig;
extern const Type kMutatingWebhookConfiguration;
extern const Type kValidatingWebhookConfiguration;

}  // namespace fixpoint::apiserver
