#include "harness/external/backends/shared_cluster.h"

#include <algorithm>
#include <thread>

#include "harness/cases/plain_namespace.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/cut.h"
#include "harness/external/backends/webhook_clusters.h"

namespace fixpoint::external {

namespace {

using document::Value;

/// As many plain namespaces are shown at a time, beside those with a call.
constexpr std::size_t kSpacesMax = 32;
constexpr std::string_view kStale = "read-stale";

std::string kind_key(std::string_view group, std::string_view kind) {
  return std::string(group).append("/").append(kind);
}

std::string kind_key(const Value& object) {
  const std::string_view version = object["apiVersion"].text();
  const auto slash = version.find('/');
  return kind_key(slash == std::string_view::npos ? "" : version.substr(0, slash), object["kind"].text());
}

bool is_namespace(const Value& object) {
  return object["kind"].text() == "Namespace" && object["apiVersion"].text() == "v1";
}

/// Returns the namespace in which an object is, or which it is.
std::string_view space_of(const Value& object) {
  return object["metadata"][is_namespace(object) ? "name" : "namespace"].text();
}

/// Returns the namespace that an access is about; empty if it is about others, too.
std::string_view space_of(const ApiAccess& access) {
  return access.kind == "Namespace" ? access.name : access.namespace_name;
}

bool is_side_by_side(const webhooks::Call& call) {
  return cases::is_plain_namespace(call.request.namespace_name) &&
         (call.read_fault.empty() || call.read_fault == kStale);
}

bool is_write(const ApiAccess& access) { return access.is_write() || access.is_dry_run; }

std::string verb_and_kind(const ApiAccess& access) {
  return access.verb + " " + kind_key(access.group, access.kind);
}

}  // namespace

bool SharedCluster::is_served(const Value& object) const {
  return !cases::is_webhook_configuration(object) ||
         std::ranges::any_of(webhooks_, [&](const std::string& key) {
           return cases::belongs_to(key, object["metadata"]["name"].text());
         });
}

/// Definitions decide what is served at all.
bool SharedCluster::is_asked(const Value& object) const {
  return object["kind"].text() == "CustomResourceDefinition" || asked_.contains(kind_key(object));
}

SharedCluster::Parts SharedCluster::parts_of(const webhooks::Call& call) const {
  Parts parts{.version =
                  view_->was_version_read() ? call.cluster.version : std::string(cases::kNewestVersion)};
  const std::string& space = call.request.namespace_name;
  bool has_namespace = false;
  for (const Value& object : call.cluster.objects) {
    if (!is_served(object) || !is_asked(object)) continue;
    const bool is_own = space_of(object) == space;
    if (is_own && call.read_fault == kStale && !is_namespace(object)) continue;  // it is not there yet
    has_namespace = has_namespace || (is_own && is_namespace(object));
    (is_own ? parts.own : parts.common).push_back(object);
  }
  if (!has_namespace)
    parts.own.push_back({{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", space}}}});
  return parts;
}

bool SharedCluster::fits(const Parts& parts, const std::string& space) const {
  const bool is_same = common_ && common_->version == parts.version && common_->common == parts.common;
  if (calls_.empty()) return is_same || turns_.has_rested();
  if (!is_same) return false;
  const auto there = spaces_.find(space);
  return there == spaces_.end() || there->second.users == 0 || there->second.objects == parts.own;
}

bool SharedCluster::publish() {
  cases::Cluster cluster{.version = common_->version, .objects = common_->common};
  for (const auto& [name, space] : spaces_)
    cluster.objects.insert(cluster.objects.end(), space.objects.begin(), space.objects.end());
  return view_->publish(cluster, "").has_events;
}

void SharedCluster::put(Parts parts, Space& space) {
  const bool is_other_cluster =
      !common_ || common_->version != parts.version || common_->common != parts.common;
  if (!is_other_cluster && space.objects == parts.own) return;
  space.objects = std::move(parts.own);
  parts.own.clear();
  if (is_other_cluster) common_ = std::move(parts);
  const auto settled = Clock::now() + std::chrono::milliseconds(limits_.cluster_settle_milliseconds);
  if (publish()) (is_other_cluster ? common_ready_at_ : space.ready_at) = settled;
}

void SharedCluster::forget_oldest_spaces() {
  while (spaces_.size() > kSpacesMax) {
    auto oldest = spaces_.end();
    for (auto one = spaces_.begin(); one != spaces_.end(); ++one)
      if (one->second.users == 0 && (oldest == spaces_.end() || one->second.used < oldest->second.used))
        oldest = one;
    if (oldest == spaces_.end()) return;
    spaces_.erase(oldest);
  }
}

void SharedCluster::take_background(const ApiAccess& access) {
  if (is_write(access) && view_->has_watches()) background_.insert(verb_and_kind(access));
}

bool SharedCluster::is_background(const ApiAccess& access) const {
  return is_write(access) && background_.contains(verb_and_kind(access));
}

void SharedCluster::take_accesses() {
  for (ApiAccess& access : view_->take_accesses()) {
    asked_.try_emplace(kind_key(access.group, access.kind), asked_.size() + 1);
    if (calls_.empty()) take_background(access);
    if (is_background(access)) continue;
    const bool is_new = seen_.insert(verb_and_kind(access)).second;
    if (calls_.empty() && is_new && !is_write(access)) first_reads_.push_back(access);
    const std::string_view space = space_of(access);
    const bool is_of_one =
        std::any_of(calls_.begin(), calls_.end(), [&](const Turn& turn) { return turn.space == space; });
    for (Turn& turn : calls_)
      if (!is_of_one || turn.space == space) turn.accesses.push_back(access);
  }
}

std::list<SharedCluster::Turn>::iterator SharedCluster::begin(const webhooks::Call& call) {
  const document::Bounded unbounded([] { return false; });  // who waits in a line leaves it in turn
  const std::string& name = call.request.namespace_name;
  Lock lock(mutex_);
  webhooks_.emplace(call.webhook);
  Parts parts;
  turns_.join(lock, [&] {
    take_accesses();
    parts = parts_of(call);
    return fits(parts, name);
  });
  Space& space = spaces_[name];
  ++space.users;
  space.used = ++uses_;
  forget_oldest_spaces();
  put(std::move(parts), space);
  return calls_.insert(calls_.end(), {.space = name,
                                      .kinds_asked = asked_.size(),
                                      .ready_at = std::max(space.ready_at, common_ready_at_),
                                      .accesses = std::exchange(first_reads_, {})});
}

std::vector<ApiAccess> SharedCluster::end(std::list<Turn>::iterator turn, bool& counts) {
  const document::Bounded unbounded([] { return false; });
  const Lock lock(mutex_);
  take_accesses();
  counts = std::none_of(turn->accesses.begin(), turn->accesses.end(), [&](const ApiAccess& access) {
    return is_write(access) || asked_[kind_key(access.group, access.kind)] > turn->kinds_asked;
  });
  std::vector<ApiAccess> accesses = std::move(turn->accesses);
  --spaces_[turn->space].users;
  calls_.erase(turn);
  turns_.leave();
  return accesses;
}

webhooks::Answer SharedCluster::answer(const webhooks::Call& call, const webhooks::Handler& inner) {
  bool is_by_itself = false;
  {
    const Lock lock(mutex_);
    is_by_itself = turns_.is_alone();
  }
  if (is_by_itself || !is_side_by_side(call)) return answer_alone(call, inner);
  const auto turn = begin(call);
  std::this_thread::sleep_until(turn->ready_at);
  webhooks::Answer answer;
  bool counts = false;
  try {
    answer = inner(call);
  } catch (const document::Cut&) {  // the run is over
    end(turn, counts);
    throw;
  }
  answer.accesses = end(turn, counts);
  if (counts) return answer;
  webhooks::Answer alone = answer_alone(call, inner);
  std::erase_if(answer.accesses, is_write);
  alone.accesses.insert(alone.accesses.begin(), answer.accesses.begin(), answer.accesses.end());
  return alone;
}

webhooks::Answer SharedCluster::answer_alone(const webhooks::Call& call, const webhooks::Handler& inner) {
  struct Alone {
    explicit Alone(SharedCluster& of) : cluster(of) {
      Lock lock(cluster.mutex_);
      cluster.turns_.be_alone(lock);
    }
    ~Alone() {
      const Lock lock(cluster.mutex_);
      cluster.turns_.stop_alone();
    }
    SharedCluster& cluster;
  };
  const Alone alone(*this);
  show_exactly(call);
  webhooks::Answer answer = inner(call);
  answer.accesses = view_->take_accesses();
  const Lock lock(mutex_);  // until before `alone` ends
  answer.accesses.insert(answer.accesses.begin(), first_reads_.begin(), first_reads_.end());
  first_reads_.clear();
  for (const ApiAccess& access : answer.accesses)
    asked_.try_emplace(kind_key(access.group, access.kind), asked_.size() + 1);
  std::erase_if(answer.accesses, [this](const ApiAccess& access) { return is_background(access); });
  return answer;
}

void SharedCluster::show_now(const webhooks::Call& call, int still_milliseconds) {
  webhooks_.emplace(call.webhook);
  cases::Cluster served = call.cluster;
  std::erase_if(served.objects, [this](const Value& object) { return !is_served(object); });
  common_.reset();
  spaces_.clear();
  take_accesses();
  const bool changes =
      view_->publish(served, call.request.namespace_name, read_faults_of(call.read_fault)).has_events;
  const int pause = std::max(still_milliseconds, changes ? limits_.cluster_settle_milliseconds : 0);
  if (pause == 0 || !view_->has_watches()) return;
  std::this_thread::sleep_for(std::chrono::milliseconds(pause));
  take_accesses();
}

void SharedCluster::show_exactly(const webhooks::Call& call) {
  const Lock lock(mutex_);
  show_now(call, 0);
}

void SharedCluster::show(const cases::Cluster& cluster) {
  const Lock lock(mutex_);
  common_.reset();
  spaces_.clear();
  view_->publish(cluster, cases::Request().namespace_name);
}

void SharedCluster::stand_still(const webhooks::Call& call) {
  Lock lock(mutex_);
  turns_.be_alone(lock);
  show_now(call, limits_.cluster_still_milliseconds);
  turns_.stop_alone();
}

std::shared_ptr<void> SharedCluster::alone(const std::shared_ptr<SharedCluster>& cluster) {
  Lock lock(cluster->mutex_);
  cluster->turns_.be_alone(lock);
  return {cluster.get(), [cluster](void*) {
            const Lock again(cluster->mutex_);
            cluster->turns_.stop_alone();
          }};
}

}  // namespace fixpoint::external
