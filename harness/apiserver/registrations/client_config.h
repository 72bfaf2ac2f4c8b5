#pragma once

#include "harness/apiserver/validation/context.h"

namespace fixpoint::apiserver::validation {

/// Checks where the server finds a webhook: a URL or a service (ValidateWebhookURL and ValidateWebhookService
/// in k8s.io/apiserver/pkg/util/webhook). The CA bundle is not checked.
void check_client_config(const Value& config, const Path& path, Errors& errors);

}  // namespace fixpoint::apiserver::validation
