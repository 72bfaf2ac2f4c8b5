#include <algorithm>

#include "harness/properties/judge.h"
#include "harness/properties/properties.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::Hop;
using Leaves = std::vector<Leaf>;

constexpr const char* kName = "fixpoint-probe";
constexpr const char* kPort = "fixpoint";
constexpr int kNumber = 18099;

/// What a probe asks, with the server's defaults.
Value handler_of(std::string_view handler, const Value& port) {
  if (handler == "httpGet") return {{"httpGet", {{"path", "/ready"}, {"port", port}, {"scheme", "HTTP"}}}};
  if (handler == "grpc") return {{"grpc", {{"port", port}, {"service", ""}}}};
  return {{"tcpSocket", {{"port", port}}}};
}

Value probe_of(std::string_view handler, const Value& port) {
  Value probe = handler_of(handler, port);
  probe.set("timeoutSeconds", 1);
  probe.set("periodSeconds", 10);
  probe.set("successThreshold", 1);
  probe.set("failureThreshold", 3);
  return probe;
}

/// A container with everything that webhooks treat, and one probe.
Value container_with(const char* kind, std::string_view handler, const Value& port) {
  Value container = plain_container(kName);
  container.set("command", Value::list({"/bin/probe"}));
  container.set("ports",
                Value::list({Value{{"name", kPort}, {"containerPort", kNumber}, {"protocol", "TCP"}}}));
  container.set("env", Value::list({Value{{"name", "FIXPOINT"}, {"value", "1"}}}));
  container.set(document::Name(kind), probe_of(handler, port));
  return container;
}

class CoverageQuestion {
 public:
  CoverageQuestion(const Examination& examination, const FirstCall& call, std::vector<Violation>& violations)
      : examination_(examination), call_(call), violations_(violations) {}

  /// Whether the webhook treats containers that it does not know by name.
  bool ask() {
    reference_ = treatment("containers", container_with("readinessProbe", "httpGet", kNumber));
    if (!reference_ || reference_->empty()) return false;
    ask_sidecar();
    const bool rewrites_probes = writes(*reference_, "readinessProbe");
    if (!rewrites_probes) return true;
    for (const char* kind : {"livenessProbe", "startupProbe"})
      ask_probe(container_with(kind, "httpGet", kNumber), kind, std::string("a ") + kind);
    for (const char* handler : {"tcpSocket", "grpc"})
      ask_probe(container_with("readinessProbe", handler, kNumber), "readinessProbe",
                std::string("a probe with ") + handler);
    ask_named_port();
    return true;
  }

 private:
  /// Everything that the webhook writes into the container; nothing when the call fails or there is none.
  std::optional<Leaves> treatment(const char* list, const Value& container) {
    pod_ = call_.event.before;
    pod_.edit("spec").edit(document::Name(list)).push_back(container);
    if (!is_called(examination_, call_.webhook, pod_)) return {};
    hop_ = call_afresh(examination_, call_.webhook, pod_);
    if (!went_well(hop_)) return {};
    Leaves leaves = added(alone(list, pod_), alone(list, hop_.after));
    const std::string prefix = std::string("spec.") + list + "[" + kName + "].";
    std::erase_if(leaves, [&](const Leaf& leaf) { return !leaf.path.starts_with(prefix); });
    for (Leaf& leaf : leaves) leaf.path.erase(0, prefix.size());
    return leaves;
  }
  /// A Pod of that container only.
  static Value alone(const char* list, const Value& pod) {
    Value containers = pod["spec"][document::Name(list)];
    if (containers.is_array()) {
      erase_if(containers.edit_elements(),
               [](const Value& container) { return container["name"].text() != kName; });
    }
    return {{"spec", {{list, containers}}}};
  }
  /// Everything that the last call wrote.
  Leaves written() const { return added(pod_, hop_.after); }
  static bool writes(const Leaves& leaves, std::string_view member) {
    return std::any_of(leaves.begin(), leaves.end(),
                       [&](const Leaf& leaf) { return leaf.path.starts_with(member); });
  }

  void ask_sidecar() {
    Value container = container_with("readinessProbe", "httpGet", kNumber);
    container.set("restartPolicy", "Always");
    const auto there = treatment("initContainers", container);
    if (!there) return;
    const std::string path = first_difference(*reference_, *there);
    if (path.empty()) return;
    report("sidecar", "initContainers", path,
           "a native sidecar among the init containers is not treated as it would be among the containers");
  }

  void ask_probe(const Value& container, const char* member, const std::string& what) {
    const auto there = treatment("containers", container);
    if (there && !writes(*there, member))
      report(what, "containers", member, what + " is not treated as others are");
  }

  void ask_named_port() {
    treatment("containers", container_with("readinessProbe", "httpGet", kNumber));
    const Leaves numbered = written();
    if (!treatment("containers", container_with("readinessProbe", "httpGet", kPort))) return;
    const std::string path = first_difference(numbered, written());
    if (path.empty()) return;
    Violation violation = violation_at(call_.webhook, path, hop_.after, hop_);
    violation.severity = Severity::warning;
    violation.shape = "named-port:" + violation.shape;
    violation.because = violation.path + " differs between a probe of a port by name and by number";
    violations_.push_back(std::move(violation));
  }

  void report(const std::string& what, const std::string& list, const std::string& member,
              const std::string& because) {
    Violation violation{.severity = Severity::warning, .webhook = call_.webhook.key};
    violation.path = "spec." + list + "[*]." + member;
    violation.shape = what + ":" + violation.path;
    violation.because = because;
    violations_.push_back(std::move(violation));
  }

  const Examination& examination_;
  const FirstCall& call_;
  std::vector<Violation>& violations_;
  std::optional<Leaves> reference_;
  Value pod_;
  Hop hop_;
};

}  // namespace

Judgement covers_all_containers(const Examination& examination) {
  const auto calls = first_calls(examination);
  std::vector<Violation> violations;
  bool asked = false;
  for (const FirstCall& call : calls) {
    if (CoverageQuestion(examination, call, violations).ask()) asked = true;
  }
  if (!asked) return not_applicable("no webhook treats every container");
  return judged(std::move(violations));
}

}  // namespace fixpoint::properties
