#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/result.h"
#include "harness/runner/subject.h"
#include "harness/webhooks/server.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::external {

/// An authority and a certificate of it, for the names that a server has.
struct Authority {
  webhooks::Identity authority;
  webhooks::Identity server;
};
/// Good for a year. `names` are host names and addresses.
Authority make_authority(const std::vector<std::string>& names);

/// Where a webhook is served: /CONFIGURATION/WEBHOOK.
std::string path_of(const std::string& webhook);

/// Answers a review by a handler that sees this cluster; calls are counted from 1.
webhooks::Server::Respond respond_with(webhooks::Handler handler, std::string webhook,
                                       std::shared_ptr<const cases::Cluster> cluster);

/// The subject's MutatingWebhookConfiguration as `kubectl apply` takes it: each webhook with a clientConfig
/// that has the CA and either the URL below `base` or, with "NAMESPACE/NAME", the service.
document::Value configuration_of(const runner::Subject& subject, const std::string& base,
                                 const std::string& service, const std::string& authority_pem);

}  // namespace fixpoint::external
