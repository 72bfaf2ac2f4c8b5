#include "harness/apiserver/decoding/go_types.h"

#include <algorithm>

namespace fixpoint::apiserver {

namespace {

/// Texts for which Go has a type of its own.
struct NamedText {
  std::string_view type, field, go;
};
constexpr NamedText kNamedTexts[] = {
    {"AppArmorProfile", "type", "v1.AppArmorProfileType"},
    {"AzureDiskVolumeSource", "cachingMode", "v1.AzureDataDiskCachingMode"},
    {"AzureDiskVolumeSource", "kind", "v1.AzureDataDiskKind"},
    {"Capabilities", "add", "v1.Capability"},
    {"Capabilities", "drop", "v1.Capability"},
    {"Container", "imagePullPolicy", "v1.PullPolicy"},
    {"Container", "restartPolicy", "v1.ContainerRestartPolicy"},
    {"Container", "terminationMessagePolicy", "v1.TerminationMessagePolicy"},
    {"ContainerPort", "protocol", "v1.Protocol"},
    {"ContainerResizePolicy", "resourceName", "v1.ResourceName"},
    {"ContainerResizePolicy", "restartPolicy", "v1.ResourceResizeRestartPolicy"},
    {"ContainerRestartRule", "action", "v1.ContainerRestartRuleAction"},
    {"ContainerRestartRuleOnExitCodes", "operator", "v1.ContainerRestartRuleOnExitCodesOperator"},
    {"ContainerStatus", "stopSignal", "v1.Signal"},
    {"EmptyDirVolumeSource", "medium", "v1.StorageMedium"},
    {"EphemeralContainer", "imagePullPolicy", "v1.PullPolicy"},
    {"EphemeralContainer", "restartPolicy", "v1.ContainerRestartPolicy"},
    {"EphemeralContainer", "terminationMessagePolicy", "v1.TerminationMessagePolicy"},
    {"HTTPGetAction", "scheme", "v1.URIScheme"},
    {"HostPathVolumeSource", "type", "v1.HostPathType"},
    {"ImageVolumeSource", "pullPolicy", "v1.PullPolicy"},
    {"LabelSelectorRequirement", "operator", "v1.LabelSelectorOperator"},
    {"Lifecycle", "stopSignal", "v1.Signal"},
    {"ManagedFieldsEntry", "operation", "v1.ManagedFieldsOperationType"},
    {"NodeSelectorRequirement", "operator", "v1.NodeSelectorOperator"},
    {"ObjectMeta", "uid", "types.UID"},
    {"OwnerReference", "uid", "types.UID"},
    {"PersistentVolumeClaimSpec", "accessModes", "v1.PersistentVolumeAccessMode"},
    {"PersistentVolumeClaimSpec", "volumeMode", "v1.PersistentVolumeMode"},
    {"PodCondition", "status", "v1.ConditionStatus"},
    {"PodCondition", "type", "v1.PodConditionType"},
    {"PodOS", "name", "v1.OSName"},
    {"PodReadinessGate", "conditionType", "v1.PodConditionType"},
    {"PodSecurityContext", "fsGroupChangePolicy", "v1.PodFSGroupChangePolicy"},
    {"PodSecurityContext", "seLinuxChangePolicy", "v1.PodSELinuxChangePolicy"},
    {"PodSecurityContext", "supplementalGroupsPolicy", "v1.SupplementalGroupsPolicy"},
    {"PodSpec", "dnsPolicy", "v1.DNSPolicy"},
    {"PodSpec", "preemptionPolicy", "v1.PreemptionPolicy"},
    {"PodSpec", "restartPolicy", "v1.RestartPolicy"},
    {"PodStatus", "phase", "v1.PodPhase"},
    {"PodStatus", "qosClass", "v1.PodQOSClass"},
    {"PodStatus", "resize", "v1.PodResizeStatus"},
    {"ResourceHealth", "health", "v1.ResourceHealthStatus"},
    {"ResourceHealth", "resourceID", "v1.ResourceID"},
    {"ResourceStatus", "name", "v1.ResourceName"},
    {"SeccompProfile", "type", "v1.SeccompProfileType"},
    {"SecurityContext", "procMount", "v1.ProcMountType"},
    {"Toleration", "effect", "v1.TaintEffect"},
    {"Toleration", "operator", "v1.TolerationOperator"},
    {"TopologySpreadConstraint", "nodeAffinityPolicy", "v1.NodeInclusionPolicy"},
    {"TopologySpreadConstraint", "nodeTaintsPolicy", "v1.NodeInclusionPolicy"},
    {"TopologySpreadConstraint", "whenUnsatisfiable", "v1.UnsatisfiableConstraintAction"},
    {"VolumeMount", "mountPropagation", "v1.MountPropagationMode"},
    {"VolumeMount", "recursiveReadOnly", "v1.RecursiveReadOnlyMode"},
    {"VolumeMountStatus", "recursiveReadOnly", "v1.RecursiveReadOnlyMode"}};

/// Fields that Go declares in an embedded struct: those of the list, or all but those of the list.
struct Embedded {
  std::string_view type, go;
  bool is_all_but;
  std::string_view fields[4];
};
constexpr Embedded kEmbedded[] = {
    {"Volume", "VolumeSource", true, {"name"}},
    {"Probe", "ProbeHandler", false, {"exec", "httpGet", "tcpSocket", "grpc"}},
    {"EphemeralContainer", "EphemeralContainerCommon", true, {"targetContainerName"}},
    {"ConfigMapEnvSource", "LocalObjectReference", false, {"name"}},
    {"SecretEnvSource", "LocalObjectReference", false, {"name"}},
    {"ConfigMapKeySelector", "LocalObjectReference", false, {"name"}},
    {"SecretKeySelector", "LocalObjectReference", false, {"name"}},
    {"ConfigMapVolumeSource", "LocalObjectReference", false, {"name"}},
    {"ConfigMapProjection", "LocalObjectReference", false, {"name"}},
    {"SecretProjection", "LocalObjectReference", false, {"name"}},
};

/// The first minor whose JSON decoder names embedded structs in its paths.
constexpr int kEmbeddedInPath = 35;

std::string element_type(const Type& type, const Field& field) {
  switch (field.shape) {
    case Shape::boolean:
      return "bool";
    case Shape::int32:
    case Shape::int_or_text:  // whose text is tried first
      return "int32";
    case Shape::int64:
      return "int64";
    case Shape::object:
      return "v1." + std::string(field.type->name);
    case Shape::quantity:
      return "resource.Quantity";
    default:
      break;
  }
  for (const NamedText& row : kNamedTexts) {
    if (row.type == type.name && row.field == field.name.text) return std::string(row.go);
  }
  return "string";
}

}  // namespace

std::string go_type(const Type& type, const Field& field, bool of_element) {
  if (of_element || field.many == Many::one) return element_type(type, field);
  if (field.many == Many::list) return "[]" + element_type(type, field);
  if (field.shape != Shape::quantity) return "map[string]" + element_type(type, field);
  return type.name == "NodeAllocatableResourceClaimStatus" ? "map[v1.ResourceName]resource.Quantity"
                                                           : "v1.ResourceList";
}

bool is_named_text(std::string_view go) {
  return std::any_of(std::begin(kNamedTexts), std::end(kNamedTexts),
                     [&](const NamedText& row) { return row.go == go; });
}

std::string go_field(const Type& type, const Field& field, int minor) {
  std::string name(field.name.text);
  if (minor < kEmbeddedInPath) return name;
  for (const Embedded& row : kEmbedded) {
    if (row.type != type.name) continue;
    const bool is_listed =
        std::find(std::begin(row.fields), std::end(row.fields), field.name.text) != std::end(row.fields);
    if (is_listed != row.is_all_but) name.insert(0, ".").insert(0, row.go);
  }
  return name;
}

}  // namespace fixpoint::apiserver
