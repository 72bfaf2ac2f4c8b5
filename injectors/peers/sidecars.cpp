#include <algorithm>

#include "harness/document/diff.h"
#include "harness/document/named.h"
#include "injectors/peers/peer_subject.h"
#include "injectors/rows/injector.h"

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

runner::Subject guarded_subject(std::string_view) {
  auto subject = peer_subject("peers/sidecar-guarded", "proxy-injector", "inject.proxy.example.io");
  subject.vocabulary.names[runner::NameKind::container] = {"proxy"};
  return subject;
}

/// Inserts the container before all others, so that it starts first.
webhooks::Answer add_proxy(const webhooks::Call& call) {
  if (has_container(call.object, "proxy")) return webhooks::allow();
  Value pod = call.object;
  auto& containers = pod.edit("spec").edit("containers").edit_elements();
  containers.insert(containers.begin(), container("proxy", "proxy:1"));
  pod.edit("metadata").edit("annotations").set("proxy.example.io/injected", "true");
  return webhooks::allow_change(call.object, std::move(pod));
}

runner::Subject appended_subject(std::string_view) {
  auto subject = peer_subject("peers/sidecar-appended", "log-shipper", "ship.logs.example.io");
  subject.vocabulary.names[runner::NameKind::container] = {"log-shipper"};
  return subject;
}

webhooks::Answer add_log_shipper(const webhooks::Call& call) {
  if (has_container(call.object, "log-shipper")) return webhooks::allow();
  return webhooks::allow(Value::list({Value{
      {"op", "add"}, {"path", "/spec/containers/-"}, {"value", container("log-shipper", "log-shipper:1")}}}));
}

}  // namespace

Injector sidecar_guarded() {
  return {.name = "peers/sidecar-guarded",
          .sentence = "Adds a proxy sidecar, unless the Pod has it.",
          .role = Role::peer,
          .subject = guarded_subject,
          .handler = [](std::string_view) { return add_proxy; }};
}

Injector sidecar_appended() {
  return {.name = "peers/sidecar-appended",
          .sentence = "Appends a log shipper behind all other containers, and keeps it last.",
          .role = Role::peer,
          .subject = appended_subject,
          .handler = [](std::string_view) { return add_log_shipper; }};
}

}  // namespace fixpoint::injectors::peers
