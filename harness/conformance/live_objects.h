#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/reconcile/cluster_objects.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::conformance {

/// A kind of objects that a reconciler reads and writes.
struct StoredKind {
  std::string kind;         ///< ScaledObject
  std::string api_version;  ///< keda.sh/v1alpha1
  bool operator==(const StoredKind&) const = default;

  bool is_built_in() const { return api_version.find('.') == std::string::npos; }
  std::string plural() const;
};

/// The HorizontalPodAutoscaler, which every server has.
StoredKind autoscaler_kind();

/// The name that the group of an API version has on the server, and back: a group that is no part of
/// Kubernetes gets a prefix there, so that no controller of the cluster acts on the objects of a run, its
/// garbage collector knows no owner of theirs, and runs share no types.
std::string server_version(const std::string& api_version, const std::string& prefix);
std::string own_version(const std::string& api_version, const std::string& prefix);

/// Returns a CustomResourceDefinition of the kind, with the prefix in its group, that keeps every field.
document::Value permissive_type(const StoredKind& kind, const std::string& prefix);

/// Returns the object without the members that the server alone writes: status, uid, resourceVersion and the
/// like. The time of deletion becomes that of the simulator.
document::Value without_server_members(document::Value object);

/// The namespaces of a run on the server, by their names in the Sequence.
using Spaces = std::map<std::string, std::string, std::less<>>;

/// The objects of these kinds and namespaces on a real API server, as one reconciler's client sees them:
/// under the Sequence's own names.
class LiveObjects final : public reconcile::ObjectStore {
 public:
  /// `rest` must outlive it.
  LiveObjects(webhooks::Rest& rest, Spaces spaces, std::vector<StoredKind> kinds, std::string prefix);

  const reconcile::Objects& objects() override;
  /// The reason of a refusal and the server's words: "Invalid: …". A server always applies its defaults.
  std::string apply(const reconcile::Request& request, bool server_defaults) override;

  /// Removes all of them, whatever finalizers they have.
  void clear();
  /// Set once the server could not be reached; what was read since is incomplete.
  const std::optional<document::Error>& failure() const { return failure_; }

 private:
  std::string collection(const StoredKind& kind, const std::string& namespace_name) const;
  const StoredKind* kind_of(const document::Value& object) const;
  /// Returns the answer; null of a failure.
  std::optional<webhooks::RestAnswer> send(const std::string& method, const std::string& path,
                                           const document::Value& body = {});
  document::Value to_server(document::Value object, const StoredKind& kind, const std::string& space) const;
  document::Value from_server(document::Value object, const StoredKind& kind, const std::string& space) const;

  webhooks::Rest& rest_;
  const Spaces spaces_;
  const std::vector<StoredKind> kinds_;
  const std::string prefix_;
  reconcile::Objects objects_ = {};
  bool is_read_ = false;
  std::optional<document::Error> failure_ = {};
};

}  // namespace fixpoint::conformance
