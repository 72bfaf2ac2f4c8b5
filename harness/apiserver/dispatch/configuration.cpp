#include "harness/apiserver/dispatch/configuration.h"

#include <map>

#include "harness/apiserver/matching/expression.h"
#include "harness/apiserver/policies/admission_policy.h"
#include "harness/cases/minors.h"

namespace fixpoint::apiserver {

namespace {

using document::Error;

std::string first_known_version(const Value& versions) {
  for (const Value& version : versions.elements()) {
    if (version.text() == "v1" || version.text() == "v1beta1") return std::string(version.text());
  }
  return "";
}

Result<ConfiguredWebhook> read_webhook(const Value& source, std::string_view configuration, int minor) {
  ConfiguredWebhook webhook;
  webhook.configuration = configuration;
  webhook.name = source["name"].text();
  webhook.key = webhook.configuration + "/" + webhook.name;
  webhook.ignores_failure = source["failurePolicy"].text() == "Ignore";
  webhook.if_needed = source["reinvocationPolicy"].text() == "IfNeeded";
  webhook.exact = source["matchPolicy"].text() == "Exact";
  webhook.namespace_selector = source["namespaceSelector"];
  webhook.object_selector = source["objectSelector"];
  webhook.rules = source["rules"];
  // An empty string is a value too, and not one that allows a dry run.
  const Value& side_effects = source["sideEffects"];
  webhook.side_effects = side_effects.is_string() && side_effects.text().empty() ? std::string_view("Unknown")
                                                                                 : side_effects.text();
  webhook.client = source["clientConfig"];
  webhook.review_version = first_known_version(source["admissionReviewVersions"]);
  webhook.timeout_seconds = static_cast<int>(source["timeoutSeconds"].integer().value_or(10));
  for (const Value& condition : source["matchConditions"].elements()) {
    auto expression = compile_expression(condition["expression"].text(), minor);
    if (!expression) {
      return std::move(expression)
          .error()
          .within("match condition \"" + std::string(condition["name"].text()) + "\" of webhook " +
                  webhook.key);
    }
    webhook.conditions.push_back({std::string(condition["name"].text()), *std::move(expression)});
  }
  return webhook;
}

ConfiguredWebhook bound_policy(const policies::Policy& policy, const Value& binding) {
  const Value& criteria = policy.spec["matchConstraints"];
  ConfiguredWebhook webhook;
  webhook.configuration = policy.name;
  webhook.name = binding["metadata"]["name"].text();
  webhook.key = webhook.id = policies::key_of(policy, binding);
  webhook.is_policy = true;
  webhook.ignores_failure = policy.ignores_failure;
  webhook.if_needed = policy.if_needed;
  webhook.exact = criteria["matchPolicy"].text() == "Exact";
  webhook.namespace_selector = criteria["namespaceSelector"];
  webhook.object_selector = criteria["objectSelector"];
  webhook.rules = criteria["resourceRules"];
  webhook.side_effects = "None";
  webhook.review_version = "v1";
  return webhook;
}

}  // namespace

std::string url_of(const ConfiguredWebhook& webhook) {
  if (const Value& url = webhook.client["url"]; url.is_string()) return std::string(url.text());
  const Value& service = webhook.client["service"];
  if (service.is_null()) return "https://" + webhook.name;
  std::string_view path = service["path"].text();
  if (path.starts_with('/')) path.remove_prefix(1);
  return std::string("https://")
      .append(service["name"].text())
      .append(".")
      .append(service["namespace"].text())
      .append(".svc:")
      .append(std::to_string(service["port"].integer().value_or(443)))
      .append("/")
      .append(path);
}

namespace {

Result<std::vector<ConfiguredWebhook>> read_all(const std::vector<const Value*>& configurations,
                                                const cases::Case& value) {
  const int minor = cases::minor_of(value.cluster);
  std::vector<ConfiguredWebhook> all;
  std::map<std::string, int> seen;
  std::size_t count = 0;
  for (const Value* configuration : configurations) count += (*configuration)["webhooks"].size();
  all.reserve(count);
  for (const Value* configuration : configurations) {
    const auto name = (*configuration)["metadata"]["name"].text();
    for (const Value& source : (*configuration)["webhooks"].elements()) {
      auto webhook = read_webhook(source, name, minor);
      if (!webhook) return std::move(webhook).error();
      webhook->id = webhook->key + "/" + std::to_string(seen[webhook->key]++);
      webhook->index = static_cast<int>(all.size());
      webhook->is_subject = !cases::is_neighbour(value, name);
      webhook->is_validating = cases::is_validating_configuration(*configuration);
      all.push_back(*std::move(webhook));
    }
  }
  return all;
}

}  // namespace

Result<std::vector<ConfiguredWebhook>> read_configurations(const cases::Case& value) {
  auto policies = policies::read_policies(value.cluster);
  if (!policies) return std::move(policies).error();
  return read_configurations(value, *policies);
}

Result<std::vector<ConfiguredWebhook>> read_configurations(const cases::Case& value,
                                                           const std::vector<policies::Policy>& policies) {
  auto all = read_all(cases::ordered_configurations(value.cluster), value);
  if (!all) return all;
  for (const policies::Policy& policy : policies) {
    for (const Value& binding : policy.bindings) {
      all->push_back(bound_policy(policy, binding));
      all->back().index = static_cast<int>(all->size()) - 1;
      all->back().is_subject = !cases::is_neighbour(value, policy.name);
    }
  }
  return all;
}

Result<std::vector<ConfiguredWebhook>> read_validators(const cases::Case& value) {
  return read_all(cases::called_validators(value), value);
}

}  // namespace fixpoint::apiserver
