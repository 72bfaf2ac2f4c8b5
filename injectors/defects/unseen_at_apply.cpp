#include <algorithm>
#include <cstdint>
#include <string>

#include "harness/document/base64.h"
#include "injectors/defects/defect_helpers.h"
#include "injectors/defects/defects.h"

namespace fixpoint::injectors::defects {

namespace {

// Defects that the API server takes: the kubelet, or whoever reads the Pod, meets them.

constexpr const char* kInject = "defects.example.io/inject";
constexpr const char* kAccountSecret = "agent-account";

/// Gives the smallest user of all containers to an init container, and does not say that it may be root.
Answer smallest_user(const Call& call, bool is_fixed) {
  if (has_container(call.object, "setup-agent")) return webhooks::allow();
  std::int64_t user = 1001;
  for (const Value& one : call.object["spec"]["containers"].elements())
    user = std::min(user, one["securityContext"]["runAsUser"].integer().value_or(user));
  const bool is_root = user == 0;
  Value setup = container("setup-agent", "agent:1");
  setup.edit("securityContext").set("runAsUser", Value::number(std::to_string(user)));
  if (!is_root || is_fixed) setup.edit("securityContext").set("runAsNonRoot", !is_root);
  return changed(call, [&](Value& pod) { pod.edit("spec").edit("initContainers").push_back(setup); });
}

/// Probes the port of a name that the container does not declare.
Answer probe_by_name(const Call& call, bool is_fixed) {
  if (has_container(call.object, "probed-agent")) return webhooks::allow();
  Value agent = container("probed-agent", "agent:1");
  if (is_fixed)
    agent.edit("ports").push_back({{"name", "health"}, {"containerPort", 9911}, {"protocol", "TCP"}});
  agent.set("readinessProbe", {{"httpGet", {{"path", "/ready"}, {"port", "health"}}}});
  return changed(call, [&](Value& pod) { pod.edit("spec").edit("containers").push_back(agent); });
}

/// Waits in an init container for a sidecar that starts after it.
Answer waits_for_sidecar(const Call& call, bool is_fixed) {
  if (has_container(call.object, "await-agent") || has_container(call.object, "awaited-agent"))
    return webhooks::allow();
  Value agent = container("awaited-agent", "agent:1"), wait = container("await-agent", "agent:1");
  agent.edit("ports").push_back({{"containerPort", 9912}, {"protocol", "TCP"}});
  wait.edit("args").push_back(is_fixed ? "--wait=agents.example.svc:9912"
                                       : "--wait=http://localhost:9912/ready");
  return changed(call, [&](Value& pod) {
    pod.edit("spec").edit("initContainers").push_back(wait);
    pod.edit("spec").edit("containers").push_back(agent);
  });
}

/// Shares a volume between two containers, neither of which may write to it.
Answer shares_read_only(const Call& call, bool is_fixed) {
  if (has_container(call.object, "fill-cache") || has_container(call.object, "read-cache") ||
      has_named(call.object["spec"]["volumes"], "agent-cache"))
    return webhooks::allow();
  const auto with_mount = [](const char* name, bool is_read_only) {
    Value one = container(name, "agent:1");
    Value mount{{"name", "agent-cache"}, {"mountPath", "/agent-cache"}};
    if (is_read_only) mount.set("readOnly", true);
    one.edit("volumeMounts").push_back(mount);
    return one;
  };
  return changed(call, [&](Value& pod) {
    Value& spec = pod.edit("spec");
    spec.edit("volumes").push_back(empty_volume("agent-cache"));
    spec.edit("initContainers").push_back(with_mount("fill-cache", !is_fixed));
    spec.edit("containers").push_back(with_mount("read-cache", true));
  });
}

/// Leaves a Pod alone that asks for it and has another volume of the name.
Answer silent_on_taken_name(const Call& call, bool is_fixed) {
  const Value& spec = call.object["spec"];
  if (call.object["metadata"]["annotations"][kInject].text() != "true") return webhooks::allow();
  if (has_container(call.object, "asked-agent")) return webhooks::allow();
  if (has_named(spec["volumes"], "asked-agent-data"))
    return is_fixed ? webhooks::deny(400, "BadRequest", "the volume asked-agent-data is the agent's")
                    : webhooks::allow();
  Value agent = container("asked-agent", "agent:1");
  agent.edit("volumeMounts").push_back({{"name", "asked-agent-data"}, {"mountPath", "/asked-agent"}});
  return changed(call, [&](Value& pod) {
    pod.edit("spec").edit("volumes").push_back(empty_volume("asked-agent-data"));
    pod.edit("spec").edit("containers").push_back(agent);
  });
}

/// Writes the password of the account's Secret into the Pod.
Answer password_in_clear(const Call& call, bool is_fixed) {
  const Value* secret = call.cluster.find("Secret", call.request.namespace_name, kAccountSecret);
  if (secret == nullptr || has_container(call.object, "account-agent")) return webhooks::allow();
  const auto password = document::decode_base64((*secret)["data"]["password"].text());
  if (!password || password->empty()) return webhooks::allow();
  Value agent = container("account-agent", "agent:1");
  if (is_fixed)
    agent.edit("env").push_back(
        {{"name", "PASSWORD"},
         {"valueFrom", {{"secretKeyRef", {{"name", kAccountSecret}, {"key", "password"}}}}}});
  else
    agent.edit("env").push_back(env("PASSWORD", *password));
  return changed(call, [&](Value& pod) { pod.edit("spec").edit("containers").push_back(agent); });
}

/// Redirects the traffic of a Pod, which must have a network of its own.
Answer rules_of_the_node(const Call& call, bool is_fixed) {
  const Value* space = call.cluster.find("Namespace", "", call.request.namespace_name);
  const bool has_level =
      space != nullptr && !(*space)["metadata"]["labels"]["pod-security.kubernetes.io/enforce"].is_null();
  if (has_level) return webhooks::allow();  // such a container would be refused
  const bool is_of_node = call.object["spec"]["hostNetwork"].is_true();
  if ((is_fixed && is_of_node) || has_container(call.object, "redirect")) return webhooks::allow();
  Value redirect = container("redirect", "redirect:1");
  redirect.edit("securityContext").edit("capabilities").edit("add").push_back("NET_ADMIN");
  return changed(call, [&](Value& pod) { pod.edit("spec").edit("initContainers").push_back(redirect); });
}

/// Adds an agent that runs as long as its Pod, which may be one that is to end.
Answer sidecar_outlives_a_job(const Call& call, bool is_fixed) {
  const std::string_view policy = call.object["spec"]["restartPolicy"].text();
  const bool is_to_end = policy == "Never" || policy == "OnFailure";
  if ((is_fixed && is_to_end) || has_container(call.object, "forever")) return webhooks::allow();
  return changed(call, [](Value& pod) {
    pod.edit("spec").edit("containers").push_back(container("forever", "forever:1"));
  });
}

void with_account(runner::Subject& subject) {
  subject.objects.push_back({{"apiVersion", "v1"},
                             {"kind", "Secret"},
                             {"metadata", {{"name", kAccountSecret}, {"namespace", "default"}}},
                             {"data", {{"password", document::encode_base64("correct-horse-battery")}}}});
}

void asked(runner::Subject& subject) {
  subject.vocabulary.add_common(runner::Trigger::Where::annotation, {{kInject, {"true", "false"}}});
}

constexpr Defect kUnseenDefects[] = {
    {"user-without-a-say", "Gives an init container user 0 and not the leave to be root.", "kubelet-starts",
     smallest_user, no_setup},
    {"probe-of-unknown-port", "Probes a port by a name that its container does not declare.",
     "kubelet-starts", probe_by_name, no_setup},
    {"waits-for-later-sidecar", "Waits in an init container for a sidecar that starts after it.",
     "kubelet-starts", waits_for_sidecar, no_setup},
    {"cache-never-written", "Mounts its empty volume read-only in every container.", "kubelet-starts",
     shares_read_only, no_setup},
    {"silent-on-taken-name", "Does nothing for a Pod that asks for it and has a volume of the name.",
     "asked-not-done", silent_on_taken_name, asked},
    {"rules-of-the-node", "Adds its init container for network rules to Pods with hostNetwork, too.",
     "network-of-node", rules_of_the_node, no_setup},
    {"sidecar-outlives-a-job", "Adds a container that never ends to Pods of Jobs.", "outlives-its-pod",
     sidecar_outlives_a_job,
     [](runner::Subject& subject) {
       subject.vocabulary.add_common(runner::Trigger::Where::field, {{"spec.restartPolicy", {R"("Never")"}}});
     }},
    {"password-in-clear", "Writes the value of a Secret into a variable.", "secrets-hidden",
     password_in_clear, with_account},
};

}  // namespace

std::span<const Defect> unseen_defects() { return kUnseenDefects; }

}  // namespace fixpoint::injectors::defects
