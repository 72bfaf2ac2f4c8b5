#include <algorithm>
#include <string>
#include <vector>

#include "harness/properties/judge.h"
#include "harness/properties/webhook_caller.h"
#include "injectors/kserve/probes/handed_probe.h"

namespace fixpoint::injectors::kserve::probes {

namespace {

using properties::not_applicable;
using properties::shape_of;
using properties::Violation;

/// A proxy that answers its readiness probe by probing the container behind it. `header` identifies the
/// proxy, and the env variable must hold the probe. An empty variable means that the proxy is ready at once.
struct Protocol {
  const char* header;  ///< the header of the proxy's own readiness probe
  const char* value;
  const char* env;
};
/// Knative's queue-proxy and programs built on its probing code, such as KServe's agent: they exit if the env
/// variable is missing.
constexpr Protocol kProtocols[] = {{"K-Network-Probe", "queue", "SERVING_READINESS_PROBE"}};

const Protocol* protocol_of(const Value& container) {
  for (const Value& header : container["readinessProbe"]["httpGet"]["httpHeaders"].elements()) {
    for (const Protocol& known : kProtocols) {
      if (header["name"].text() == known.header && header["value"].text() == known.value) return &known;
    }
  }
  return nullptr;
}

const Value* env_named(const Value& container, std::string_view name) {
  for (const Value& entry : container["env"].elements()) {
    if (entry["name"].text() == name) return &entry;
  }
  return nullptr;
}

/// Returns the reason why the proxy can never be ready; empty if it can, or if that is unknown.
std::string obstacle(const Value& container, const Protocol& protocol) {
  const Value* entry = env_named(container, protocol.env);
  const std::string name = protocol.env;
  if (entry == nullptr) return name + " is missing, which it needs to start";
  if (!(*entry)["valueFrom"].is_null()) return "";
  const std::string_view text = (*entry)["value"].text();
  if (text.empty()) return "";
  if (text == "null") return name + " is null, on which it crashes";
  const auto probe = probe_in(text);
  if (!probe) return name + " holds no probe that it could ask";
  if (is_command(*probe)) return name + " is a command, which it cannot run for another container";
  for (const char* handler : {"httpGet", "tcpSocket"}) {
    if ((*probe)[handler]["port"].is_string())
      return name + " asks for the port by a name, which it cannot resolve";
  }
  const std::string_view asked = (*probe)["httpGet"]["path"].text();
  const std::string_view own = container["readinessProbe"]["httpGet"]["path"].text();
  if (!asked.empty() && asked != own)
    return "it answers at the path of " + name + " alone, and its own probe asks at another";
  return "";
}

/// Returns true if the user's Pod has a proxy for the same purpose, whose env is then copied: a variable that
/// it lacks is the user's mistake.
bool has_proxy(const Value& first) {
  const auto containers = first["spec"]["containers"].elements();
  return std::any_of(containers.begin(), containers.end(), [](const Value& container) {
    return protocol_of(container) != nullptr || container["name"].text() == "queue-proxy";
  });
}

}  // namespace

Judgement agent_can_become_ready(const Examination& examination) {
  const apiserver::Admission& admission = examination.admission;
  std::vector<Violation> violations;
  bool is_asked = false;
  for_each_changed_container(admission, [&](const Placed& placed) {
    const Protocol* protocol = protocol_of(placed.container);
    if (protocol == nullptr) return;
    const auto* event = culprit_of(examination, placed.container["name"],
                                   [](const Value& container) { return protocol_of(container) != nullptr; });
    if (event == nullptr) return;
    is_asked = true;
    if (has_proxy(admission.first)) return;
    const std::string why = obstacle(placed.container, *protocol);
    if (why.empty()) return;
    Violation violation;
    violation.webhook = admission.webhooks[static_cast<std::size_t>(event->index)].key;
    violation.path = placed.path + ".env";
    violation.value = placed.container["env"];
    violation.shape = shape_of(violation.path, admission.object, event->result);
    violation.change = why;  // each is repaired by itself
    violation.reason =
        "container " + std::string(placed.container["name"].text()) + " can never be ready: " + why;
    violations.push_back(std::move(violation));
  });
  if (!is_asked) return not_applicable("no webhook added a container that probes for another");
  return judged(std::move(violations));
}

}  // namespace fixpoint::injectors::kserve::probes
