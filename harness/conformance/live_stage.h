#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::conformance {

/// The webhooks of the Case that runs now (live_cluster.h), which answer on all paths of the webhook server.
/// They allow everything until arm(), and count no probe among their calls. Safe to use from several threads.
class LiveStage {
 public:
  /// Of a probe: the kind of configurations of its webhook.
  enum class Phase { mutating, validating };

  void set(std::map<std::string, webhooks::Handler> handlers, cases::Cluster cluster) {
    const std::lock_guard lock(mutex_);
    handlers_ = std::move(handlers);
    cluster_ = std::make_shared<const cases::Cluster>(std::move(cluster));
    numbers_.clear();
    calls_.clear();
    is_armed_ = false;
  }
  void arm() {
    const std::lock_guard lock(mutex_);
    is_armed_ = true;
  }
  std::vector<std::string> calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }
  int probes(Phase phase) const {
    const std::lock_guard lock(mutex_);
    return probes_[static_cast<std::size_t>(phase)];
  }
  void probed(Phase phase) {
    const std::lock_guard lock(mutex_);
    ++probes_[static_cast<std::size_t>(phase)];
  }
  webhooks::Answer answer(const std::string& webhook, const cases::Request& request, std::string_view name,
                          std::string_view uid, std::string_view version) {
    webhooks::Handler handler;
    std::shared_ptr<const cases::Cluster> cluster;
    int number = 0;
    {
      const std::lock_guard lock(mutex_);
      if (!is_armed_ || !handlers_.contains(webhook)) return webhooks::allow();
      handler = handlers_.at(webhook);
      cluster = cluster_;
      number = ++numbers_[webhook];
      calls_.push_back(webhook);
    }
    return handler({.object = request.object,
                    .old_object = request.old_object,
                    .request = request,
                    .cluster = *cluster,
                    .webhook = webhook,
                    .review_version = version,
                    .uid = uid,
                    .name = name,
                    .number = number});
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, webhooks::Handler> handlers_ = {};
  std::shared_ptr<const cases::Cluster> cluster_ = {};
  std::map<std::string, int> numbers_ = {};
  std::vector<std::string> calls_ = {};
  std::array<int, 2> probes_ = {};
  bool is_armed_ = false;
};

}  // namespace fixpoint::conformance
