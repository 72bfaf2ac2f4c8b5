#include "injectors/defects/defect_helpers.h"
#include "injectors/defects/defects.h"

namespace fixpoint::injectors::defects {

namespace {

// In these webhooks a guard exists but tests the wrong thing.

/// Tests only for the volume: containers that are added later get no mount.
Answer early_return(const Call& call, bool is_fixed) {
  if (!is_fixed && has_named(call.object["spec"]["volumes"], "identity-token")) return webhooks::allow();
  return changed(call, [](Value& pod) { mount_everywhere(pod, "identity-token", "/var/run/identity"); });
}

/// Searches the regular containers, where a native sidecar is not listed.
Answer containers_only(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    if (is_fixed ? has_container(pod, "mesh") : has_named(pod["spec"]["containers"], "mesh")) return;
    Value sidecar = container("mesh", "mesh:1");
    sidecar.set("restartPolicy", "Always");
    pod.edit("spec").edit("initContainers").push_back(std::move(sidecar));
  });
}

/// Tests only the first container, although a neighbour may have inserted another one before it.
Answer first_only(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    const Value& first = pod["spec"]["initContainers"].at(0);
    if (is_fixed ? has_container(pod, "net-setup") : first["name"].text() == "net-setup") return;
    auto& containers = pod.edit("spec").edit("initContainers").edit_elements();
    containers.insert(containers.begin(), container("net-setup", "net:1"));
  });
}

Answer by_image(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    for (const Value& one : pod["spec"]["containers"].elements()) {
      if (!is_fixed && one["image"].text().find("proxyd") != std::string_view::npos) return;
    }
    if (has_container(pod, "proxyd")) return;
    pod.edit("spec").edit("containers").push_back(container("proxyd", "mesh/proxyd:1"));
  });
}

/// Writes the status under the configured prefix, and reads it under the default one.
Answer other_prefix(const Call& call, bool is_fixed) {
  constexpr const char* kDefault = "inject.example.io/status";
  constexpr const char* kConfigured = "inject.defects.example.io/status";
  constexpr const char* kHistory = "inject.defects.example.io/history";
  const Value& annotations = call.object["metadata"]["annotations"];
  if (!annotations[is_fixed ? kConfigured : kDefault].is_null()) return webhooks::allow();
  return changed(call, [&](Value& pod) {
    Value& edited = pod.edit("metadata").edit("annotations");
    const std::string before(annotations[kHistory].text());
    edited.set(kHistory, before + "injected;");
    edited.set(kConfigured, "injected");
  });
}

/// Derives the volume's name from the Pod's: after a change of that name, the volume is not recognised.
Answer hashed_name(const Call& call, bool is_fixed) {
  std::string volume = "token-store";
  if (!is_fixed) {
    std::uint32_t hash = 2166136261U;
    for (const char letter : call.object["metadata"]["name"].text())
      hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
    volume.append("-").append(std::to_string(hash));
  }
  return changed(call, [&](Value& pod) {
    if (is_fixed) return mount_everywhere(pod, volume, "/var/run/store");
    if (has_named(pod["spec"]["volumes"], volume)) return;
    pod.edit("spec").edit("volumes").push_back(empty_volume(volume));
    for_each_container(pod, [&](Value& one) {
      one.edit("volumeMounts").push_back({{"name", volume}, {"mountPath", "/var/run/store"}});
    });
  });
}

/// Keeps the user's own image of the sidecar in the first call, and replaces it in the second.
Answer override_lost(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    const bool is_again = !pod["metadata"]["annotations"][kStatus].is_null();
    pod.edit("metadata").edit("annotations").set(kStatus, "injected");
    for (std::size_t i = 0; i < pod["spec"]["containers"].size(); ++i) {
      if (pod["spec"]["containers"].at(i)["name"].text() != "override") continue;
      if (is_again && !is_fixed) pod.edit("spec").edit("containers").edit(i).set("image", "override:1");
    }
    if (!has_container(pod, "override"))
      pod.edit("spec").edit("containers").push_back(container("override", "override:1"));
  });
}

