#include "harness/apiserver/policies/merge_rules.h"

#include <algorithm>

namespace fixpoint::apiserver::policies {

namespace {

constexpr std::string_view kAtomicTypes[] = {
    "ConfigMapKeySelector",      "FileKeySelector",   "LabelSelector",
    "LocalObjectReference",      "NodeSelector",      "NodeSelectorTerm",
    "ObjectFieldSelector",       "OwnerReference",    "ObjectReference",
    "ResourceFieldSelector",     "SecretKeySelector", "SecretReference",
    "TypedLocalObjectReference",
};

/// A list that is not atomic; the same field of another type is another list.
struct ListRow {
  std::string_view type, field;
  std::array<MergeKey, 4> keys = {};
};
constexpr MergeKey kName{"name"};
constexpr ListRow kLists[] = {
    {"ObjectMeta", "finalizers"},
    {"ObjectMeta", "ownerReferences", {{{"uid"}}}},
    {"PodSpec", "containers", {{kName}}},
    {"PodSpec", "ephemeralContainers", {{kName}}},
    {"PodSpec", "hostAliases", {{{"ip"}}}},
    {"PodSpec", "imagePullSecrets", {{kName}}},
    {"PodSpec", "initContainers", {{kName}}},
    {"PodSpec", "resourceClaims", {{kName}}},
    {"PodSpec", "schedulingGates", {{kName}}},
    {"PodSpec", "topologySpreadConstraints", {{{"topologyKey"}, {"whenUnsatisfiable"}}}},
    {"PodSpec", "volumes", {{kName}}},
    {"Container", "env", {{kName}}},
    {"Container", "ports", {{{"containerPort", "0", true}, {"protocol", "TCP"}}}},
    {"Container", "volumeDevices", {{{"devicePath"}}}},
    {"Container", "volumeMounts", {{{"mountPath"}}}},
    {"EphemeralContainer", "env", {{kName}}},
    {"EphemeralContainer", "ports", {{{"containerPort", "0", true}, {"protocol", "TCP"}}}},
    {"EphemeralContainer", "volumeDevices", {{{"devicePath"}}}},
    {"EphemeralContainer", "volumeMounts", {{{"mountPath"}}}},
    {"ResourceRequirements", "claims", {{kName}}},
    {"ContainerRestartRuleOnExitCodes", "values"},
    {"PodStatus", "conditions", {{{"type"}}}},
    {"PodStatus", "podIPs", {{{"ip"}}}},
    {"PodStatus", "resourceClaimStatuses", {{kName}}},
    {"ContainerStatus", "allocatedResourcesStatus", {{kName}}},
    {"ContainerStatus", "volumeMounts", {{{"mountPath"}}}},
    {"ResourceStatus", "resources", {{{"resourceID"}}}},
    {"NodeAllocatableResourceClaimStatus", "containers"},
    {"DeploymentStatus", "conditions", {{{"type"}}}},
    {"ReplicaSetStatus", "conditions", {{{"type"}}}},
    {"StatefulSetStatus", "conditions", {{{"type"}}}},
    {"DaemonSetStatus", "conditions", {{{"type"}}}},
    {"PodFailurePolicyOnExitCodesRequirement", "values"},
    {"UncountedTerminatedPods", "failed"},
    {"UncountedTerminatedPods", "succeeded"},
};

}  // namespace

MergeRule merge_rule(const Type& type, const Field& field) {
  const bool is_node_selector = type.name == "PodSpec" && field.name.text == "nodeSelector";
  if (field.many == Many::map) return {is_node_selector ? Relation::atomic : Relation::separable};
  const auto row = std::find_if(std::begin(kLists), std::end(kLists), [&](const ListRow& one) {
    return one.type == type.name && one.field == field.name.text;
  });
  if (row == std::end(kLists)) return {Relation::atomic};
  return {Relation::associative, row->keys};
}

MergeRule merge_rule(const document::Value& schema) {
  if (schema["type"].text() != "array") {
    const bool is_whole = schema["x-kubernetes-map-type"].text() == "atomic";
    return {is_whole ? Relation::atomic : Relation::separable};
  }
  const std::string_view list_type = schema["x-kubernetes-list-type"].text();
  if (list_type == "set") return {Relation::associative};
  if (list_type != "map") return {Relation::atomic};
  MergeRule rule{Relation::associative};
  std::size_t count = 0;
  for (const document::Value& key : schema["x-kubernetes-list-map-keys"].elements()) {
    if (count == rule.keys.size()) break;
    const document::Value& property = schema["items"]["properties"][key.text()];
    const document::Value& absent = property["default"];
    rule.keys[count++] = {.member = key.text(),
                          .absent = absent.text(),
                          .is_number = absent.is_number(),
                          .is_needed = absent.is_null()};
  }
  return rule;
}

bool is_atomic(const Type& type) {
  return std::find(std::begin(kAtomicTypes), std::end(kAtomicTypes), type.name) != std::end(kAtomicTypes);
}

}  // namespace fixpoint::apiserver::policies
