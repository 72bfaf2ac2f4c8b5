#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"

namespace fixpoint::cases {

inline constexpr std::string_view kRegistrationGroup = "admissionregistration.k8s.io";
inline constexpr GroupKind kWebhookConfiguration{"MutatingWebhookConfiguration", kRegistrationGroup};
bool is_webhook_configuration(const Value& object);
inline constexpr GroupKind kValidatingConfiguration{"ValidatingWebhookConfiguration", kRegistrationGroup};
bool is_validating_configuration(const Value& object);

/// MutatingAdmissionPolicies stand beside webhook configurations: a policy has a binding where a
/// configuration has a webhook, and <policy>/<binding> names what changes a Pod.
inline constexpr GroupKind kPolicy{"MutatingAdmissionPolicy", kRegistrationGroup};
inline constexpr GroupKind kPolicyBinding{"MutatingAdmissionPolicyBinding", kRegistrationGroup};
inline constexpr GroupKind kValidatingPolicy{"ValidatingAdmissionPolicy", kRegistrationGroup};
inline constexpr GroupKind kValidatingPolicyBinding{"ValidatingAdmissionPolicyBinding", kRegistrationGroup};
bool is_policy(const Value& object);
bool is_policy_binding(const Value& object);
/// Returns true for the configurations of webhooks of either kind; for policies and their bindings.
bool is_of_webhooks(const Value& object);
bool is_of_policies(const Value& object);
/// Returns the names <policy>/<binding> of all bindings of the cluster's policies, sorted.
std::vector<std::string> bound_policies(const Cluster& cluster);

/// Returns the MutatingWebhookConfigurations of the cluster in the server's order: bytewise by name
/// (docs/simulator.md#1-2).
std::vector<const Value*> ordered_configurations(const Cluster& cluster);
/// Returns the configuration, or else the policy, with that name; nullptr if there is none.
const Value* find_configuration(const Cluster& cluster, std::string_view name);
/// Returns the names <configuration>/<webhook> of all webhooks configured in the cluster, in the order in
/// which the server calls them.
std::vector<std::string> configured_webhooks(const Cluster& cluster);

/// Returns the names <configuration>/<webhook> of one configuration, of either kind.
std::vector<std::string> webhooks_of(const Value& configuration);
/// Returns the ValidatingWebhookConfigurations of which each webhook has a backend, in the server's order. Of
/// two with one name the last counts. Others are not called.
std::vector<const Value*> called_validators(const Case& value);

/// One webhook, or one binding of a policy. It is made once, of the cluster's configurations
/// (apiserver::ConfiguredWebhook is one) or of a key that a file holds.
struct WebhookRef {
  std::string configuration = {};  ///< or the policy
  std::string name = {};           ///< the webhook's own, or the binding's
  std::string key = {};            ///< <configuration>/<name>, as files and messages have it
  bool is_subject = true;          ///< false if the Case lists the configuration as a neighbour
  bool is_policy = false;          ///< a binding of a MutatingAdmissionPolicy, which the server does not call
};
/// Returns what a key in a Case's backends and faults, or in a Finding of the Case, refers to. Nothing else
/// takes a key apart.
WebhookRef webhook_ref(const Case& value, std::string_view key);
/// Returns true if a user's name means the webhook: its key, or its own name alone.
bool is_meant(std::string_view name, std::string_view key);
/// Returns true if the key names a webhook of the configuration, or a binding of the policy.
bool belongs_to(std::string_view key, std::string_view configuration);
/// Returns the entry of the webhook with that own name; nullptr if the configuration has none.
const Value* find_entry(const Value& configuration, std::string_view name);
/// Returns the own name of a configuration's first webhook, empty if it has none.
std::string_view first_own_name(const Value& configuration);

/// Returns true if the Case lists the configuration as a neighbour.
bool is_neighbour(const Case& value, std::string_view configuration);

/// The new names of configurations, by their old names; other configurations keep theirs.
using NewNames = std::map<std::string, std::string, std::less<>>;
/// Renames configurations, all at once, and everything in the Case that names them. The new names decide the
/// order of calls. No two configurations may get one name.
void rename_configurations(Case& value, const NewNames& names);
/// Returns <configuration>/<webhook> after a renaming.
std::string renamed_webhook(const std::string& webhook, const NewNames& names);

/// Returns the Case without the webhook <configuration>/<webhook>, without the faults of its calls, and
/// without its configuration if that has no other webhook; or without a binding and its policy. A validating
/// webhook goes like the others.
Case without_webhook(Case value, const std::string& webhook);

}  // namespace fixpoint::cases
