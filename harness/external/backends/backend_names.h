#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/result.h"
#include "harness/external/backends/backend_options.h"

namespace fixpoint::external {

/// The names that a command line and its files give to the webhooks outside, and which of them are allowed.
class BackendNames {
 public:
  /// `ca_bundle` is base64, as in a webhook configuration.
  BackendNames(const ExternalOptions& options, std::string ca_bundle)
      : options_(options), ca_bundle_(std::move(ca_bundle)) {}

  /// Takes a `--service`, and a `--webhook`, whose backend it returns; an error for an invalid one.
  std::optional<document::Error> add_service(const std::string& service);
  document::Result<cases::Backend> add_webhook(const std::string& webhook);

  /// As ExternalWebhooks says.
  std::optional<cases::Backend> named(const std::string& webhook) const;
  std::optional<cases::Backend> of_service(const document::Value& service) const;
  cases::Backend of_url(const std::string& url, const std::string& ca_bundle) const;
  std::optional<document::Error> allow_subject(const std::string& webhook, const cases::Backend& backend,
                                               NamedBy named_by);
  std::vector<std::string> unmet() const;
  std::string flags_to_replay(const cases::Case& value) const;

  /// Returns the backend that a Subject file gives to <configuration>/<webhook>.
  std::optional<cases::Backend> of_file(const std::string& webhook) const;
  /// Returns the address to which `--service` redirects this URL; empty if there is none.
  std::string connection_to(const std::string& url) const;
  /// Returns an error if nobody named the backend, and the flags allow none that a file names.
  std::optional<document::Error> refusal_of_unnamed(const cases::Backend& backend) const;
  /// Returns an error if a file names a backend that the flags do not allow.
  std::optional<document::Error> refusal_of(const cases::Backend& backend) const;
  const std::string& ca_bundle() const { return ca_bundle_; }

 private:
  bool is_named(const cases::Backend& backend) const;

  const ExternalOptions& options_;
  const std::string ca_bundle_;
  std::map<std::string, cases::Backend> webhooks_ = {};  ///< of `--webhook`, by the given name
  std::map<std::string, cases::Backend> of_files_ = {};  ///< of Subject files, by <configuration>/<webhook>
  std::map<std::string, std::string> services_ = {};     ///< maps NAME.NAMESPACE.svc to HOST:PORT
  mutable std::set<std::string> met_ = {};
  mutable std::mutex mutex_ = {};
};

}  // namespace fixpoint::external
