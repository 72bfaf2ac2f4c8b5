#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"

namespace fixpoint::cases {

inline constexpr std::string_view kWebhookConfiguration = "MutatingWebhookConfiguration";
bool is_webhook_configuration(const Value& object);

/// The MutatingWebhookConfigurations of the cluster in the server's order: bytewise by name
/// (docs/simulator.md#1-2).
std::vector<const Value*> ordered_configurations(const Cluster& cluster);
/// The configuration with that name, or nullptr.
const Value* find_configuration(const Cluster& cluster, std::string_view name);
/// The names <configuration>/<webhook> of all webhooks configured in the cluster, in the server's order of
/// calls.
std::vector<std::string> configured_webhooks(const Cluster& cluster);

/// The configuration's name in <configuration>/<webhook>.
std::string_view configuration_of(std::string_view webhook);
/// The webhook's own name in <configuration>/<webhook>.
std::string_view own_name_of(std::string_view webhook);
/// The own name of a configuration's first webhook, empty when it has none.
std::string_view first_own_name(const Value& configuration);

/// Returns true if the Case says that the configuration is not under test.
bool is_neighbour(const Case& value, std::string_view configuration);

/// The names of configurations after a renaming, by those before it. Others stay.
using NewNames = std::map<std::string, std::string, std::less<>>;
/// Renames configurations, all at once, and everything in the Case that names them. A configuration's name is
/// its place in the order of calls. No two may end with one name.
void rename_configurations(Case& value, const NewNames& names);
/// <configuration>/<webhook> after a renaming.
std::string renamed_webhook(const std::string& webhook, const NewNames& names);

/// The Case without the webhook <configuration>/<webhook>, the faults of its calls, and its configuration if
/// it was the last one there.
Case without_webhook(Case value, const std::string& webhook);

}  // namespace fixpoint::cases
