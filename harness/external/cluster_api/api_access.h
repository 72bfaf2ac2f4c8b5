#pragma once

#include <string>

namespace fixpoint::external {

/// One read or write of a resource that a client made. Discovery, OpenAPI and health are none.
struct ApiAccess {
  std::string verb = {};  ///< get, list, watch, create, update, patch, delete, deletecollection
  std::string group = {}, version = {}, resource = {}, subresource = {}, kind = {};
  std::string namespace_name = {}, name = {};  ///< empty where not named
  std::string label_selector = {}, field_selector = {};
  int status = 0;           ///< the HTTP status of the answer
  bool is_dry_run = false;  ///< ?dryRun=All: the server stores nothing

  /// Returns true if the client meant to change something. Reviews of access and tokens, tokens of service
  /// accounts, Events, Leases and dry runs change nothing that counts.
  bool is_write() const;
  bool operator==(const ApiAccess&) const = default;
};

/// Returns one sentence for traces: "read Secret default/storage-config: not found".
std::string describe(const ApiAccess& access);

/// A read that fails. `resource` is a plural, "*" for all; `fault` is "403", "404", "500", "timeout" (504
/// after Limits::cluster_timeout_milliseconds), or "stale" (the cluster shown before, without events).
struct ReadFault {
  std::string resource;
  std::string fault;
  bool operator==(const ReadFault&) const = default;
};

}  // namespace fixpoint::external
