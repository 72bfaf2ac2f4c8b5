#include <algorithm>

#include "injectors/defects/defect_helpers.h"
#include "injectors/defects/defects.h"

namespace fixpoint::injectors::defects {

namespace {

// Defects in changing the user's containers.

constexpr int kAgentPort = 15020;
constexpr std::string_view kAgentPrefix = "/agent";

struct Rewriting {
  bool knows_own = true;       ///< a probe that already calls the agent is left alone
  bool knows_all = true;       ///< also startup probes and grpc handlers
  bool resolves_names = true;  ///< a named port becomes the container's number for it
};

/// Returns the number of a named port; the port itself if it is a number; null if the container has no port
/// of that name.
Value port_number(const Value& container, const Value& port) {
  if (!port.is_string()) return port;
  for (const Value& one : container["ports"].elements()) {
    if (one["name"].text() == port.text()) return one["containerPort"];
  }
  return {};
}

void rewrite_probe(Value& container, const char* kind, const Rewriting& how) {
  const Value& probe = container[Name(kind)];
  for (const char* handler : {"httpGet", "tcpSocket", "grpc"}) {
    const Value& asks = probe[Name(handler)];
    if (!asks.is_object() || (!how.knows_all && handler[0] == 'g')) continue;
    const bool is_http = handler[0] == 'h';
    const std::string path(is_http ? asks["path"].text() : "/");
    if (how.knows_own && is_http && path.starts_with(kAgentPrefix)) return;
    const Value port = how.resolves_names ? port_number(container, asks["port"]) : asks["port"];
    if (port.is_null()) return;
    Value rewritten = probe;
    rewritten.remove(Name(handler));
    rewritten.set("httpGet",
                  {{"path", std::string(kAgentPrefix).append("/").append(port.text()).append(path)},
                   {"port", kAgentPort},
                   {"scheme", "HTTP"}});
    container.set(Name(kind), std::move(rewritten));
    return;
  }
}

Answer rewrite_probes(const Call& call, const Rewriting& how) {
  return changed(call, [&](Value& pod) {
    for_each_container(pod, [&](Value& one) {
      for (const char* kind : {"livenessProbe", "readinessProbe", "startupProbe"}) {
        if (how.knows_all || kind[0] != 's') rewrite_probe(one, kind, how);
      }
    });
  });
}

Answer probe_twice(const Call& call, bool is_fixed) { return rewrite_probes(call, {.knows_own = is_fixed}); }
Answer probes_ignored(const Call& call, bool is_fixed) {
  return rewrite_probes(call, {.knows_all = is_fixed});
}
Answer port_unresolved(const Call& call, bool is_fixed) {
  return rewrite_probes(call, {.resolves_names = is_fixed});
}

Answer image_prefix(const Call& call, bool is_fixed) {
  constexpr std::string_view kMirror = "mirror.example/";
  return changed(call, [&](Value& pod) {
    for_all_containers(pod, [&](Value& one) {
      const std::string image(one["image"].text());
      if (image.empty() || (is_fixed && image.starts_with(kMirror))) return;
      one.set("image", std::string(kMirror) + image);
    });
  });
}

/// Cuts the image at its first colon, which may be the one in front of a port.
Answer image_cut(const Call& call, bool is_fixed) {
  constexpr std::string_view kMirror = "mirror.example/";
  return changed(call, [&](Value& pod) {
    for_all_containers(pod, [&](Value& one) {
      const std::string image(one["image"].text());
      if (image.empty() || image.starts_with(kMirror)) return;
      const auto first = image.find(':'), last = image.rfind(':');
      const bool is_cut = !is_fixed && first != last;
      one.set("image", std::string(kMirror) + (is_cut ? image.substr(0, first) + image.substr(last) : image));
    });
  });
}

/// Prefixes the images of the containers, and of the init containers if it is fixed.
Answer images_of_containers(const Call& call, bool is_fixed) {
  constexpr std::string_view kMirror = "mirror.example/";
  return changed(call, [&](Value& pod) {
    const auto mirror = [&](Value& one) {
      const std::string image(one["image"].text());
      if (!image.empty() && !image.starts_with(kMirror)) one.set("image", std::string(kMirror) + image);
    };
    if (is_fixed) return for_all_containers(pod, mirror);
    for_each_container(pod, mirror);
  });
}

constexpr const char* kDevice = "example.com/device";

bool asks_for_device(const Value& container) {
  return container["resources"]["limits"].find(Name(kDevice)) != nullptr;
}

/// Names the devices in the containers that ask for one, and in the init containers if it is fixed.
Answer devices_of_containers(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    const auto name = [](Value& one) {
      if (asks_for_device(one) && !has_named(one["env"], "DEVICES"))
        one.edit("env").push_back(env("DEVICES", "all"));
    };
    if (is_fixed) return for_all_containers(pod, name);
    for_each_container(pod, name);
  });
}

