#include <array>

#include "generators/draw.h"

namespace fixpoint::generators {

namespace {

constexpr std::array<const char*, 25> kFaults{
    "timeout",           "refused",         "status-500",         "status-503",        "retry-after-503",
    "retry-after-429",   "not-json",        "empty-body",         "wrong-uid",         "wrong-kind",
    "wrong-api-version", "no-response",     "patch-without-type", "type-without-patch", "unknown-patch-type",
    "patch-with-deny",   "patch-not-json",  "patch-not-a-patch",  "patch-unknown-op",  "patch-cannot-apply",
    "patch-makes-non-pod", "deny",          "deny-403",           "deny-without-status", "status-404"};

/// The subject under another configuration name, which is its place in the order of calls.
void join(Case& value, const Subject& subject, const std::string& prefix, Choices& choices, bool is_peer) {
  Value configuration = subject.configuration;
  const std::string old_name(configuration["metadata"]["name"].text());
  const std::string name = prefix + old_name;
  if (!prefix.empty()) configuration.edit("metadata").set("name", name);
  for (std::size_t i = 0; is_peer && i < configuration["webhooks"].size(); ++i) {
    Value& webhook = configuration.edit("webhooks").edit(i);
    if (choices.one_in(3)) webhook.set("reinvocationPolicy", "Never");
    if (choices.one_in(4)) webhook.set("failurePolicy", "Ignore");
  }
  value.cluster.objects.push_back(std::move(configuration));
  for (const auto& [key, backend] : subject.webhooks) {
    value.webhooks.insert_or_assign(name + key.substr(old_name.size()), backend);
  }
  for (const Value& object : subject.objects) value.cluster.objects.push_back(object);
  for (const auto& alternatives : subject.vocabulary.objects) {
    const Value& chosen = choices.pick(alternatives);
    if (!chosen.is_null()) value.cluster.objects.push_back(chosen);
  }
}

void draw_faults(Case& value, Choices& choices) {
  if (!choices.one_in(8)) return;
  const auto names = cases::configured_webhooks(value.cluster);
  cases::Fault fault{.webhook = choices.pick(names), .fault = choices.pick(kFaults)};
  if (choices.coin()) fault.call = choices.between(1, 2);
  value.faults.push_back(std::move(fault));
}

void draw_cluster(Case& value, Choices& choices) {
  if (choices.one_in(4)) {
    value.cluster.objects.push_back(
        {{"apiVersion", "v1"},
         {"kind", "LimitRange"},
         {"metadata", {{"name", "limits"}, {"namespace", value.request.namespace_name}}},
         {"spec",
          {{"limits",
            Value::list({Value{{"type", "Container"}, {"default", {{"cpu", "1"}, {"memory", "1Gi"}}}}})}}}});
  }
  if (choices.one_in(8)) {
    value.cluster.objects.push_back({{"apiVersion", "v1"},
                                     {"kind", "ServiceAccount"},
                                     {"metadata", {{"name", "default"}, {"namespace", value.request.namespace_name}}},
                                     {"imagePullSecrets", Value::list({Value{{"name", "registry"}}})}});
  }
  if (choices.one_in(4)) {
    std::erase_if(value.cluster.admission_plugins, [&](const std::string&) { return choices.coin(); });
  }
}

/// An update as clients send most of them: the stored Pod with other metadata.
void make_update(Case& value, Choices& choices) {
  value.request.operation = "UPDATE";
  value.request.old_object = value.request.object;
  Value& metadata = value.request.old_object.edit("metadata");
  if (metadata["name"].is_null()) {
    metadata.set("name", "generated");
    value.request.object.edit("metadata").set("name", "generated");
  }
  if (choices.coin()) value.request.object.edit("metadata").edit("labels").set("touched", "yes");
}

}  // namespace

Case draw(Choices& choices, const DrawOptions& options) {
  Case value;
  const Subject& subject = choices.pick(options.subjects);
  std::vector<const runner::Vocabulary*> vocabularies{&subject.vocabulary};
  if (choices.one_in(16)) value.request.namespace_name = choices.coin() ? "kserve" : "team-a";
  join(value, subject, "", choices, false);
  std::vector<const Subject*> neighbours;
  for (const Subject& peer : options.peers) neighbours.push_back(&peer);
  const auto most = std::min<std::size_t>(neighbours.size(), static_cast<std::size_t>(options.peers_max));
  for (auto left = choices.below(most + 1); left > 0; --left) {
    const auto at = choices.below(neighbours.size());
    join(value, *neighbours[at], choices.coin() ? "0-" : "z-", choices, true);
    vocabularies.push_back(&neighbours[at]->vocabulary);
    neighbours.erase(neighbours.begin() + static_cast<std::ptrdiff_t>(at));
  }
  value.request.object = draw_pod(choices, vocabularies);
  value.request.dry_run = choices.one_in(16);
  if (choices.one_in(8)) make_update(value, choices);
  draw_cluster(value, choices);
  if (options.has_faults) draw_faults(value, choices);
  return value;
}

}  // namespace fixpoint::generators
