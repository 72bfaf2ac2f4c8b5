#include "injectors/defects/defect_helpers.h"
#include "injectors/defects/defects.h"

namespace fixpoint::injectors::defects {

namespace {

// Each of these webhooks appends something on every call; the fixed variant first checks if it exists
// already.

Answer env_without_guard(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    for_each_container(pod, [&](Value& one) {
      if (is_fixed && has_named(one["env"], "AGENT_MODE")) return;
      one.edit("env").push_back(env("AGENT_MODE", "on"));
    });
  });
}

Answer volume_without_guard(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    if (is_fixed && has_named(pod["spec"]["volumes"], "agent-data")) return;
    pod.edit("spec").edit("volumes").push_back(empty_volume("agent-data"));
  });
}

Answer mount_without_guard(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    if (is_fixed) return mount_everywhere(pod, "agent-data", "/var/agent");
    if (!has_named(pod["spec"]["volumes"], "agent-data"))
      pod.edit("spec").edit("volumes").push_back(empty_volume("agent-data"));
    for_each_container(pod, [&](Value& one) {
      one.edit("volumeMounts").push_back({{"name", "agent-data"}, {"mountPath", "/var/agent"}});
    });
  });
}

bool has_port(const Value& container, std::string_view name, std::string_view number) {
  for (const Value& port : container["ports"].elements()) {
    if (port["name"].text() == name) return true;
    if (port["containerPort"].text() == number && port["protocol"].text() == "TCP") return true;
  }
  return false;
}

/// Leaves Pods with hostNetwork unchanged, because all of their ports are the node's.
Answer port_without_guard(const Call& call, bool is_fixed) {
  if (call.object["spec"]["hostNetwork"].is_true()) return webhooks::allow();
  return changed(call, [&](Value& pod) {
    for_each_container(pod, [&](Value& one) {
      if (is_fixed && has_port(one, "agent-metrics", "15090")) return;
      one.edit("ports").push_back({{"name", "agent-metrics"}, {"containerPort", 15090}, {"protocol", "TCP"}});
    });
  });
}

Answer container_without_guard(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    if (is_fixed && has_container(pod, "agent")) return;
    pod.edit("spec").edit("containers").push_back(container("agent", "agent:1"));
  });
}

Answer init_container_without_guard(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    if (is_fixed && has_container(pod, "agent-init")) return;
    pod.edit("spec").edit("initContainers").push_back(container("agent-init", "agent:1"));
  });
}

Answer toleration_without_guard(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    for (const Value& one : pod["spec"]["tolerations"].elements()) {
      if (is_fixed && one["key"].text() == "spot") return;
    }
    pod.edit("spec").edit("tolerations").push_back({{"key", "spot"}, {"operator", "Exists"}});
  });
}

/// Asks for privileges that its step does not need, which a namespace of the level baseline does not admit.
Answer privileged_setup(const Call& call, bool is_fixed) {
  const Value& spec = call.object["spec"];
  if (spec["os"]["name"].text() == "windows" || has_container(call.object, "agent-setup"))
    return webhooks::allow();
  return changed(call, [&](Value& pod) {
    Value setup = container("agent-setup", "agent:1");
    if (!is_fixed) setup.set("securityContext", {{"privileged", true}});
    pod.edit("spec").edit("initContainers").push_back(std::move(setup));
  });
}

void words(runner::Subject& subject) {
  subject.vocabulary.names[runner::NameKind::env] = {"AGENT_MODE"};
  subject.vocabulary.names[runner::NameKind::volume] = {"agent-data"};
  subject.vocabulary.names[runner::NameKind::mount_path] = {"/var/agent"};
  subject.vocabulary.names[runner::NameKind::port_name] = {"agent-metrics"};
  subject.vocabulary.names[runner::NameKind::port] = {15090};
  subject.vocabulary.names[runner::NameKind::container] = {"agent"};
  subject.vocabulary.names[runner::NameKind::init_container] = {"agent-init"};
}

constexpr Defect kAppendDefects[] = {
    {"env-without-guard", "Appends an env entry to every container on every call.", "no-duplicate-names",
     env_without_guard, words},
    {"volume-without-guard", "Appends a volume on every call.", "no-duplicate-names", volume_without_guard,
     words},
    {"mount-without-guard", "Mounts its volume again on every call.", "no-duplicate-names",
     mount_without_guard, words},
    {"port-without-guard", "Appends a port to every container on every call.", "no-duplicate-names",
     port_without_guard, words},
    {"container-without-guard", "Appends a sidecar on every call.", "no-duplicate-names",
     container_without_guard, words},
    {"init-container-without-guard", "Appends an init container on every call.", "no-duplicate-names",
     init_container_without_guard, words},
    {"toleration-without-guard", "Appends a toleration on every call.", "bounded-growth",
     toleration_without_guard, words},
    {"privileged-setup", "Adds an init container that asks for privileges.", "admitted-by-cluster",
     privileged_setup,
     [](runner::Subject& subject) {
       subject.vocabulary.names[runner::NameKind::init_container] = {"agent-setup"};
     }},
};

}  // namespace

std::span<const Defect> append_defects() { return kAppendDefects; }

}  // namespace fixpoint::injectors::defects
