#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "harness/apiserver/validation/errors.h"
#include "harness/apiserver/validation/options.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::validation {

using document::Member;
using document::Name;
using document::Value;

/// A volume that passed its own checks; only those can be mounted.
struct KnownVolume {
  std::string_view name;
  bool is_claim;  ///< a claim or an ephemeral one: can be a block device
};

/// What the checks of one Pod share.
struct Context {
  Errors& errors;
  const Options& options;
  const Value& metadata;
  const Value& spec;
  std::vector<KnownVolume> volumes = {};
  std::vector<std::string_view> claims = {};  ///< names of spec.resourceClaims
  std::optional<std::int64_t> grace_period = {};
  std::string_view os = {};  ///< spec.os.name
  bool has_os = false;
  bool host_users = true;
  bool host_network = false, host_pid = false, host_ipc = false;
};
Context make_context(const Value& pod, const Options& options, Errors& errors);

inline constexpr std::string_view kPullPolicies[] = {"Always", "IfNotPresent", "Never"};

/// Names seen so far in a list; lists are short.
class Names {
 public:
  bool contains(std::string_view name) const {
    for (std::string_view seen : seen_) {
      if (seen == name) return true;
    }
    return false;
  }
  /// Whether it was new.
  bool insert(std::string_view name) {
    if (contains(name)) return false;
    seen_.push_back(name);
    return true;
  }

 private:
  std::vector<std::string_view> seen_ = {};
};

/// Calls `visit(container, path)` for all containers in the order init, regular, ephemeral.
template <class Visit>
void for_each_container(const Value& spec, const Path& path, Visit visit) {
  static constexpr Name kNames[] = {"initContainers", "containers", "ephemeralContainers"};
  for (const Name& list : kNames) {
    const Path list_path = path.child(list.text);
    const Value& containers = spec[list];
    for (std::size_t i = 0; i < containers.size(); ++i) visit(containers.at(i), list_path.at(i));
  }
}

}  // namespace fixpoint::apiserver::validation
