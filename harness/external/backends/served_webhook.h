#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/result.h"
#include "harness/runner/learning/subject.h"
#include "harness/webhooks/server.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::external {

/// Returns the path under which a webhook is served: /CONFIGURATION/WEBHOOK.
std::string path_of(const std::string& webhook);

/// Returns a responder that answers reviews with the handler, which sees this cluster. Calls are counted from
/// 1.
webhooks::Server::Respond respond_with(webhooks::Handler handler, std::string webhook,
                                       std::shared_ptr<const cases::Cluster> cluster);

/// Returns the subject's MutatingWebhookConfiguration for `kubectl apply`. The clientConfig of each webhook
/// has the CA and either the URL below `base` or, if given as "NAMESPACE/NAME", the service.
document::Value configuration_of(const runner::Subject& subject, const std::string& base,
                                 const std::string& service, const std::string& authority_pem);

}  // namespace fixpoint::external
