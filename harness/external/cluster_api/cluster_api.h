#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/external/cluster_api/read_fault.h"

namespace fixpoint::external {

class ViewState;

struct ClusterApiOptions {
  Limits limits = {};
  std::string host = "127.0.0.1";
  int port = 0;  ///< 0: any free port
};

/// One client's cluster: a token of its own, objects of its own, a log of what it read and wrote. It is the
/// client's as long as the view exists; then its watches end, and its token is unknown. All functions are
/// safe to call from several threads.
class ClusterView {
 public:
  ClusterView(std::shared_ptr<ViewState> state, std::string kubeconfig);
  ~ClusterView();
  ClusterView(const ClusterView&) = delete;
  ClusterView& operator=(const ClusterView&) = delete;

  /// A complete kubeconfig as YAML: server, CA, token, namespace `default`.
  const std::string& kubeconfig() const { return kubeconfig_; }
  /// The token, as the file of a service account holds it.
  const std::string& token() const;

  /// The fate of the events of a change; all are written unless a client has not taken them within a
  /// second.
  struct Published {
    bool has_events = false, are_written = true;
  };
  /// Shows this cluster from now on. Only what differs from the cluster shown before changes its version and
  /// becomes an event. Returns when the events of all open watches are written to their sockets. If there
  /// were any, clients need Limits::cluster_settle_milliseconds to take them in, for they do not acknowledge
  /// events. The namespace of the request is implied as the simulator implies it; empty for none.
  Published publish(const cases::Cluster& cluster, std::string_view request_namespace,
                    const std::vector<ReadFault>& faults = {});
  /// Does the same, and waits as long as clients need. Returns false if not all events are written.
  bool show(const cases::Cluster& cluster, std::string_view request_namespace,
            const std::vector<ReadFault>& faults = {});

  /// Says if the client's leader election ends with it as the leader, as it does at first; else another
  /// replica holds every Lease and renews it.
  void let_lead(bool may_lead);

  /// The reads and writes of the client since the last call, in order: the first
  /// Limits::cluster_accesses_max reads, and as many writes.
  std::vector<ApiAccess> take_accesses();
  /// Returns true if the client has ever asked for a resource; discovery and health do not count.
  bool was_read() const;
  /// Returns true if it has ever asked for the server's version.
  bool was_version_read() const;
  bool has_watches() const;
  /// A sentence for each kind of object that is not served: its CustomResourceDefinition is missing.
  std::vector<std::string> notes() const;

 private:
  std::shared_ptr<ViewState> state_;
  std::string kubeconfig_;
};

/// A Kubernetes API over HTTPS that serves the clusters of Cases (docs/cluster-api.md). One server has many
/// views, distinguished by their tokens; a request without a known token gets 401.
class ClusterApi {
 public:
  /// Listens, with a new authority and certificate. An error if the address is unavailable.
  static document::Result<std::unique_ptr<ClusterApi>> start(const ClusterApiOptions& options);
  /// Ends all connections. Views may live longer; nobody can reach them.
  ~ClusterApi();
  ClusterApi(const ClusterApi&) = delete;
  ClusterApi& operator=(const ClusterApi&) = delete;

  /// A new view, which shows a cluster with nothing but what is implied.
  std::shared_ptr<ClusterView> open_view();
  int port() const;
  /// The certificate of the authority, as PEM.
  const std::string& ca_pem() const;

 private:
  struct Hidden;
  explicit ClusterApi(std::unique_ptr<Hidden> hidden);
  std::unique_ptr<Hidden> hidden_;
};

}  // namespace fixpoint::external
