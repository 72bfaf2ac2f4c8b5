#pragma once

#include <string>
#include <vector>

#include "harness/document/value.h"
#include "harness/external/cluster_api/api_resources.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::external {

/// The objects that a manifest brings along beside its webhook configurations: what the webhook may read, and
/// what is in its cluster.
class ChartObjects {
 public:
  /// `definitions` are all CustomResourceDefinitions of the manifest, which may stand after their resources.
  explicit ChartObjects(std::vector<document::Value> definitions = {});

  /// Takes a document; returns false if its kind says nothing about the webhook's cluster, as a Job. Services
  /// and workloads are taken for what stands behind a webhook.
  bool take(const document::Value& document);
  /// Adds the objects to the subject's cluster, with the Services of its webhooks and the workloads behind
  /// these, and to its vocabulary the kinds that the roles allow to read
  /// and the custom resources. A definition of a custom resource is kept without its schema, which only the
  /// generator needs.
  void add_to(runner::Subject& subject) const;

 private:
  std::vector<document::Value> definitions_ = {};
  ServedResources resources_;
  void add_own_workloads(runner::Subject& subject) const;

  std::vector<document::Value> objects_ = {}, roles_ = {};
  std::vector<document::Value> services_ = {}, workloads_ = {};
};

/// Returns a ResourceQuota as a cluster has it: one from a file has no status, and nothing is used.
document::Value quota_with_status(document::Value quota);

}  // namespace fixpoint::external
