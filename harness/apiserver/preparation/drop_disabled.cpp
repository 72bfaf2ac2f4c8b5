#include "harness/apiserver/preparation/drop_disabled.h"

#include <algorithm>
#include <string>
#include <utility>

#include "harness/apiserver/validation/context.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver::validation {

namespace {

using document::Value;

constexpr Name kLists[] = {"containers", "initContainers", "ephemeralContainers"};
constexpr Name kAffinityLists[] = {"requiredDuringSchedulingIgnoredDuringExecution",
                                   "preferredDuringSchedulingIgnoredDuringExecution"};

/// Applies `change(Value&)` to each element; unchanged elements stay shared.
template <class Change>
void edit_each(Value& owner, const Name& list, Change change) {
  const Value elements = owner[list];
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Value element = elements.at(i);
    change(element);
    if (!element.same(elements.at(i))) owner.edit(list).edit(i) = std::move(element);
  }
}

template <class Change>
void edit_member(Value& owner, const Name& name, Change change) {
  if (owner[name].is_null()) return;
  Value member = owner[name];
  change(member);
  if (!member.same(owner[name])) owner.set(name, std::move(member));
}

template <class Change>
void edit_containers(Value& spec, Change change) {
  for (const Name& list : kLists) edit_each(spec, list, change);
}

template <class Test>
bool any_element(const Value& list, Test test) {
  return std::any_of(list.elements().begin(), list.elements().end(), test);
}

template <class Test>
bool any_container(const Value& spec, Test test) {
  return std::any_of(std::begin(kLists), std::end(kLists),
                     [&](const Name& list) { return any_element(spec[list], test); });
}

const Value& security_of(const Value& spec) { return spec["securityContext"]; }

/// A member of spec, or of its security context.
template <const Name& kName>
bool uses_member(const Value& spec) {
  return !spec[kName].is_null();
}
template <const Name& kName>
void drop_member(Value& spec) {
  spec.remove(kName);
}
template <const Name& kName>
bool uses_security(const Value& spec) {
  return !security_of(spec)[kName].is_null();
}
template <const Name& kName>
void drop_security(Value& spec) {
  edit_member(spec, "securityContext", [](Value& security) { security.remove(kName); });
}

constexpr Name kHostUsers("hostUsers"), kHostnameOverride("hostnameOverride"),
    kSchedulingGroup("schedulingGroup"), kWorkloadRef("workloadRef"),
    kGroupsPolicy("supplementalGroupsPolicy"), kSelinux("seLinuxChangePolicy"),
    kTrustBundle("clusterTrustBundle"), kPodCertificate("podCertificate");

bool uses_pod_resources(const Value& spec) {
  return !spec["resources"]["limits"].empty() || !spec["resources"]["requests"].empty();
}
void drop_pod_resources(Value& spec) { spec.remove("resources"); }

bool uses_proc_mount(const Value& spec) {
  return any_container(spec, [](const Value& container) {
    const Value& mount = container["securityContext"]["procMount"];
    return !mount.is_null() && mount.text() != "Default";
  });
}
void drop_proc_mount(Value& spec) {
  edit_containers(spec, [](Value& container) {
    edit_member(container, "securityContext", [](Value& security) {
      const Value& mount = security["procMount"];
      if (!mount.is_null() && mount.text() != "Default") security.set("procMount", "Default");
    });
  });
}

void edit_pod_terms(Value& spec, void (*change)(Value& term)) {
  edit_member(spec, "affinity", [&](Value& affinity) {
    static constexpr Name kNames[] = {"podAffinity", "podAntiAffinity"};
    for (const Name& kind : kNames) {
      edit_member(affinity, kind, [&](Value& terms) {
        edit_each(terms, kAffinityLists[0], change);
        edit_each(terms, kAffinityLists[1],
                  [&](Value& term) { edit_member(term, "podAffinityTerm", change); });
      });
    }
  });
}
void drop_label_keys(Value& term) { term.remove("matchLabelKeys"), term.remove("mismatchLabelKeys"); }
bool uses_label_keys(const Value& spec) {
  Value copy = spec;
  edit_pod_terms(copy, drop_label_keys);
  return !copy.same(spec);
}
void drop_affinity_keys(Value& spec) { edit_pod_terms(spec, drop_label_keys); }

