#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/result.h"
#include "harness/external/external_webhooks.h"
#include "harness/external/served_webhook.h"
#include "harness/runner/subject.h"
#include "harness/webhooks/server.h"

namespace fixpoint::external {

/// Where a server listens.
struct Address {
  std::string host;
  int port = 0;  ///< 0: a free one
};
/// Reads HOST:PORT, an IPv6 host in brackets; nothing for any other text.
std::optional<Address> parse_address(const std::string& text);
/// https://HOST:PORT
std::string url_of(const std::string& host, int port);

/// The names that a server's certificate is for: the host, localhost, these, and those of the service
/// NAMESPACE/NAME when there is one.
std::vector<std::string> names_of_server(const std::string& host, const std::vector<std::string>& names,
                                         const std::string& service);

/// PEM files to serve with.
struct CertificateFiles {
  std::string certificate = {}, key = {};
  std::string authority = {};  ///< that callers trust; empty: the certificate itself
};
document::Result<Authority> read_authority(const CertificateFiles& files);

/// An error for two subjects under one configuration: who calls does not tell them apart.
std::optional<document::Error> same_configuration(const std::vector<runner::Subject>& subjects);

/// Keeps the first subject of each configuration: a composed webhook is all the others of its own.
void keep_one_a_configuration(std::vector<runner::Subject>& subjects);

/// The cluster that the subjects read: the objects of the manifests, and of each subject those that it brings
/// and no manifest has.
document::Result<cases::Cluster> served_cluster(const std::vector<std::string>& manifests,
                                                const std::vector<runner::Subject>& subjects);

/// The answers of all webhooks of the subjects, by path_of().
document::Result<std::map<std::string, webhooks::Server::Respond>> served_paths(
    const std::vector<runner::Subject>& subjects, const ExternalWebhooks& outside, cases::Cluster cluster);

}  // namespace fixpoint::external
