#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/sequence.h"
#include "harness/document/result.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::conformance {

struct LiveClusterOptions {
  webhooks::RestOptions server;
  std::string listen = "127.0.0.1";  ///< the address on which the webhooks of the Cases are served
  int port = 0;
  std::string name = {};  ///< the API server's name for that host; empty: `listen`
  std::string id;         ///< lower-case letters and digits, which make the names of this run unique
  bool allows_cluster_objects =
      false;                  ///< if false, what needs a PriorityClass, RuntimeClass or type is not run
  bool stores = false;        ///< if true, Pods are created and deleted; otherwise every request is a dry run
  int patience_seconds = 10;  ///< the longest wait for a configuration to take effect
};

/// Returns random letters and digits for LiveClusterOptions::id.
std::string fresh_run_id();

/// The result of a Case on a real API server.
struct LiveAnswer {
  document::Value line = {};      ///< the Case as it was run, and the answer (docs/formats.md#vectors)
  std::string not_runnable = {};  ///< the reason why it could not run there; `line` is then null
};

/// A real API server, on which each Case runs in a namespace of its own, fixpoint-live-ID-N. This process
/// serves the webhooks of a Case. They are registered for objects of that namespace alone, never for objects
/// of the whole cluster, under names that keep their order. All objects that are created are marked
/// (cluster_cleanup.h).
class LiveCluster {
 public:
  /// Connects to the server. An error if it cannot be reached or refuses access.
  static document::Result<std::unique_ptr<LiveCluster>> start(const LiveClusterOptions& options);
  /// Deletes all objects that it created.
  ~LiveCluster();
  LiveCluster(const LiveCluster&) = delete;
  LiveCluster& operator=(const LiveCluster&) = delete;

  /// Runs a Case as far as a server can: in a namespace of this run, with the server's own version, plugins
  /// and field tracking, as the user of `server`. An error if the server is no longer reachable.
  document::Result<LiveAnswer> run(const cases::Case& value);
  /// Runs a Sequence with its modelled reconciler, in namespaces of this run, which never is a dry run. Its
  /// foreign types are created there for this run alone, if `allows_cluster_objects`.
  document::Result<LiveAnswer> run(const cases::Sequence& value);

 private:
  struct Hidden;
  explicit LiveCluster(std::unique_ptr<Hidden> hidden);
  std::unique_ptr<Hidden> hidden_;
};

}  // namespace fixpoint::conformance
