#pragma once

#include <string>

namespace fixpoint::cases {

/// One request of a webhook to the Kubernetes API through which it reads the cluster of its Case.
struct ApiAccess {
  std::string verb = {};  ///< get, list, watch, create, update, patch, delete or deletecollection
  std::string group = {}, version = {}, resource = {}, subresource = {};
  std::string kind = {};            ///< empty if the API does not serve the resource
  bool is_namespaced = true;        ///< of the resource, not of the request
  std::string namespace_name = {};  ///< empty for cluster-wide objects and for all namespaces
  std::string name = {};            ///< empty for a list or watch of all objects
  std::string label_selector = {}, field_selector = {};
  int status = 0;           ///< of the HTTP answer; 0 if there was none
  bool is_dry_run = false;  ///< of the access itself: `?dryRun=All`

  /// Returns true if the client meant to change something. Reviews of access and tokens, tokens of service
  /// accounts, Events, Leases and dry runs change nothing that counts.
  bool is_write() const;
  bool operator==(const ApiAccess&) const = default;
};

/// Returns the access in words, for a trace: `read Secret default/storage-config: not found`.
std::string describe(const ApiAccess& access);

}  // namespace fixpoint::cases
