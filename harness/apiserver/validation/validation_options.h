#pragma once

#include "harness/document/value.h"

namespace fixpoint::apiserver::validation {

/// The rules that depend on the minor and on the stored Pod: an update is not rejected for something that was
/// accepted before (docs/validation.md#10-0).
struct Options {
  int minor;
  bool allows_any_deletion_cost = false;
  bool allows_selector_values = false;       ///< invalid label values in pod affinity selectors
  bool allows_node_affinity_values = false;  ///< the same in required node affinity
  bool allows_spread_selector = false;       ///< invalid selectors in topology spread constraints
  bool allows_indivisible_hugepages = false;
  bool allows_any_token_path = false;
  bool allows_host_sysctls = false;
  bool allows_any_selinux_policy = false;     ///< else Recursive only
  bool allows_comparing_tolerations = false;  ///< Lt and Gt
  bool allows_restart_container_for_init = false;
  bool allows_user_namespace_devices = false;
  bool allows_user_namespace_host_network = false;
  bool uses_legacy_match_label_keys = false;
  bool uses_relaxed_env_names = false;
  bool uses_relaxed_dns_searches = false;
  bool allows_sleep_of_zero = false;
  bool allows_restart_rules = false;
  bool allows_restart_all_containers = false;
  bool allows_sidecar_resize_policy = false;
  friend bool operator==(const Options&, const Options&) = default;
};

/// `old` is null for a creation.
Options make_options(const document::Value& pod, const document::Value& old, int minor);

/// Returns true if a container has restart rules, or a restart policy other than a sidecar's.
bool uses_restart_rules(const document::Value& spec);

/// Returns true for a whole number of 32 bits without `+` and leading zeros, or if it is absent.
bool is_valid_deletion_cost(const document::Value& annotations);

}  // namespace fixpoint::apiserver::validation
