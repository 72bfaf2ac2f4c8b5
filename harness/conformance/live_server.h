#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "harness/cases/case.h"
#include "harness/conformance/live_cluster.h"
#include "harness/conformance/live_stage.h"
#include "harness/document/result.h"
#include "harness/webhooks/authority.h"
#include "harness/webhooks/server.h"

namespace fixpoint::conformance {

/// Serves the webhooks of Cases to a real API server.
class LiveServer {
 public:
  /// Both must outlive it.
  LiveServer(const LiveClusterOptions& options, LiveStage& stage) : options_(options), stage_(stage) {}

  /// Makes the certificates for its names.
  void make_authority();
  /// Restarts the webhook server if the Case has other webhooks, since the paths are fixed when it starts.
  std::optional<document::Error> serve(const cases::Case& value);
  /// Returns the address by which the API server knows it.
  std::string base() const;
  const std::string& certificate() const { return authority_.authority.certificate; }

 private:
  const LiveClusterOptions& options_;
  LiveStage& stage_;
  webhooks::Authority authority_ = {};
  std::unique_ptr<webhooks::Server> server_ = {};
  std::set<std::string> served_ = {};
};

}  // namespace fixpoint::conformance
