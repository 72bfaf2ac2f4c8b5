#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/external/backends/backend_names.h"
#include "harness/external/backends/call_monitor.h"
#include "harness/external/backends/reachable.h"
#include "harness/external/backends/webhook_clusters.h"
#include "harness/webhooks/https.h"
#include "harness/webhooks/process.h"

namespace fixpoint::external {

/// The handlers of the webhooks outside: what wraps a URL or a command, one for each address and command.
class BackendHandlers {
 public:
  using Processes = std::map<std::vector<std::string>, webhooks::Handler>;  ///< keyed by the command

  /// The client's certificate and key, as PEM.
  struct Client {
    std::string certificate = {}, key = {};
  };
  /// All but the last must outlive it.
  BackendHandlers(const ExternalOptions& options, const Limits& limits, const BackendNames& names,
                  Client client);

  CallMonitor& monitor() { return monitor_; }
  WebhookClusters& clusters() { return *clusters_; }
  /// Returns the handler of the run, or an error if no flag allows the backend.
  document::Result<webhooks::Handler> reach(const cases::Backend& backend);
  /// Returns a second process of a command; nothing for other backends.
  std::optional<webhooks::Handler> reach_replica(const cases::Backend& backend);
  /// Returns the process of a command among those; nothing for other backends. A new one has these variables,
  /// NAME=VALUE.
  std::optional<webhooks::Handler> reach_anew(const cases::Backend& backend, Processes& among,
                                              const std::vector<std::string>& environment = {});
  /// As ExternalWebhooks says.
  document::Result<webhooks::Handler> apart(const cases::Backend& backend,
                                            std::shared_ptr<webhooks::ProcessTally> tally);
  std::string account() const;
  std::optional<document::Error> await_start(const cases::Cluster& cluster);
  webhooks::HttpsOptions https_options(const cases::Url& url) const;
  /// From now on no requests are concurrent (webhooks::Call::concurrent).
  void call_one_by_one() { is_one_by_one_ = true; }

  /// The calls of one confirmation to webhooks behind URLs, which cannot be started anew.
  struct Patience {
    std::once_flag first = {};
    std::shared_ptr<void> alone = {};  ///< from the first call on, no others are made
  };
  /// Wraps the handler of a URL: before the first call the cluster stands still.
  webhooks::Handler patient_at_first(webhooks::Handler inner, std::shared_ptr<Patience> patience);

 private:
  /// The start of a webhook that reads the shared cluster.
  struct Start {
    std::once_flag once = {};
    std::optional<document::Error> problem = {};
  };
  static void await(Start& start, const std::string& address, int seconds_max, WebhookClusters& clusters,
                    const cases::Cluster& cluster);
  webhooks::Handler observed(webhooks::Handler inner);
  webhooks::Handler patient(webhooks::Handler inner) const;
  webhooks::Handler concurrently(webhooks::Handler inner) const;
  webhooks::Handler started_at_first(webhooks::Handler inner, const std::string& address);
  webhooks::MakeProcessCluster cluster_of_process(std::vector<std::string> environment = {}) const;
  document::Result<webhooks::Handler> reach(const cases::Url& url);
  webhooks::Handler replica_of(const cases::Command& command);
  webhooks::Handler reach(const cases::Command& command, Processes& among,
                          std::shared_ptr<webhooks::ProcessTally> tally = {},
                          const std::vector<std::string>& environment = {});
  document::Result<webhooks::Handler> reach_outside(const cases::Backend& backend);
  const cases::Command* command_of(const cases::Backend& backend) const;

  const ExternalOptions& options_;
  const Limits& limits_;
  const BackendNames& names_;
  const Client client_;
  CallMonitor monitor_ = {};
  std::shared_ptr<WebhookClusters> clusters_;
  class Gate;
  std::shared_ptr<Gate> gate_;
  std::atomic<bool> is_one_by_one_{false};
  mutable std::mutex mutex_ = {};
  std::map<std::pair<std::string, std::string>, webhooks::Handler> urls_ = {};
  Processes commands_ = {}, replicas_ = {};  ///< of the run; replicas are used only to compare two processes
  std::map<std::vector<std::string>, std::shared_ptr<webhooks::ProcessTally>> tallies_ = {};
  std::map<std::string, std::shared_ptr<Restarts>> restarts_ = {};
  std::map<std::string, std::shared_ptr<Start>> starts_ = {};  ///< by the address that is connected to
};

}  // namespace fixpoint::external
