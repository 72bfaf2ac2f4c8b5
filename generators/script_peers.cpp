#include <array>

#include "generators/draw_context.h"
#include "harness/document/check.h"
#include "harness/document/json.h"

namespace fixpoint::generators {

namespace {

/// A neighbour without code. Every rule has a guard, so that a second call changes nothing. Rules that write
/// into a container record that in a label, because another container may be the first one in the next call.
struct ScriptPeer {
  const char* name;
  const char* script;
};

constexpr auto kPeers = std::to_array<ScriptPeer>({
    {"does-nothing", "[]"},
    {"only-warns", R"([{"warn": ["seen"]}, {"audit": {"seen": "yes"}}])"},
    {"container-behind", R"([{"when": {"not": {"named": {"path": "/spec/containers", "name": "late-behind"}}},
      "patch": [{"op": "add", "path": "/spec/containers/-", "value": {"name": "late-behind",
         "image": "late:1"}}]}])"},
    {"container-in-front",
     R"([{"when": {"not": {"named": {"path": "/spec/containers", "name": "late-front"}}},
      "patch": [{"op": "add", "path": "/spec/containers/0", "value": {"name": "late-front", "image": "late:1",
                 "ports": [{"name": "late", "containerPort": 15999}],
                 "readinessProbe": {"httpGet": {"path": "/ready", "port": "late"}}}}]}])"},
    {"init-container", R"([
      {"when": {"absent": "/spec/initContainers"},
       "patch": [{"op": "add", "path": "/spec/initContainers", "value": [{"name": "late-init",
         "image": "late:1"}]}]},
      {"when": {"all": [{"exists": "/spec/initContainers"},
                        {"not": {"named": {"path": "/spec/initContainers", "name": "late-init"}}}]},
       "patch": [{"op": "add", "path": "/spec/initContainers/0", "value": {"name": "late-init",
         "image": "late:1"}}]}])"},
    {"native-sidecar", R"([
      {"when": {"absent": "/spec/initContainers"},
       "patch": [{"op": "add", "path": "/spec/initContainers",
                  "value": [{"name": "late-sidecar", "image": "late:1", "restartPolicy": "Always"}]}]},
      {"when": {"all": [{"exists": "/spec/initContainers"},
                        {"not": {"named": {"path": "/spec/initContainers", "name": "late-sidecar"}}}]},
       "patch": [{"op": "add", "path": "/spec/initContainers/0",
                  "value": {"name": "late-sidecar", "image": "late:1", "restartPolicy": "Always"}}]}])"},
    {"volume", R"([
      {"when": {"absent": "/spec/volumes"},
       "patch": [{"op": "add", "path": "/spec/volumes", "value": [{"name": "late-volume", "emptyDir": {}}]}]},
      {"when": {"all": [{"exists": "/spec/volumes"},
                        {"not": {"named": {"path": "/spec/volumes", "name": "late-volume"}}}]},
       "patch": [{"op": "add", "path": "/spec/volumes/0", "value": {"name": "late-volume",
         "emptyDir": {}}}]}])"},
    {"label", R"([
      {"when": {"absent": "/metadata/labels"},
       "patch": [{"op": "add", "path": "/metadata/labels", "value": {"late.example.io/seen": "yes"}}]},
      {"when": {"all": [{"exists": "/metadata/labels"},
         {"absent": "/metadata/labels/late.example.io~1seen"}]},
       "patch": [{"op": "add", "path": "/metadata/labels/late.example.io~1seen", "value": "yes"}]}])"},
    {"annotation", R"([
      {"when": {"absent": "/metadata/annotations"},
       "patch": [{"op": "add", "path": "/metadata/annotations", "value": {"late.example.io/seen": "yes"}}]},
      {"when": {"all": [{"exists": "/metadata/annotations"},
         {"absent": "/metadata/annotations/late.example.io~1seen"}]},
       "patch": [{"op": "add", "path": "/metadata/annotations/late.example.io~1seen", "value": "yes"}]}])"},
    {"environment", R"([
      {"when": {"all": [{"absent": "/metadata/labels/late-env"}, {"absent": "/metadata/labels"}]},
       "patch": [{"op": "add", "path": "/metadata/labels", "value": {}}]},
      {"when": {"all": [{"absent": "/metadata/labels/late-env"}, {"absent": "/spec/containers/0/env"}]},
       "patch": [{"op": "add", "path": "/spec/containers/0/env", "value": []}]},
      {"when": {"all": [{"absent": "/metadata/labels/late-env"},
                        {"not": {"named": {"path": "/spec/containers/0/env", "name": "LATE"}}}]},
       "patch": [{"op": "add", "path": "/spec/containers/0/env/0", "value": {"name": "LATE",
         "value": "1"}}]},
      {"when": {"absent": "/metadata/labels/late-env"},
       "patch": [{"op": "add", "path": "/metadata/labels/late-env", "value": "yes"}]}])"},
    {"resources", R"([
      {"when": {"all": [{"absent": "/metadata/labels/late-resources"}, {"absent": "/metadata/labels"}]},
       "patch": [{"op": "add", "path": "/metadata/labels", "value": {}}]},
      {"when": {"all": [{"absent": "/metadata/labels/late-resources"},
                        {"absent": "/spec/containers/0/resources/requests"},
                        {"absent": "/spec/containers/0/resources/limits"}]},
       "patch": [{"op": "add", "path": "/spec/containers/0/resources/requests",
         "value": {"example.com/late": "0"}},
                {"op": "add", "path": "/spec/containers/0/resources/limits",
         "value": {"example.com/late": "0"}}]},
      {"when": {"absent": "/metadata/labels/late-resources"},
       "patch": [{"op": "add", "path": "/metadata/labels/late-resources", "value": "yes"}]}])"},
});

std::string webhook_of(const std::string& name) { return name + ".example.io"; }

Value configuration_of(const std::string& name) {
  const auto read = document::read_json(R"({"apiVersion": "admissionregistration.k8s.io/v1",
    "kind": "MutatingWebhookConfiguration", "metadata": {}, "webhooks": [{
      "admissionReviewVersions": ["v1"], "sideEffects": "None", "reinvocationPolicy": "IfNeeded",
      "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"],
         "resources": ["pods"]}]}]})");
  Value configuration = *read;
  configuration.edit("metadata").set("name", name);
  configuration.edit("webhooks").edit(0).set("name", webhook_of(name));
  return configuration;
}

}  // namespace

std::vector<Subject> script_peers() {
  std::vector<Subject> peers;
  for (const auto& [name, text] : kPeers) {
    const auto source = document::read_json(text);
    document::check(source.ok(), "the script of a peer is JSON");
    auto script = cases::read_script(*source);
    document::check(script.ok(), "the script of a peer is a script");
    Subject subject{.name = std::string("script/") + name, .configuration = configuration_of(name)};
    subject.webhooks.emplace(std::string(name) + "/" + webhook_of(name), *std::move(script));
    peers.push_back(std::move(subject));
  }
  return peers;
}

}  // namespace fixpoint::generators
