#include "harness/apiserver/types/kinds.h"

#include <algorithm>
#include <string_view>

namespace fixpoint::apiserver {

namespace {

/// Kinds that every group version knows: request options and watch events.
constexpr std::string_view kEverywhere[] = {"CreateOptions", "DeleteOptions", "GetOptions", "ListOptions",
                                            "PatchOptions",  "UpdateOptions", "WatchEvent"};

constexpr std::string_view kCore[] = {"APIGroup",
                                      "APIGroupList",
                                      "APIResourceList",
                                      "APIVersions",
                                      "Binding",
                                      "ComponentStatus",
                                      "ComponentStatusList",
                                      "ConfigMap",
                                      "ConfigMapList",
                                      "Endpoints",
                                      "EndpointsList",
                                      "Event",
                                      "EventList",
                                      "LimitRange",
                                      "LimitRangeList",
                                      "List",
                                      "Namespace",
                                      "NamespaceList",
                                      "Node",
                                      "NodeList",
                                      "NodeProxyOptions",
                                      "PersistentVolume",
                                      "PersistentVolumeClaim",
                                      "PersistentVolumeClaimList",
                                      "PersistentVolumeList",
                                      "PodAttachOptions",
                                      "PodExecOptions",
                                      "PodList",
                                      "PodLogOptions",
                                      "PodPortForwardOptions",
                                      "PodProxyOptions",
                                      "PodStatusResult",
                                      "PodTemplate",
                                      "PodTemplateList",
                                      "RangeAllocation",
                                      "ReplicationController",
                                      "ReplicationControllerList",
                                      "ResourceQuota",
                                      "ResourceQuotaList",
                                      "Secret",
                                      "SecretList",
                                      "SerializedReference",
                                      "Service",
                                      "ServiceAccount",
                                      "ServiceAccountList",
                                      "ServiceList",
                                      "ServiceProxyOptions",
                                      "Status"};
constexpr std::string_view kAdmission[] = {"MutatingAdmissionPolicy",
                                           "MutatingAdmissionPolicyBinding",
                                           "MutatingAdmissionPolicyBindingList",
                                           "MutatingAdmissionPolicyList",
                                           "MutatingWebhookConfiguration",
                                           "MutatingWebhookConfigurationList",
                                           "ValidatingAdmissionPolicy",
                                           "ValidatingAdmissionPolicyBinding",
                                           "ValidatingAdmissionPolicyBindingList",
                                           "ValidatingAdmissionPolicyList",
                                           "ValidatingWebhookConfiguration",
                                           "ValidatingWebhookConfigurationList"};
constexpr std::string_view kNode[] = {"RuntimeClass", "RuntimeClassList"};
constexpr std::string_view kScheduling[] = {"PriorityClass", "PriorityClassList"};

struct GroupVersion {
  std::string_view group, version;
  std::span<const std::string_view> kinds;
};
/// Groups whose objects a Case may hold. A Pod that was renamed into one of another group counts as
/// unregistered.
constexpr GroupVersion kKnown[] = {
    {"", "v1", kCore},
    {"admissionregistration.k8s.io", "v1", kAdmission},
    {"admissionregistration.k8s.io", "v1beta1", kAdmission},
    {"node.k8s.io", "v1", kNode},
    {"node.k8s.io", "v1beta1", kNode},
    {"scheduling.k8s.io", "v1", kScheduling},
    {"scheduling.k8s.io", "v1beta1", kScheduling},
};

bool is_text(const document::Value* value) {
  return value == nullptr || value->is_null() || value->is_string();
}
std::string_view text_of(const document::Value* value) {
  return value == nullptr ? std::string_view() : value->text();
}

bool contains(std::span<const std::string_view> list, std::string_view kind) {
  return std::find(list.begin(), list.end(), kind) != list.end();
}

}  // namespace

ObjectKind kind_of(const document::Value& object) {
  if (!object.is_object() && !object.is_null()) return ObjectKind::malformed;
  const document::Value* api_version = object.find("apiVersion");
  const document::Value* kind_value = object.find("kind");
  if (!is_text(api_version) || !is_text(kind_value)) return ObjectKind::malformed;

  std::string_view kind = text_of(kind_value), version = text_of(api_version), group;
  if (kind.empty()) kind = "Pod";
  if (version == "v1" && kind == "Pod") return ObjectKind::pod;
  if (std::count(version.begin(), version.end(), '/') > 1) return ObjectKind::malformed;
  if (const auto slash = version.find('/'); slash != std::string_view::npos) {
    group = version.substr(0, slash);
    version.remove_prefix(slash + 1);
  }
  if (version.empty() && group.empty()) version = "v1";
  if (group.empty() && version == "v1" && kind == "Pod") return ObjectKind::pod;
  for (const GroupVersion& known : kKnown) {
    if (known.group != group || known.version != version) continue;
    if (contains(known.kinds, kind) || contains(kEverywhere, kind)) return ObjectKind::registered;
  }
  return ObjectKind::unregistered;
}

}  // namespace fixpoint::apiserver
