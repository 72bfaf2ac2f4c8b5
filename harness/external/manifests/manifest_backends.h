#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/external/backends/external_webhooks.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::external {

/// The backends of the webhooks of a manifest: those that the command line names, what the file stores, and
/// what a clientConfig says, in this order.
class ManifestBackends {
 public:
  /// `outside` must outlive it. `named_by` says who wrote the backends that a Subject stores.
  ManifestBackends(const ExternalWebhooks& outside, NamedBy named_by)
      : outside_(outside), named_by_(named_by) {}

  /// Keeps the names of all webhooks of a document, with and without that of the configuration.
  void know_names(const document::Value& document);
  /// Finds the backends of a subject's webhooks; an error if one has none, or none that may be called.
  std::optional<document::Error> find(runner::Subject& subject) const;
  /// Returns the configuration without the webhooks that nothing answers, if the command line names another
  /// webhook of the manifest: who names one wants that one. `left_out` gets their keys.
  document::Result<document::Value> answered(document::Value configuration,
                                             std::vector<std::string>& left_out) const;
  /// Returns the backends of all webhooks of a validating configuration; nothing if one has none. A name that
  /// is also that of a mutating webhook of the subjects stands for that one.
  std::map<std::string, cases::Backend> of_validators(const document::Value& configuration,
                                                      const std::map<std::string, cases::Backend>& stored,
                                                      const std::vector<runner::Subject>& subjects) const;

 private:
  std::optional<cases::Backend> backend_of(const runner::Subject& subject,
                                           const document::Value& webhook) const;
  std::optional<cases::Backend> backend_of_client(const document::Value& client) const;
  std::optional<document::Error> misspelt() const;
  std::optional<document::Error> unreachable(const cases::Backend& backend) const;

  const ExternalWebhooks& outside_;
  const NamedBy named_by_;
  std::vector<std::string> names_ = {};
};

}  // namespace fixpoint::external
