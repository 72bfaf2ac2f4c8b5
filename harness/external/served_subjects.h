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

/// The address on which a server listens.
struct Address {
  std::string host;
  int port = 0;  ///< 0: any free port
};
/// Reads HOST:PORT, with an IPv6 host in brackets. Returns nothing for any other text.
std::optional<Address> parse_address(const std::string& text);
/// Returns https://HOST:PORT.
std::string url_of(const std::string& host, int port);

/// Returns the names for a server's certificate: the host, localhost, the given names, and those of the
/// service NAMESPACE/NAME if there is one.
std::vector<std::string> names_of_server(const std::string& host, const std::vector<std::string>& names,
                                         const std::string& service);

/// The PEM files for a server.
struct CertificateFiles {
  std::string certificate = {}, key = {};
  std::string authority = {};  ///< the CA that callers trust; empty: the certificate itself
};
document::Result<Authority> read_authority(const CertificateFiles& files);

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