/// Gives the Pods that ask for a device their scheduler, those whose init containers do if it is fixed.
Answer scheduler_of_devices(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    for (const char* list : {"containers", "initContainers"}) {
      const auto all = pod["spec"][Name(list)].elements();
      const bool is_asked = std::ranges::any_of(all, asks_for_device) && (is_fixed || list[0] == 'c');
      if (is_asked && pod["spec"]["schedulerName"].text() == "default-scheduler")
        pod.edit("spec").set("schedulerName", "device-scheduler");
    }
  });
}

/// Lets all containers write to their own files, as its own program in them does.
Answer restriction_lifted(const Call& call, bool is_fixed) {
  constexpr const char* kSwitch = "readOnlyRootFilesystem";
  return changed(call, [&](Value& pod) {
    for_each_container(pod, [&](Value& one) {
      if (is_fixed && !one["securityContext"][Name(kSwitch)].is_null()) return;
      one.edit("securityContext").set(Name(kSwitch), false);
    });
  });
}

/// Sets the JVM's options, which the user may have set, too.
Answer options_replaced(const Call& call, bool is_fixed) {
  constexpr const char* kOptions = "JAVA_TOOL_OPTIONS";
  constexpr const char* kOwn = "-javaagent:/agent.jar";
  return changed(call, [&](Value& pod) {
    for_each_container(pod, [&](Value& one) {
      if (!has_named(one["env"], kOptions)) return one.edit("env").push_back(env(kOptions, kOwn));
      for (Value& entry : one.edit("env").edit_elements()) {
        const std::string had(entry["value"].text());
        const bool is_users = entry["name"].text() == kOptions && entry["valueFrom"].is_null();
        if (!is_users || had.find(kOwn) != std::string::npos) continue;
        entry.set("value", is_fixed && !had.empty() ? had + " " + kOwn : std::string(kOwn));
      }
    });
  });
}

Answer command_wrapped(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    for_each_container(pod, [&](Value& one) {
      if (one["command"].empty()) return;
      if (is_fixed && one["command"].at(0).text() == "/agent/run") return;
      auto& command = one.edit("command").edit_elements();
      command.insert(command.begin(), "--");
      command.insert(command.begin(), "/agent/run");
    });
  });
}

Answer empty_command(const Call& call, bool is_fixed) {
  for (const Value& one : call.object["spec"]["containers"].elements()) {
    if (!is_fixed && one["command"].empty())
      return webhooks::fail("panic: runtime error: index out of range [0] with length 0");
  }
  return command_wrapped(call, true);
}

Answer first_container(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    if (is_fixed) {
      return for_each_container(pod, [](Value& one) {
        if (!has_named(one["env"], "TRACED")) one.edit("env").push_back(env("TRACED", "yes"));
      });
    }
    const Value& containers = pod["spec"]["containers"];
    if (!containers.empty() && !has_named(containers.at(0)["env"], "TRACED"))
      pod.edit("spec").edit("containers").edit(0).edit("env").push_back(env("TRACED", "yes"));
  });
}