bool uses_resource_claims(const Value& spec) { return !spec["resourceClaims"].empty(); }
void drop_resource_claims(Value& spec) {
  edit_containers(spec, [](Value& container) {
    edit_member(container, "resources", [](Value& resources) { resources.remove("claims"); });
  });
  spec.remove("resourceClaims");
}

template <const Name& kName>
bool uses_projection(const Value& spec) {
  return any_element(spec["volumes"], [](const Value& volume) {
    return any_element(volume["projected"]["sources"], [](const Value& s) { return !s[kName].is_null(); });
  });
}
template <const Name& kName>
void drop_projection(Value& spec) {
  if (!uses_projection<kName>(spec)) return;
  edit_each(spec, "volumes", [](Value& volume) {
    edit_member(volume, "projected", [](Value& projected) {
      edit_each(projected, "sources", [](Value& source) { source.remove(kName); });
    });
  });
}

/// Regular containers alone count (inPlacePodVerticalScalingInUse in pkg/api/pod/util.go, up to 1.32).
bool uses_resize_policy(const Value& spec) {
  return any_element(spec["containers"],
                     [](const Value& container) { return !container["resizePolicy"].empty(); });
}
void drop_resize_policy(Value& spec) {
  edit_containers(spec, [](Value& container) { container.remove("resizePolicy"); });
}

void drop_restart_rules(Value& spec) {
  edit_each(spec, "initContainers", [](Value& container) {
    if (container["restartPolicy"].text() != "Always") container.remove("restartPolicy");
    container.remove("restartPolicyRules");
  });
  static constexpr Name kNames[] = {"containers", "ephemeralContainers"};
  for (const Name& list : kNames) {
    edit_each(spec, list, [](Value& c) { c.remove("restartPolicy"), c.remove("restartPolicyRules"); });
  }
}

bool uses_recursive_mounts(const Value& spec) {
  return any_container(spec, [](const Value& container) {
    return any_element(container["volumeMounts"],
                       [](const Value& m) { return !m["recursiveReadOnly"].is_null(); });
  });
}
void drop_recursive_mounts(Value& spec) {
  edit_containers(spec, [](Value& container) {
    edit_each(container, "volumeMounts", [](Value& mount) { mount.remove("recursiveReadOnly"); });
  });
}

bool uses_file_keys(const Value& spec) {
  return any_container(spec, [](const Value& container) {
    return any_element(container["env"],
                       [](const Value& v) { return !v["valueFrom"]["fileKeyRef"].is_null(); });
  });
}
void drop_file_keys(Value& spec) {
  edit_containers(spec, [](Value& container) {
    edit_each(container, "env", [](Value& variable) {
      edit_member(variable, "valueFrom", [](Value& from) { from.remove("fileKeyRef"); });
    });
  });
}

bool uses_sleep(const Value& spec) {
  return any_container(spec, [](const Value& container) {
    const Value& lifecycle = container["lifecycle"];
    return !lifecycle["preStop"]["sleep"].is_null() || !lifecycle["postStart"]["sleep"].is_null();
  });
}
void drop_sleep(Value& spec) {
  edit_containers(spec, [](Value& container) {
    edit_member(container, "lifecycle", [](Value& lifecycle) {
      static constexpr Name kNames[] = {"preStop", "postStart"};
      for (const Name& name : kNames) {
        edit_member(lifecycle, name, [](Value& handler) { handler.remove("sleep"); });
      }
    });
  });
}

