#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/limits.h"
#include "harness/document/value.h"
#include "harness/external/cluster_api/shown_objects.h"

namespace fixpoint::external {

/// One change of one object.
struct ObjectEvent {
  enum class Type { added, modified, deleted };
  Type type = Type::added;
  std::uint64_t version = 0;
  std::string store = {};
  ObjectKey key = {};
  document::Value object = {};  ///< after the change; a deleted object as it was, with the version of its end
  document::Value before = {};  ///< null for an added object
};

/// The objects of one client's cluster, with their resourceVersions and a bounded log of the changes. The
/// version is a counter: each change of an object takes the next number. Not safe to share between threads.
class ObjectStore {
 public:
  using Objects = std::map<ObjectKey, document::Value>;

  explicit ObjectStore(const Limits& limits)
      : log_max_(limits.cluster_log_max), leases_max_(limits.cluster_leases_max) {}

  /// Replaces what was shown. An object that stays the same keeps its version, and one that a client put
  /// stays. Returns the changes in their order.
  std::vector<ObjectEvent> show(const ShownCluster& shown);

  /// Stores an object of a client under the next version, and returns the change. If clients have put more
  /// than Limits::cluster_leases_max, the one that was changed first is removed, without an event.
  ObjectEvent put(const std::string& store, const ObjectKey& key, document::Value object);
  /// Removes an object; empty if there is none. One that was shown comes back with the next show().
  std::optional<ObjectEvent> remove(const std::string& store, const ObjectKey& key);
  /// Stores an object until the next show(), which puts back what is shown, and returns the change.
  ObjectEvent put_for_now(const std::string& store, const ObjectKey& key, document::Value object);

  /// The version of the newest change.
  std::uint64_t version() const { return version_; }
  const document::Value* find(std::string_view store, const ObjectKey& key) const;
  /// The objects of a resource, in the server's order.
  const Objects& objects(std::string_view store) const;
  /// The objects as they were at a version, as far as the log goes back.
  Objects objects_at(std::string_view store, std::uint64_t version) const;
  /// Returns true if all changes after that version are known.
  bool is_known(std::uint64_t version) const { return version >= forgotten_ && version <= version_; }
  /// The changes after a version that is_known().
  std::vector<const ObjectEvent*> changes_after(std::uint64_t version, std::string_view store) const;

 private:
  struct Shown {
    document::Value object;  ///< without its version
    bool is_of_client = false;
    std::uint64_t version = 0;
  };
  ObjectEvent change(const std::string& store, const ObjectKey& key, document::Value object);
  ObjectEvent end(const std::string& store, const ObjectKey& key);
  void log(const ObjectEvent& event);
  void forget_oldest_of_clients();

  const std::size_t log_max_, leases_max_;
  std::map<std::string, Objects, std::less<>> objects_ = {};
  std::map<std::string, std::map<ObjectKey, Shown>, std::less<>> shown_ = {};
  std::deque<ObjectEvent> log_ = {};
  std::uint64_t version_ = 1, forgotten_ = 1;
};

}  // namespace fixpoint::external