/// Names a file in a variable of every container, and mounts it into the regular ones.
Answer variables_without_mounts(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    bool is_mounted = false;
    for (const char* list : {"initContainers", "containers"}) {
      for (std::size_t i = 0; i < pod["spec"][Name(list)].size(); ++i) {
        Value& one = pod.edit("spec").edit(Name(list)).edit(i);
        if (has_named(one["env"], "AGENT_CA") || !wants_mount(one, "agent-ca", "/agent")) continue;
        one.edit("env").push_back(env("AGENT_CA", "/agent/ca.crt"));
        is_mounted = true;
        if (is_fixed || list[0] == 'c')
          one.edit("volumeMounts").push_back({{"name", "agent-ca"}, {"mountPath", "/agent"}});
      }
    }
    if (is_mounted && !has_named(pod["spec"]["volumes"], "agent-ca"))
      pod.edit("spec").edit("volumes").push_back(empty_volume("agent-ca"));
  });
}

/// Sets a request that may exceed the user's limit, which the API server refuses. An absent request defaults
/// to the limit.
Answer large_request(const Call& call, bool is_fixed) {
  if (!call.object["spec"]["resources"].empty()) return webhooks::allow();
  return changed(call, [&](Value& pod) {
    for_each_container(pod, [&](Value& one) {
      const Value& resources = one["resources"];
      if (is_fixed && !(resources["requests"]["cpu"].is_null() && resources["limits"]["cpu"].is_null()))
        return;
      one.edit("resources").edit("requests").set("cpu", "4");
    });
  });
}

/// Adds an entry that refers to another one, which is defined later.
Answer env_used_early(const Call& call, bool is_fixed) {
  const Value host = env("AGENT_HOST", "localhost"), url = env("AGENT_URL", "http://$(AGENT_HOST):80");
  return changed(call, [&](Value& pod) {
    for_each_container(pod, [&](Value& one) {
      if (has_named(one["env"], "AGENT_HOST") || has_named(one["env"], "AGENT_URL")) return;
      Value& entries = one.edit("env");
      entries.push_back(is_fixed ? host : url);
      entries.push_back(is_fixed ? url : host);
    });
  });
}

Answer env_sorted(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    for_each_container(pod, [&](Value& one) {
      if (has_named(one["env"], "HTTPS_PROXY")) return;
      auto& entries = one.edit("env").edit_elements();
      entries.push_back(env("HTTPS_PROXY", "http://proxy.example:3128"));
      if (is_fixed) return;
      std::stable_sort(entries.begin(), entries.end(),
                       [](const Value& a, const Value& b) { return a["name"].text() < b["name"].text(); });
    });
  });
}

/// Merges a UDP port into the list as a strategic merge does whose key is only the number: the user's TCP
/// port of that number becomes a UDP port.
void merge_port(Value& container, int number, bool by_protocol) {
  for (std::size_t i = 0; i < container["ports"].size(); ++i) {
    const Value& port = container["ports"].at(i);
    const bool is_udp = port["protocol"].text() == "UDP";
    if (port["containerPort"].text() != std::to_string(number) || (by_protocol && !is_udp)) continue;
    if (!is_udp) container.edit("ports").edit(i).set("protocol", "UDP");
    return;
  }
  container.edit("ports").push_back({{"containerPort", number}, {"protocol", "UDP"}});
}

/// Leaves Pods with hostNetwork unchanged, because all of their ports are the node's.
Answer ports_merged(const Call& call, bool is_fixed) {
  if (call.object["spec"]["hostNetwork"].is_true()) return webhooks::allow();
  return changed(call, [&](Value& pod) {
    for_each_container(pod, [&](Value& one) {
      for (const int number : {8080, 9090, 8012}) merge_port(one, number, is_fixed);
    });
  });
}