bool uses_image_volumes(const Value& spec) {
  return any_element(spec["volumes"], [](const Value& volume) { return !volume["image"].is_null(); });
}
void drop_image_volumes(Value& spec) {
  if (!uses_image_volumes(spec)) return;
  Names names;
  const Value volumes = spec["volumes"];
  const auto is_image = [](const Value& volume) { return !volume["image"].is_null(); };
  for (const Value& volume : volumes.elements()) {
    if (is_image(volume)) names.insert(volume["name"].text());
  }
  erase_if(spec.edit("volumes").edit_elements(), is_image);
  if (spec["volumes"].empty()) spec.remove("volumes");
  const auto is_mount = [&](const Value& mount) { return names.contains(mount["name"].text()); };
  edit_containers(spec, [&](Value& container) {
    if (!any_element(container["volumeMounts"], is_mount)) return;
    erase_if(container.edit("volumeMounts").edit_elements(), is_mount);
    if (container["volumeMounts"].empty()) container.remove("volumeMounts");
  });
}

bool uses_stop_signal(const Value& spec) {
  return any_container(spec, [](const Value& c) { return !c["lifecycle"]["stopSignal"].is_null(); });
}
void drop_stop_signal(Value& spec) {
  if (!uses_stop_signal(spec)) return;
  edit_containers(spec, [](Value& container) {
    if (container["lifecycle"]["stopSignal"].is_null()) return;
    container.edit("lifecycle").remove("stopSignal");
    if (container["lifecycle"].empty()) container.remove("lifecycle");
  });
}

struct Row {
  int since;  ///< the first minor in which the gate is on
  bool (*is_used)(const Value& spec);
  void (*drop)(Value& spec);
};
constexpr Row kRows[] = {
    {gate::kUserNamespaces, uses_member<kHostUsers>, drop_member<kHostUsers>},
    {gate::kSupplementalGroupsPolicy, uses_security<kGroupsPolicy>, drop_security<kGroupsPolicy>},
    {gate::kPodLevelResources, uses_pod_resources, drop_pod_resources},
    {gate::kProcMount, uses_proc_mount, drop_proc_mount},
    {gate::kMatchLabelKeysInPodAffinity, uses_label_keys, drop_affinity_keys},
    {gate::kDynamicResources, uses_resource_claims, drop_resource_claims},
    {gate::kNever, uses_projection<kTrustBundle>, drop_projection<kTrustBundle>},
    {gate::kNever, uses_projection<kPodCertificate>, drop_projection<kPodCertificate>},
    {gate::kNever, uses_member<kSchedulingGroup>, drop_member<kSchedulingGroup>},
    {gate::kNever, uses_member<kWorkloadRef>, drop_member<kWorkloadRef>},
    {gate::kInPlaceResize, uses_resize_policy, drop_resize_policy},
    {gate::kRecursiveReadOnlyMounts, uses_recursive_mounts, drop_recursive_mounts},
    {gate::kHostnameOverride, uses_member<kHostnameOverride>, drop_member<kHostnameOverride>},
    {gate::kEnvFiles, uses_file_keys, drop_file_keys},
    {gate::kLifecycleSleep, uses_sleep, drop_sleep},
    {gate::kImageVolumes, uses_image_volumes, drop_image_volumes},
    {gate::kSelinuxChangePolicy, uses_security<kSelinux>, drop_security<kSelinux>},
    {gate::kNever, uses_stop_signal, drop_stop_signal},
};

}  // namespace

void drop_disabled(Value& spec, const Value& old_spec, int minor) {
  for (const Row& row : kRows) {
    if (minor >= row.since || row.is_used(old_spec)) continue;
    row.drop(spec);
  }
  const bool knows_rules = minor >= gate::kRestartPolicyOfContainers;
  if (knows_rules && minor < gate::kContainerRestartRules && !uses_restart_rules(old_spec))
    drop_restart_rules(spec);
}

}  // namespace fixpoint::apiserver::validation
