#pragma once

#include <map>
#include <string>

#include "harness/cases/case.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::apiserver {

/// Adds a handler for each binding of each policy of a cluster, so that properties can ask a policy as they
/// ask a webhook: it answers with what one run of the policy alone makes of the object, and fails where the
/// policy refuses the request. The admission itself runs policies as the server does and needs none of them.
void add_policy_handlers(const cases::Cluster& cluster, std::map<std::string, webhooks::Handler>& handlers);

}  // namespace fixpoint::apiserver
