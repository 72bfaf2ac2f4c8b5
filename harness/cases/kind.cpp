#include "harness/cases/kind.h"

#include <algorithm>
#include <array>

#include "harness/cases/request_user.h"

namespace fixpoint::cases {

namespace {

constexpr std::string_view kCertificates = "certificates.k8s.io";
constexpr std::string_view kRegistration = "admissionregistration.k8s.io";
constexpr std::string_view kAuthorization = "authorization.k8s.io";
constexpr std::string_view kNetworking = "networking.k8s.io";
constexpr std::string_view kRoles = "rbac.authorization.k8s.io";
constexpr std::string_view kStorage = "storage.k8s.io";
constexpr std::string_view kFlow = "flowcontrol.apiserver.k8s.io";

constexpr auto kBuiltIn = std::to_array<Kind>({
    {"", "v1", "Binding", "bindings", "", "", true, true},
    {"", "v1", "ComponentStatus", "componentstatuses", "cs", "", false},
    {"", "v1", "ConfigMap", "configmaps", "cm", ""},
    {"", "v1", "Endpoints", "endpoints", "ep", ""},
    {"", "v1", "Event", "events", "ev", ""},
    {"", "v1", "LimitRange", "limitranges", "limits", ""},
    {"", "v1", "Namespace", "namespaces", "ns", "status finalize", false},
    {"", "v1", "Node", "nodes", "no", "status", false},
    {"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", "pvc", "status"},
    {"", "v1", "PersistentVolume", "persistentvolumes", "pv", "status", false},
    {"", "v1", "Pod", "pods", "po", "status ephemeralcontainers resize binding eviction"},
    {"", "v1", "PodTemplate", "podtemplates", "", ""},
    {"", "v1", "ReplicationController", "replicationcontrollers", "rc", "status"},
    {"", "v1", "ResourceQuota", "resourcequotas", "quota", "status"},
    {"", "v1", "Secret", "secrets", "", ""},
    {"", "v1", "ServiceAccount", "serviceaccounts", "sa", "token"},
    {"", "v1", "Service", "services", "svc", "status"},
    {"apiregistration.k8s.io", "v1", "APIService", "apiservices", "", "status", false},
    {"apps", "v1", "ControllerRevision", "controllerrevisions", "", ""},
    {"apps", "v1", "DaemonSet", "daemonsets", "ds", "status"},
    {"apps", "v1", "Deployment", "deployments", "deploy", "status scale"},
    {"apps", "v1", "ReplicaSet", "replicasets", "rs", "status scale"},
    {"apps", "v1", "StatefulSet", "statefulsets", "sts", "status scale"},
    {"events.k8s.io", "v1", "Event", "events", "ev", ""},
    {"authentication.k8s.io", "v1", "SelfSubjectReview", "selfsubjectreviews", "", "", false, true},
    {"authentication.k8s.io", "v1", "TokenReview", "tokenreviews", "", "", false, true},
    {kAuthorization, "v1", "LocalSubjectAccessReview", "localsubjectaccessreviews", "", "", true, true},
    {kAuthorization, "v1", "SelfSubjectAccessReview", "selfsubjectaccessreviews", "", "", false, true},
    {kAuthorization, "v1", "SelfSubjectRulesReview", "selfsubjectrulesreviews", "", "", false, true},
    {kAuthorization, "v1", "SubjectAccessReview", "subjectaccessreviews", "", "", false, true},
    {"autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", "hpa", "status"},
    {"autoscaling", "v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers", "hpa", "status"},
    {"batch", "v1", "CronJob", "cronjobs", "cj", "status"},
    {"batch", "v1", "Job", "jobs", "", "status"},
    {kCertificates, "v1", "CertificateSigningRequest", "certificatesigningrequests", "csr", "status approval",
     false},
    {kNetworking, "v1", "IngressClass", "ingressclasses", "", "", false},
    {kNetworking, "v1", "Ingress", "ingresses", "ing", "status"},
    {kNetworking, "v1", "IPAddress", "ipaddresses", "ip", "", false},
    {kNetworking, "v1", "NetworkPolicy", "networkpolicies", "netpol", ""},
    {kNetworking, "v1", "ServiceCIDR", "servicecidrs", "", "status", false},
    {"policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", "pdb", "status"},
    {kRoles, "v1", "ClusterRoleBinding", "clusterrolebindings", "", "", false},
    {kRoles, "v1", "ClusterRole", "clusterroles", "", "", false},
    {kRoles, "v1", "RoleBinding", "rolebindings", "", ""},
    {kRoles, "v1", "Role", "roles", "", ""},
    {kStorage, "v1", "CSIDriver", "csidrivers", "", "", false},
    {kStorage, "v1", "CSINode", "csinodes", "", "", false},
    {kStorage, "v1", "CSIStorageCapacity", "csistoragecapacities", "", ""},
    {kStorage, "v1", "StorageClass", "storageclasses", "sc", "", false},
    {kStorage, "v1", "VolumeAttachment", "volumeattachments", "", "status", false},
    {kStorage, "v1", "VolumeAttributesClass", "volumeattributesclasses", "vac", "", false},
    {kRegistration, "v1", "MutatingAdmissionPolicy", "mutatingadmissionpolicies", "", "", false},
    {kRegistration, "v1", "MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings", "", "", false},
    {kRegistration, "v1", "MutatingWebhookConfiguration", "mutatingwebhookconfigurations", "", "", false},
    {kRegistration, "v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies", "", "status", false},
    {kRegistration, "v1", "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", "", "",
     false},
    {kRegistration, "v1", "ValidatingWebhookConfiguration", "validatingwebhookconfigurations", "", "", false},
    {"apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", "crd crds",
     "status", false},
    {"scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", "pc", "", false},
    {"coordination.k8s.io", "v1", "Lease", "leases", "", ""},
    {"node.k8s.io", "v1", "RuntimeClass", "runtimeclasses", "", "", false},
    {"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", "", ""},
    {kFlow, "v1", "FlowSchema", "flowschemas", "", "status", false},
    {kFlow, "v1", "PriorityLevelConfiguration", "prioritylevelconfigurations", "", "status", false},
    {"resource.k8s.io", "v1", "DeviceClass", "deviceclasses", "", "", false},
    {"resource.k8s.io", "v1", "ResourceClaim", "resourceclaims", "", "status"},
    {"resource.k8s.io", "v1", "ResourceClaimTemplate", "resourceclaimtemplates", "", ""},
    {"resource.k8s.io", "v1", "ResourceSlice", "resourceslices", "", "", false},
});

/// The subresources of a version of a custom resource, as Kind has them.
std::string_view subresources_of(const Value& version) {
  const bool has_status = version["subresources"]["status"].is_object(),
             has_scale = version["subresources"]["scale"].is_object();
  if (has_status) return has_scale ? "status scale" : "status";
  return has_scale ? "scale" : "";
}

const Value& object_of(const Request& request) {
  if (request.is_scale()) return request.stored();
  return request.object.is_null() ? request.old_object : request.object;
}

}  // namespace

bool Kind::has_subresource(std::string_view sub_resource) const {
  for (std::string_view rest = subresources; !rest.empty();) {
    const auto end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == sub_resource) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

bool Kind::is_converted_by_webhook() const {
  return is_custom() && (*definition)["spec"]["conversion"]["strategy"].text() == "Webhook";
}

std::string Kind::api_version() const {
  std::string text(group);
  return text.append(group.empty() ? "" : "/").append(version);
}

std::string Kind::resource() const {
  std::string text(plural);
  return text.append(group.empty() ? "" : ".").append(group);
}

std::span<const Kind> built_in_kinds() { return kBuiltIn; }

const Kind* built_in_kind(std::string_view group, std::string_view name) {
  const auto* found = std::find_if(kBuiltIn.begin(), kBuiltIn.end(), [&](const Kind& kind) {
    return kind.group == group && kind.name == name;
  });
  return found == kBuiltIn.end() ? nullptr : found;
}

GroupKind group_kind_of(const Value& object) {
  const std::string_view name = object["kind"].text(), api_version = object["apiVersion"].text();
  if (!api_version.empty()) return {name, group_of(api_version)};
  const auto* known = std::find_if(kBuiltIn.begin(), kBuiltIn.end(),
                                   [&](const Kind& kind) { return kind.name == name; });
  return {name, known == kBuiltIn.end() ? std::string_view() : known->group};
}

const Kind& pod_kind() {
  static const Kind& pod = *built_in_kind("", "Pod");
  return pod;
}

std::optional<Kind> defined_kind(const Value& definition, std::string_view version) {
  const Value& spec = definition["spec"];
  for (const Value& one : spec["versions"].elements()) {
    if (one["name"].text() != version || !one["served"].is_true()) continue;
    return Kind{.group = spec["group"].text(),
                .version = one["name"].text(),
                .name = spec["names"]["kind"].text(),
                .plural = spec["names"]["plural"].text(),
                .subresources = subresources_of(one),
                .is_namespaced = spec["scope"].text() != "Cluster",
                .definition = &definition};
  }
  return std::nullopt;
}

std::vector<Kind> served_kinds(const Value& definition) {
  std::vector<Kind> kinds;
  for (const Value& version : definition["spec"]["versions"].elements()) {
    if (auto kind = defined_kind(definition, version["name"].text())) kinds.push_back(*kind);
  }
  return kinds;
}

std::optional<Kind> find_kind(std::string_view api_version, std::string_view name, const Cluster& cluster) {
  if (name == "Pod" && api_version == "v1") return pod_kind();
  const std::string_view group = group_of(api_version);
  const std::string_view version = api_version.substr(group.empty() ? 0 : group.size() + 1);
  for (const Kind& kind : kBuiltIn) {
    if (kind.name == name && kind.group == group && kind.version == version) return kind;
  }
  for (const Value* definition : cluster.of_kind("CustomResourceDefinition.apiextensions.k8s.io")) {
    const Value& spec = (*definition)["spec"];
    if (spec["group"].text() != group || spec["names"]["kind"].text() != name) continue;
    if (auto kind = defined_kind(*definition, version)) return kind;
  }
  return std::nullopt;
}

std::optional<Kind> find_kind(const Request& request, const Cluster& cluster) {
  const Value& object = object_of(request);
  const std::string_view api_version = object["apiVersion"].text(), name = object["kind"].text();
  if (name.empty() || api_version.empty() || (name == "Pod" && api_version == "v1")) return pod_kind();
  return find_kind(api_version, name, cluster);
}

Kind kind_of(const Request& request, const Cluster& cluster) {
  return find_kind(request, cluster).value_or(pod_kind());
}

std::string_view namespace_of(const Request& request, const Kind& kind) {
  if (kind.is_namespaced) return request.namespace_name;
  return kind.is_namespace() ? name_of(request) : std::string_view();
}

}  // namespace fixpoint::cases