void probe_owner(runner::Subject& subject) {
  owns(subject, {"spec.containers[*].livenessProbe", "spec.containers[*].readinessProbe",
                 "spec.containers[*].startupProbe", "spec.initContainers[*].livenessProbe",
                 "spec.initContainers[*].readinessProbe", "spec.initContainers[*].startupProbe"});
}
void image_owner(runner::Subject& subject) {
  owns(subject, {"spec.containers[*].image", "spec.initContainers[*].image"});
}
void env_words(runner::Subject& subject) {
  subject.vocabulary.names[runner::NameKind::env] = {"AGENT_HOST", "AGENT_URL", "HTTPS_PROXY", "TRACED"};
}

void forbids_writing(runner::Subject& subject) {
  subject.vocabulary.add_common(runner::Trigger::Where::field,
                                {{"spec.containers[*].securityContext.readOnlyRootFilesystem", {"true"}}});
}

void device_words(runner::Subject& subject) {
  subject.vocabulary.add_common(runner::Trigger::Where::field,
                                {{"spec.containers[*].resources.limits['example.com/device']", {R"("1")"}}});
}

constexpr Defect kTreatmentDefects[] = {
    {"probe-rewritten-twice", "Rewrites a probe that already calls its agent.", "idempotent", probe_twice,
     probe_owner},
    {"probes-ignored", "Rewrites neither startup probes nor grpc handlers.", "covers-all-containers",
     probes_ignored, probe_owner},
    {"named-port-not-resolved", "Writes a port's name where the number is needed.", "covers-all-containers",
     port_unresolved, probe_owner},
    {"image-prefix-doubled", "Prefixes an image with the mirror that it already has.", "bounded-growth",
     image_prefix, image_owner},
    {"image-cut-at-colon", "Loses the path of an image whose registry has a port.", "image-cut", image_cut,
     image_owner},
    {"options-replaced", "Sets the options of the JVM without those of the user.", "preserves-others",
     options_replaced,
     [](runner::Subject& subject) {
       subject.vocabulary.names[runner::NameKind::env] = {"JAVA_TOOL_OPTIONS"};
     }},
    {"restriction-lifted", "Lets containers write that their author forbade to.", "preserves-others",
     restriction_lifted, forbids_writing},
    {"command-wrapped-twice", "Wraps a command that is wrapped already.", "idempotent", command_wrapped,
     no_setup},
    {"panic-on-empty-command", "Reads the first word of an absent command.", "protocol", empty_command,
     no_setup},
    {"variables-without-mounts", "Names a file in init containers that it does not mount there.",
     "covers-all-containers", variables_without_mounts, no_setup},
    {"images-of-init-containers-left", "Rewrites the images of regular containers alone.",
     "covers-all-containers", images_of_containers, image_owner},
    {"devices-of-init-containers-left", "Names the devices in the regular containers that ask for one.",
     "covers-all-containers", devices_of_containers, device_words},
    {"scheduler-for-containers-alone", "Gives Pods whose init containers ask for a device no scheduler.",
     "asked-done", scheduler_of_devices, device_words},
    {"first-container-assumed", "Assumes that the container at index 0 is the user's.", "order-independent",
     first_container, env_words},
    {"request-above-limit", "Asks for more than the container's limit.", "valid-spec", large_request,
     no_setup},
    {"env-used-before-defined", "Adds an entry in front of the one it refers to.", "preserves-order",
     env_used_early, env_words},
    {"user-env-reordered", "Sorts the user's env.", "preserves-order", env_sorted, env_words},
    {"ports-merged-by-number", "Treats a TCP and a UDP port with the same number as one.", "preserves-others",
     ports_merged,
     [](runner::Subject& subject) { subject.vocabulary.names[runner::NameKind::port] = {8080, 9090, 8012}; }},
};

}  // namespace

std::span<const Defect> treatment_defects() { return kTreatmentDefects; }

}  // namespace fixpoint::injectors::defects
