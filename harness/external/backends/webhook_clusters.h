#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/external/cluster_api/cluster_api.h"
#include "harness/webhooks/process.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::external {

/// Returns the reads that fail in that way (cases::kReadFaults); none for an empty text.
std::vector<ReadFault> read_faults_of(std::string_view fault);

/// The clusters that external webhooks read through a Kubernetes API. Each process of a command has a cluster
/// of its own; all webhooks behind URLs share one. Each shows the cluster of the call that is being answered.
/// Safe to use from several threads. The API is served from the first use on.
class WebhookClusters {
 public:
  explicit WebhookClusters(const Limits& limits);
  ~WebhookClusters();
  WebhookClusters(const WebhookClusters&) = delete;
  WebhookClusters& operator=(const WebhookClusters&) = delete;

  /// Makes the cluster of a new process, with the variables by which clients find it: KUBECONFIG;
  /// KUBERNETES_SERVICE_HOST and _PORT, so that no client reaches the cluster in which this program runs; and
  /// FIXPOINT_SERVICE_ACCOUNT, a folder with the files that a Pod finds in
  /// /var/run/secrets/kubernetes.io/serviceaccount. The files vanish with the cluster.
  document::Result<webhooks::ProcessCluster> make();

  /// Serves the cluster that webhooks behind URLs share. Its kubeconfig is written when the first cluster is
  /// shown: a webhook that starts with it may look at once for what it never looks for again. Until then the
  /// file is empty. Returns an error if the API cannot be served or the file cannot be written.
  std::optional<document::Error> share(const std::string& kubeconfig_file);
  /// Returns true after share().
  bool is_shared() const;
  /// Wraps a webhook that reads the shared cluster: each call finds its own (SharedCluster). Without share()
  /// it returns the handler itself.
  webhooks::Handler sharing(webhooks::Handler inner);
  /// Shows a cluster to the webhooks behind URLs, which have not been called yet. Returns an error if the
  /// kubeconfig cannot be written.
  std::optional<document::Error> show(const cases::Cluster& cluster);
  /// Lets them lead from now on: at first another replica holds every Lease, so that no controllers of theirs
  /// work on the objects of Cases. For those that do not serve before they lead.
  void let_lead();
  /// Shows the cluster of a call to them, and returns when it has stood still for
  /// Limits::cluster_still_milliseconds, if one of them has a cache: a finding that shows again in this call
  /// is no matter of a late event. Until the result is gone, only calls of this thread are made. Without
  /// share() it does nothing.
  std::shared_ptr<void> stand_still(const webhooks::Call& call);

 private:
  struct Hidden;
  std::shared_ptr<Hidden> hidden_;
};

}  // namespace fixpoint::external