/// Promises to be first, and ensures it only in the first call.
Answer first_once(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    if (!is_fixed && has_container(pod, "net-first")) return;
    if (has_named(pod["spec"]["containers"], "net-first")) return;
    auto& containers = pod.edit("spec").edit("initContainers").edit_elements();
    Value own = container("net-first", "net:1");
    for (auto one = containers.begin(); one != containers.end(); ++one) {
      if ((*one)["name"].text() != "net-first") continue;
      own = *one;
      containers.erase(one);
      break;
    }
    containers.insert(containers.begin(), std::move(own));
  });
}

/// Puts the container of both webhooks of the configuration before all others.
Answer both_first(const Call& call, bool is_fixed) {
  const bool is_second = call.webhook.ends_with("second.defects.example.io");
  const char* name = is_second ? "lead-two" : "lead-one";
  return changed(call, [&](Value& pod) {
    if (has_named(pod["spec"]["initContainers"], name)) return;
    auto& containers = pod.edit("spec").edit("containers").edit_elements();
    Value own = container(name, "lead:1");
    for (auto one = containers.begin(); one != containers.end(); ++one) {
      if ((*one)["name"].text() != name) continue;
      if (is_second && is_fixed) return;
      own = *one;
      containers.erase(one);
      break;
    }
    containers.insert(containers.begin(), std::move(own));
  });
}

void volume_words(runner::Subject& subject) {
  subject.vocabulary.names[runner::NameKind::volume] = {"identity-token", "token-store"};
  subject.vocabulary.names[runner::NameKind::mount_path] = {"/var/run/identity", "/var/run/store"};
}
void container_words(runner::Subject& subject) {
  subject.vocabulary.names[runner::NameKind::container] = {"mesh", "proxyd"};
  subject.vocabulary.names[runner::NameKind::init_container] = {"net-setup", "mesh"};
}

void two_webhooks(runner::Subject& subject) {
  Value second = subject.configuration["webhooks"].at(0);
  second.set("name", "second.defects.example.io");
  const std::string configuration(subject.configuration["metadata"]["name"].text());
  subject.configuration.edit("webhooks").push_back(std::move(second));
  subject.webhooks.emplace(configuration + "/second.defects.example.io", cases::InjectorName{subject.name});
}

constexpr Defect kGuardDefects[] = {
    {"guard-on-one-thing", "Concludes from its volume that all containers have their mount.",
     "reinvocation-complete", early_return, volume_words},
    {"guard-looks-at-containers-only", "Looks for its native sidecar among the regular containers.",
     "no-duplicate-names", containers_only, container_words},
    {"guard-looks-at-first-only", "Recognises its init container only at index 0.", "reinvocation-valid",
     first_only, container_words},
    {"guard-by-image-substring", "Recognises the proxy by a substring of the image.", "request-context",
     by_image, container_words},
    {"guard-under-another-key", "Writes its status under one prefix and reads it under another.",
     "idempotent", other_prefix,
     [](runner::Subject& subject) {
       owns(subject, {"metadata.annotations[inject.defects.example.io/history]"});
     }},
    {"volume-named-by-hash", "Names its volume by a hash of the Pod's name.", "idempotent", hashed_name,
     volume_words},
    {"override-lost", "Keeps the user's image of its sidecar at the first call only.", "idempotent",
     override_lost,
     [](runner::Subject& subject) { subject.vocabulary.names[runner::NameKind::container] = {"override"}; }},
    {"first-at-first-call-only", "Promises that its init container is first, and puts it first only once.",
     "order-independent", first_once,
     [](runner::Subject& subject) {
       subject.vocabulary.names[runner::NameKind::init_container] = {"net-first"};
       promises(subject, {{"initContainers", {{"net-first", "first"}}}});
     }},
    {"two-insist-on-first", "Two webhooks each put their container in front of the other's.", "converges",
     both_first, two_webhooks},
};

}  // namespace

std::span<const Defect> guard_defects() { return kGuardDefects; }

}  // namespace fixpoint::injectors::defects
