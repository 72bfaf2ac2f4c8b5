#include "harness/cases/webhook_configuration.h"

#include <algorithm>
#include <utility>

namespace fixpoint::cases {

namespace {

std::string renamed_configuration(std::string_view name, const NewNames& names) {
  const auto found = names.find(name);
  return found == names.end() ? std::string(name) : found->second;
}

void remove_policy(Case& value, std::string_view policy, std::string_view binding) {
  const auto is_bound = [&](const Value& object) {
    return is_policy_binding(object) && object["spec"]["policyName"].text() == policy;
  };
  auto& objects = value.cluster.objects;
  std::erase_if(objects, [&](const Value& object) {
    return is_bound(object) && object["metadata"]["name"].text() == binding;
  });
  if (std::any_of(objects.begin(), objects.end(), is_bound)) return;
  std::erase_if(objects, [&](const Value& object) {
    return is_policy(object) && object["metadata"]["name"].text() == policy;
  });
  std::erase(value.cluster.policy_order, policy);
}

}  // namespace

bool is_policy(const Value& object) { return group_kind_of(object) == kPolicy; }
bool is_policy_binding(const Value& object) { return group_kind_of(object) == kPolicyBinding; }
bool is_of_webhooks(const Value& object) {
  return is_webhook_configuration(object) || is_validating_configuration(object);
}
bool is_of_policies(const Value& object) { return is_policy(object) || is_policy_binding(object); }

std::vector<std::string> bound_policies(const Cluster& cluster) {
  std::vector<std::string> names;
  for (const Value* binding : cluster.of_kind(kPolicyBinding)) {
    const std::string policy((*binding)["spec"]["policyName"].text());
    if (cluster.find(kPolicy, "", policy) != nullptr)
      names.push_back(policy + "/" + std::string((*binding)["metadata"]["name"].text()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_webhook_configuration(const Value& object) { return group_kind_of(object) == kWebhookConfiguration; }

bool is_validating_configuration(const Value& object) {
  return group_kind_of(object) == kValidatingConfiguration;
}

std::vector<const Value*> ordered_configurations(const Cluster& cluster) {
  return cluster.of_kind(kWebhookConfiguration);
}

const Value* find_configuration(const Cluster& cluster, std::string_view name) {
  const Value* configuration = cluster.find(kWebhookConfiguration, "", name);
  return configuration != nullptr ? configuration : cluster.find(kPolicy, "", name);
}

std::vector<std::string> configured_webhooks(const Cluster& cluster) {
  std::vector<std::string> names;
  for (const Value* configuration : ordered_configurations(cluster)) {
    for (std::string& name : webhooks_of(*configuration)) names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> webhooks_of(const Value& configuration) {
  std::vector<std::string> names;
  const std::string name(configuration["metadata"]["name"].text());
  for (const Value& webhook : configuration["webhooks"].elements())
    names.push_back(name + "/" + std::string(webhook["name"].text()));
  return names;
}

std::vector<const Value*> called_validators(const Case& value) {
  std::vector<const Value*> called;
  if (!value.cluster.has_kind(kValidatingConfiguration)) return called;
  for (const Value* configuration : value.cluster.of_kind(kValidatingConfiguration)) {
    const auto names = webhooks_of(*configuration);
    const std::string_view name = (*configuration)["metadata"]["name"].text();
    const bool has_backends = std::all_of(names.begin(), names.end(), [&](const std::string& webhook) {
      return value.webhooks.contains(webhook);
    });
    if (has_backends && !names.empty() &&
        value.cluster.find(kValidatingConfiguration, "", name) == configuration)
      called.push_back(configuration);
  }
  return called;
}

WebhookRef webhook_ref(const Case& value, std::string_view key) {
  const auto slash = key.find('/');
  const std::string_view configuration = key.substr(0, slash);
  const bool is_called = value.webhooks.contains(std::string(key));
  return {.configuration = std::string(configuration),
          .name = std::string(key.substr(slash + 1)),
          .key = std::string(key),
          .is_subject = !is_neighbour(value, configuration),
          .is_policy = !is_called && value.cluster.find(kPolicy, "", configuration) != nullptr};
}

bool is_meant(std::string_view name, std::string_view key) {
  return key.ends_with(name) && (key.size() == name.size() || key[key.size() - name.size() - 1] == '/');
}

bool belongs_to(std::string_view key, std::string_view configuration) {
  return key.starts_with(configuration) && key.substr(configuration.size()).starts_with('/');
}

const Value* find_entry(const Value& configuration, std::string_view name) {
  for (const Value& entry : configuration["webhooks"].elements())
    if (entry["name"].text() == name) return &entry;
  return nullptr;
}

std::string_view first_own_name(const Value& configuration) {
  const auto webhooks = configuration["webhooks"].elements();
  return webhooks.empty() ? std::string_view() : webhooks.front()["name"].text();
}

bool is_neighbour(const Case& value, std::string_view configuration) {
  if (!value.neighbours) return false;
  const auto& all = *value.neighbours;
  return std::find(all.begin(), all.end(), configuration) != all.end();
}

std::string renamed_webhook(const std::string& webhook, const NewNames& names) {
  const auto found =
      std::ranges::find_if(names, [&](const auto& renamed) { return belongs_to(webhook, renamed.first); });
  return found == names.end() ? webhook : found->second + webhook.substr(found->first.size());
}

void rename_configurations(Case& value, const NewNames& names) {
  for (Value& object : value.cluster.objects) {
    if (!is_of_webhooks(object)) continue;
    const auto found = names.find(object["metadata"]["name"].text());
    if (found != names.end()) object.edit("metadata").set("name", found->second);
  }
  std::map<std::string, Backend> webhooks;
  for (auto& [webhook, backend] : value.webhooks)
    webhooks.insert_or_assign(renamed_webhook(webhook, names), std::move(backend));
  value.webhooks = std::move(webhooks);
  for (Fault& fault : value.faults) fault.webhook = renamed_webhook(fault.webhook, names);
  if (!value.neighbours) return;
  for (std::string& name : *value.neighbours) name = renamed_configuration(name, names);
}

Case without_webhook(Case value, const std::string& webhook) {
  const WebhookRef gone = webhook_ref(value, webhook);
  const bool is_of_webhook = value.cluster.find(kWebhookConfiguration, "", gone.configuration) != nullptr;
  if (!is_of_webhook) remove_policy(value, gone.configuration, gone.name);
  for (Value& object : value.cluster.objects) {
    if (!is_of_webhooks(object) || object["metadata"]["name"].text() != gone.configuration) continue;
    auto& entries = object.edit("webhooks").edit_elements();
    erase_if(entries, [&](const Value& entry) { return entry["name"].text() == gone.name; });
  }
  std::erase_if(value.cluster.objects,
                [](const Value& object) { return is_of_webhooks(object) && object["webhooks"].empty(); });
  value.webhooks.erase(webhook);
  std::erase_if(value.faults, [&](const Fault& fault) { return fault.webhook == webhook; });
  if (value.neighbours && find_configuration(value.cluster, gone.configuration) == nullptr)
    std::erase(*value.neighbours, gone.configuration);
  return value;
}

}  // namespace fixpoint::cases
