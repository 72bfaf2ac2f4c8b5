#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/external/backends/served_webhook.h"
#include "harness/runner/learning/subject.h"
#include "harness/webhooks/server.h"

namespace fixpoint::external {

/// Returns an error if two subjects have the same configuration: a caller cannot tell them apart.
std::optional<document::Error> same_configuration(const std::vector<runner::Subject>& subjects);

/// Keeps the first subject of each configuration: a composed webhook contains the others of its
/// configuration.
void keep_one_a_configuration(std::vector<runner::Subject>& subjects);

/// Returns the cluster that the subjects read: the objects of the manifests, and those objects of each
/// subject that no manifest has.
document::Result<cases::Cluster> served_cluster(const std::vector<std::string>& manifests,
                                                const std::vector<runner::Subject>& subjects);

/// Returns the responders of all webhooks of the subjects, keyed by path_of().
document::Result<std::map<std::string, webhooks::Server::Respond>> served_paths(
    const std::vector<runner::Subject>& subjects, const ExternalWebhooks& outside, cases::Cluster cluster);

}  // namespace fixpoint::external
