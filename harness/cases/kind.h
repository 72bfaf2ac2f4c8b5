#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/value.h"

namespace fixpoint::cases {

/// A kind of objects in one version of its group, and how the API server serves it. It refers to texts of the
/// definition, which must outlive it.
struct Kind {
  std::string_view group = {};  ///< empty for core
  std::string_view version = {};
  std::string_view name = {}, plural = {};
  std::string_view short_names = {};   ///< separated by blanks
  std::string_view subresources = {};  ///< separated by blanks
  bool is_namespaced = true;
  bool is_only_created = false;       ///< a review or a binding, which is answered and never stored
  const Value* definition = nullptr;  ///< the CustomResourceDefinition; none: a kind of Kubernetes itself

  bool is_custom() const { return definition != nullptr; }
  /// True if a webhook converts its objects between versions, which is not simulated.
  bool is_converted_by_webhook() const;
  bool is_pod() const { return group.empty() && name == "Pod"; }
  bool is_namespace() const { return group.empty() && name == "Namespace"; }
  bool has_subresource(std::string_view sub_resource) const;
  /// `v1`, or `apps/v1`.
  std::string api_version() const;
  /// How messages of the server name the resource (runtime/schema GroupResource): `pods`, or
  /// `deployments.apps`.
  std::string resource() const;
};

/// All kinds that Kubernetes 1.36 serves by default. The first version of a group is the preferred one.
std::span<const Kind> built_in_kinds();
/// Returns the kind of that group in its preferred version; nullptr if there is none.
const Kind* built_in_kind(std::string_view group, std::string_view name);
/// The kind of core Pods.
const Kind& pod_kind();

/// Returns the kind in a version that the definition serves; nothing if it serves none of that name.
std::optional<Kind> defined_kind(const Value& definition, std::string_view version);

/// Returns the kinds that a definition defines, one for each version that it serves, in its order.
std::vector<Kind> served_kinds(const Value& definition);

/// Returns the kind with that apiVersion and name which the cluster serves: one of Kubernetes itself or one
/// that a CustomResourceDefinition of the cluster defines. Nothing if it serves none.
std::optional<Kind> find_kind(std::string_view api_version, std::string_view name, const Cluster& cluster);

/// Returns the kind that a request is about, by its object: a Pod where the object names none
/// (docs/formats.md#case). Nothing if the cluster does not serve the kind.
std::optional<Kind> find_kind(const Request& request, const Cluster& cluster);
/// The same of a Case whose kind is known to be served; the Case was read.
Kind kind_of(const Request& request, const Cluster& cluster);

/// Returns the namespace of a request for the kind: a Namespace is in itself, and other cluster-wide
/// objects are in none (apiserver/pkg/endpoints/request/requestinfo.go).
std::string_view namespace_of(const Request& request, const Kind& kind);

}  // namespace fixpoint::cases
