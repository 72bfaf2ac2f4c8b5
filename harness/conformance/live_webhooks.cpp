#include "harness/conformance/live_webhooks.h"

#include <algorithm>
#include <utility>

#include "harness/cases/webhook_configuration.h"
#include "harness/conformance/cluster_as_run.h"
#include "harness/document/base64.h"
#include "harness/external/backends/served_webhook.h"

namespace fixpoint::conformance {

using document::Value;

namespace {

Value client_of(const WebhookAddress& address, const std::string& path) {
  return {{"url", address.base + path}, {"caBundle", document::encode_base64(address.authority)}};
}

/// Returns a configuration of the Case, restricted to the namespace and directed to the webhook server.
Value registered_configuration(Value configuration, const std::string& prefix, const WebhookAddress& address,
                               const std::string& namespace_name) {
  configuration = narrowed(std::move(configuration), namespace_name);
  const std::string name(configuration["metadata"]["name"].text());
  for (Value& webhook : configuration.edit("webhooks").edit_elements()) {
    const std::string path = external::path_of(name + "/" + std::string(webhook["name"].text()));
    webhook.set("clientConfig", client_of(address, path));
  }
  configuration.set("metadata", {{"name", prefix + name}});
  return configuration;
}

/// Returns the configuration of a webhook that is called for probes and nothing else.
Value probe_configuration(std::string_view kind, const char* resource, const std::string& prefix,
                          const std::string& namespace_name, const Value& client) {
  const Value rule{{"apiGroups", Value::list({""})},
                   {"apiVersions", Value::list({"v1"})},
                   {"operations", Value::list({"CREATE"})},
                   {"resources", Value::list({resource})}};
  const Value webhook{{"name", "probe.fixpoint.example.io"},
                      {"admissionReviewVersions", Value::list({"v1"})},
                      {"sideEffects", "None"},
                      {"clientConfig", client},
                      {"objectSelector", {{"matchLabels", {{kProbeLabel, "yes"}}}}},
                      {"rules", Value::list({rule})}};
  return narrowed({{"apiVersion", "admissionregistration.k8s.io/v1"},
                   {"kind", kind},
                   {"metadata", {{"name", prefix + "probe"}}},
                   {"webhooks", Value::list({webhook})}},
                  namespace_name);
}

Value probe_metadata() { return {{"name", kProbeLabel}, {"labels", {{kProbeLabel, "yes"}}}}; }

}  // namespace

Value probe_pod() {
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", probe_metadata()},
          {"spec", {{"containers", Value::list({Value{{"name", "probe"}, {"image", "probe:1"}}})}}}};
}

Value probe_map() { return {{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", probe_metadata()}}; }

bool has_validators(const cases::Case& value) { return !cases::called_validators(value).empty(); }

std::size_t probes_of(const cases::Case& value) { return has_validators(value) ? 2 : 1; }

std::vector<Registered> registered_webhooks(const cases::Case& value, const std::string& prefix,
                                            const WebhookAddress& address) {
  const std::string& space = value.request.namespace_name;
  std::vector<Registered> all;
  for (const Value* one : cases::ordered_configurations(value.cluster))
    all.push_back({kMutatingPath, registered_configuration(*one, prefix, address, space)});
  for (const Value* one : cases::called_validators(value))
    all.push_back({kValidatingPath, registered_configuration(*one, prefix, address, space)});
  all.push_back({kMutatingPath, probe_configuration(cases::kWebhookConfiguration.kind, "pods", prefix, space,
                                                    client_of(address, kMutatingProbe))});
  if (!has_validators(value)) return all;
  all.push_back({kValidatingPath, probe_configuration(cases::kValidatingConfiguration.kind, "configmaps",
                                                      prefix,
                                                      space, client_of(address, kValidatingProbe))});
  return all;
}

std::vector<std::string> in_order(const std::vector<std::string>& calls, const cases::Case& value) {
  std::vector<std::string> validators;
  for (const Value* configuration : cases::called_validators(value)) {
    for (std::string& webhook : cases::webhooks_of(*configuration)) validators.push_back(std::move(webhook));
  }
  const auto place = [&](const std::string& call) {
    const auto found = std::find(validators.begin(), validators.end(), call);
    return found == validators.end() ? 0 : 1 + (found - validators.begin());
  };
  std::vector<std::string> sorted = calls;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
  return sorted;
}

}  // namespace fixpoint::conformance
