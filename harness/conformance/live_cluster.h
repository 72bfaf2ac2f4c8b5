#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/result.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::conformance {

struct LiveClusterOptions {
  webhooks::RestOptions server;
  std::string listen = "127.0.0.1";  ///< where the webhooks of the Cases are served
  int port = 0;
  std::string name = {};                ///< the API server's name for that host; empty: `listen`
  std::string id;                       ///< makes the names of this run unique: lower-case letters and digits
  bool allows_cluster_objects = false;  ///< else a Case with a PriorityClass or RuntimeClass is not run
  bool stores = false;        ///< creates the Pods, and deletes them; else every request is a dry run
  int patience_seconds = 10;  ///< to see a configuration take effect
};

/// Random letters and digits for LiveClusterOptions::id.
std::string fresh_run_id();

/// The result of a Case on a real API server.
struct LiveAnswer {
  document::Value line = {};      ///< the Case as it was run, and the answer (docs/formats.md#vectors)
  std::string not_runnable = {};  ///< the reason why it could not run there; `line` is then null
};

/// A real API server, and namespaces of our own in it: fixpoint-live-ID-N, one a Case. The webhooks of a Case
/// are served by this process and registered for what is in that namespace alone, never for objects of the
/// whole cluster, under names that keep their order. All that is created is marked (cluster_cleanup.h).
class LiveCluster {
 public:
  /// An error if the server cannot be reached or refuses access.
  static document::Result<std::unique_ptr<LiveCluster>> start(const LiveClusterOptions& options);
  /// Deletes all objects that it created.
  ~LiveCluster();
  LiveCluster(const LiveCluster&) = delete;
  LiveCluster& operator=(const LiveCluster&) = delete;

  /// Runs a Case as far as a server can: in our namespace, with the server's own version, plugins and field
  /// tracking, as our own user. An error if the server is gone.
  document::Result<LiveAnswer> run(const cases::Case& value);

 private:
  struct Hidden;
  explicit LiveCluster(std::unique_ptr<Hidden> hidden);
  std::unique_ptr<Hidden> hidden_;
};

}  // namespace fixpoint::conformance
