#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/apiserver/types/container_types.h"
#include "harness/apiserver/validation/errors.h"
#include "harness/apiserver/validation/validated_parts.h"
#include "harness/apiserver/validation/validation_options.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::validation {

using document::Member;
using document::Name;
using document::Value;

/// Names seen so far in a list, each with its sequence number. Most lists are short; a long one gets an
/// index.
class Names {
 public:
  bool contains(std::string_view name) const { return find(name).has_value(); }
  std::optional<std::size_t> find(std::string_view name) const {
    if (seen_.size() > kFew) {
      const auto found = index_.find(name);
      return found == index_.end() ? std::nullopt : std::optional(found->second);
    }
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i] == name) return i;
    }
    return std::nullopt;
  }
  /// Returns true if the name was new.
  bool insert(std::string_view name) {
    if (contains(name)) return false;
    if (seen_.empty()) seen_.reserve(kFew / 2);
    seen_.push_back(name);
    if (seen_.size() > kFew) {
      for (std::size_t i = index_.size(); i < seen_.size(); ++i) index_.emplace(seen_[i], i);
    }
    return true;
  }

 private:
  static constexpr std::size_t kFew = 16;
  std::vector<std::string_view> seen_ = {};
  std::unordered_map<std::string_view, std::size_t> index_ = {};
};

/// The volumes that passed their own checks; only these can be mounted.
class KnownVolumes {
 public:
  enum class Found { no, yes, as_claim };  ///< a claim or an ephemeral volume, which can be a block device
  Found find(std::string_view name) const {
    const auto found = names_.find(name);
    if (!found) return Found::no;
    return is_claim_[*found] ? Found::as_claim : Found::yes;
  }
  void insert(std::string_view name, bool is_claim) {
    if (names_.insert(name)) is_claim_.push_back(is_claim);
  }

 private:
  Names names_ = {};
  std::vector<bool> is_claim_ = {};
};

/// The state that the checks of one Pod share.
struct Context {
  Errors& errors;
  const Options& options;
  const Value& metadata;
  const Value& spec;
  bool is_template = false;        ///< of Pods that do not exist yet
  std::string_view pod_name = {};  ///< empty for a template, whatever its metadata say
  KnownVolumes volumes = {};
  std::vector<std::string_view> claims = {};  ///< names of spec.resourceClaims
  std::optional<std::int64_t> grace_period = {};
  std::string_view os = {};  ///< spec.os.name
  bool has_os = false;
  bool host_users = true;
  bool host_network = false, host_pid = false, host_ipc = false;
  ValidatedParts passed = {};
};
Context make_context(const Value& pod, const Options& options, Errors& errors);
Context make_template_context(const Value& pod_template, const Options& options, Errors& errors);

inline constexpr std::string_view kPullPolicies[] = {"Always", "IfNotPresent", "Never"};

/// Calls `visit(container, path)` for all containers in the order init, regular, ephemeral.
template <class Visit>
void for_each_container(const Value& spec, const Path& path, Visit visit) {
  for (const Name& list : kContainerLists) {
    const Path list_path = path.child(list.text);
    const Value& containers = spec[list];
    for (std::size_t i = 0; i < containers.size(); ++i) visit(containers.at(i), list_path.at(i));
  }
}

}  // namespace fixpoint::apiserver::validation
