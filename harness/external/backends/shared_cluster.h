#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/external/backends/call_turns.h"
#include "harness/external/cluster_api/cluster_api.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::external {

/// The cluster that webhooks behind URLs read. The objects of Cases in different plain namespaces
/// (cases::plain_namespace) are there at the same time, as long as what their webhooks read of the rest of
/// the cluster is equal; a call is made when the objects of its namespace are older than
/// Limits::cluster_settle_milliseconds, and reads of a namespace belong to its Case. Alone are calls in any
/// other namespace, calls whose reads fail, calls that wrote, and the first one that reads a kind: those find
/// exactly their own cluster. So an answer does not depend on what is called beside it. What a client that
/// watches has once written while no call was made is the work of its controllers, and no call's. Safe to use
/// from several threads.
class SharedCluster {
 public:
  SharedCluster(std::shared_ptr<ClusterView> view, const Limits& limits)
      : limits_(limits), view_(std::move(view)) {}

  const ClusterView& view() const { return *view_; }
  webhooks::Answer answer(const webhooks::Call& call, const webhooks::Handler& inner);
  /// Shows the cluster of a call and nothing else, for a client that makes one call at a time.
  void show_exactly(const webhooks::Call& call);
  void let_lead() { view_->let_lead(true); }
  /// Shows a cluster before the first call.
  void show(const cases::Cluster& cluster);
  /// Does the same, and returns when the cluster has stood still for Limits::cluster_still_milliseconds, if a
  /// client has a cache.
  void stand_still(const webhooks::Call& call);
  /// Until the result is gone, the calls of this thread are the only ones.
  static std::shared_ptr<void> alone(const std::shared_ptr<SharedCluster>& cluster);

 private:
  using Clock = std::chrono::steady_clock;
  using Objects = std::vector<document::Value>;
  using Lock = CallTurns::Lock;
  /// The objects of a Case by where they are: in its own namespace, or elsewhere.
  struct Parts {
    std::string version = {};
    Objects common = {}, own = {};
  };
  /// One plain namespace as it is shown.
  struct Space {
    Objects objects = {};
    Clock::time_point ready_at = {};
    std::size_t users = 0;
    std::uint64_t used = 0;
  };
  /// A call that is being made.
  struct Turn {
    std::string space;
    std::uint64_t kinds_asked;  ///< how many kinds had been asked for when it began
    Clock::time_point ready_at;
    std::vector<ApiAccess> accesses = {};
  };

  webhooks::Answer answer_alone(const webhooks::Call& call, const webhooks::Handler& inner);
  void show_now(const webhooks::Call& call, int still_milliseconds);
  Parts parts_of(const webhooks::Call& call) const;
  bool is_served(const document::Value& object) const;
  bool is_asked(const document::Value& object) const;
  bool fits(const Parts& parts, const std::string& space) const;
  std::list<Turn>::iterator begin(const webhooks::Call& call);
  std::vector<ApiAccess> end(std::list<Turn>::iterator turn, bool& counts);
  void put(Parts parts, Space& space);
  bool publish();
  void forget_oldest_spaces();
  void take_accesses();
  void take_background(const ApiAccess& access);
  bool is_background(const ApiAccess& access) const;

  const Limits limits_;
  const std::shared_ptr<ClusterView> view_;
  std::mutex mutex_ = {};
  CallTurns turns_ = {};
  std::set<std::string, std::less<>> webhooks_ = {};  ///< that read this view, by <configuration>/<webhook>
  std::map<std::string, std::uint64_t, std::less<>> asked_ =
      {};                                               ///< kinds, by when they were first asked for
  std::set<std::string, std::less<>> background_ = {};  ///< verbs and kinds of writes without a call
  std::set<std::string, std::less<>> seen_ = {};        ///< verbs and kinds of all accesses
  /// The first ones of their verb and kind that no call made: an informer begins with its program. They are
  /// the next call's, so that something is learned of them.
  std::vector<ApiAccess> first_reads_ = {};
  std::optional<Parts> common_ = {};  ///< what is shown beside the namespaces; empty: a cluster alone
  Clock::time_point common_ready_at_ = {};
  std::map<std::string, Space, std::less<>> spaces_ = {};
  std::uint64_t uses_ = 0;
  std::list<Turn> calls_ = {};
};

}  // namespace fixpoint::external
