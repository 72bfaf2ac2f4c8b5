#include <algorithm>

#include "harness/document/diff.h"
#include "harness/document/named.h"
#include "injectors/peers/peers.h"

namespace fixpoint::injectors::peers {

namespace {

using document::Value;

bool has_container(const Value& pod, std::string_view name) {
  for (const char* list : {"containers", "initContainers"}) {
    if (has_named(pod["spec"][list], name)) return true;
  }
  return false;
}

Value container(const char* name, const char* image) {
  return {{"name", name}, {"image", image}, {"resources", Value::empty_object()}};
}

}  // namespace

runner::Subject peer_subject(const char* name, const char* configuration, const char* webhook) {
  runner::Subject subject;
  subject.name = name;
  subject.configuration = {
      {"apiVersion", "admissionregistration.k8s.io/v1"},
      {"kind", "MutatingWebhookConfiguration"},
      {"metadata", {{"name", configuration}}},
      {"webhooks",
       Value::list({Value{{"name", webhook},
                          {"admissionReviewVersions", Value::list({"v1"})},
                          {"sideEffects", "None"},
                          {"reinvocationPolicy", "IfNeeded"},
                          {"rules", Value::list({Value{{"apiGroups", Value::list({""})},
                                                       {"apiVersions", Value::list({"v1"})},
                                                       {"operations", Value::list({"CREATE"})},
                                                       {"resources", Value::list({"pods"})}}})}}})}};
  subject.webhooks = {{std::string(configuration) + "/" + webhook, cases::InjectorName{name}}};
  return subject;
}

runner::Subject guarded_subject(std::string_view) {
  auto subject = peer_subject("peers/sidecar-guarded", "proxy-injector", "inject.proxy.example.io");
  subject.vocabulary.containers = {"proxy"};
  return subject;
}

/// In front of all others, so that it starts first.
webhooks::Handler guarded_handler(std::string_view) {
  return [](const webhooks::Call& call) {
    if (has_container(call.object, "proxy")) return webhooks::allow();
    Value pod = call.object;
    auto& containers = pod.edit("spec").edit("containers").edit_elements();
    containers.insert(containers.begin(), container("proxy", "proxy:1"));
    pod.edit("metadata").edit("annotations").set("proxy.example.io/injected", "true");
    return webhooks::allow_change(call.object, std::move(pod));
  };
}

runner::Subject appended_subject(std::string_view) {
  auto subject = peer_subject("peers/sidecar-appended", "log-shipper", "ship.logs.example.io");
  subject.vocabulary.containers = {"log-shipper"};
  return subject;
}

webhooks::Handler appended_handler(std::string_view) {
  return [](const webhooks::Call& call) {
    if (has_container(call.object, "log-shipper")) return webhooks::allow();
    return webhooks::allow(Value::list({Value{{"op", "add"},
                                              {"path", "/spec/containers/-"},
                                              {"value", container("log-shipper", "log-shipper:1")}}}));
  };
}

}  // namespace fixpoint::injectors::peers
