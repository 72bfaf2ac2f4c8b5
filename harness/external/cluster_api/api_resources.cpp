#include "harness/external/cluster_api/api_resources.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace fixpoint::external {

namespace {

using document::Value;

constexpr std::string_view kCertificates = "certificates.k8s.io";
constexpr std::string_view kRegistration = "admissionregistration.k8s.io";
constexpr std::string_view kAuthorization = "authorization.k8s.io";
constexpr std::string_view kNetworking = "networking.k8s.io";
constexpr std::string_view kRoles = "rbac.authorization.k8s.io";
constexpr std::string_view kStorage = "storage.k8s.io";
constexpr std::string_view kFlow = "flowcontrol.apiserver.k8s.io";

constexpr auto kBuiltIn = std::to_array<BuiltInResource>({
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
    {"apps", "v1", "Deployment", "deployments", "deploy", "status"},
    {"apps", "v1", "ReplicaSet", "replicasets", "rs", "status"},
    {"apps", "v1", "StatefulSet", "statefulsets", "sts", "status"},
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

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::vector<std::string> texts_in(const Value& list) {
  std::vector<std::string> texts;
  for (const Value& one : list.elements()) texts.emplace_back(one.text());
  return texts;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

ApiResource resource_of(const BuiltInResource& row) {
  return {.group = std::string(row.group),
          .version = std::string(row.version),
          .kind = std::string(row.kind),
          .list_kind = std::string(row.kind) + "List",
          .plural = std::string(row.plural),
          .singular = lower(std::string(row.kind)),
          .short_names = words_of(row.short_names),
          .subresources = words_of(row.subresources),
          .is_namespaced = row.is_namespaced,
          .is_only_created = row.is_only_created};
}

/// Versions as Kubernetes sorts them: v2, v1, v1beta2, v1beta1, v1alpha1, then others.
struct VersionRank {
  int stage = 0;  ///< 3 stable, 2 beta, 1 alpha, 0 none of them
  int major = 0, minor = 0;
  auto operator<=>(const VersionRank&) const = default;
};
VersionRank rank_of(std::string_view version) {
  const auto number = [&](int& into) {
    const std::string_view before = version;
    while (!version.empty() && version[0] >= '0' && version[0] <= '9' && into < 1'000'000) {
      into = into * 10 + (version[0] - '0');
      version.remove_prefix(1);
    }
    return version.size() < before.size();
  };
  VersionRank rank{.stage = 3};
  if (!version.starts_with('v')) return {};
  version.remove_prefix(1);
  if (!number(rank.major)) return {};
  if (version.empty()) return rank;
  for (const auto& [word, stage] : {std::pair<std::string_view, int>{"beta", 2}, {"alpha", 1}}) {
    if (!version.starts_with(word)) continue;
    version.remove_prefix(word.size());
    rank.stage = stage;
    return number(rank.minor) && version.empty() ? rank : VersionRank{};
  }
  return {};
}

}  // namespace

std::span<const BuiltInResource> built_in_resources() { return kBuiltIn; }

std::vector<std::string_view> ApiResource::verbs() const {
  if (is_only_created) return {"create"};
  return {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"};
}

bool ApiResource::has_subresource(std::string_view name) const {
  return std::find(subresources.begin(), subresources.end(), name) != subresources.end();
}

ServedResources::ServedResources(const std::vector<Value>& definitions) {
  for (const BuiltInResource& row : kBuiltIn) add(resource_of(row));
  for (const Value& definition : definitions) add_definition(definition);
}

void ServedResources::add(ApiResource resource) {
  if (find(resource.group, resource.version, resource.plural) != nullptr) return;
  auto& of_group = by_group_[resource.group];
  if (of_group.empty()) groups_.push_back(resource.group);
  all_.push_back(std::make_unique<const ApiResource>(std::move(resource)));
  of_group.push_back(all_.back().get());
}

void ServedResources::add_definition(const Value& definition) {
  const Value& spec = definition["spec"];
  const Value& names = spec["names"];
  ApiResource resource{.group = std::string(spec["group"].text()),
                       .kind = std::string(names["kind"].text()),
                       .list_kind = std::string(names["listKind"].text()),
                       .plural = std::string(names["plural"].text()),
                       .singular = std::string(names["singular"].text()),
                       .short_names = texts_in(names["shortNames"]),
                       .is_namespaced = spec["scope"].text() != "Cluster",
                       .is_custom = true};
  if (resource.group.empty() || resource.kind.empty() || resource.plural.empty()) return;
  if (resource.list_kind.empty()) resource.list_kind = resource.kind + "List";
  if (resource.singular.empty()) resource.singular = lower(resource.kind);
  std::vector<const Value*> versions;
  for (const Value& version : spec["versions"].elements()) {
    if (version["served"].is_true() && !version["name"].text().empty()) versions.push_back(&version);
  }
  std::stable_sort(versions.begin(), versions.end(), [](const Value* a, const Value* b) {
    return rank_of((*a)["name"].text()) > rank_of((*b)["name"].text());
  });
  for (const Value* version : versions) {
    resource.version = (*version)["name"].text();
    resource.subresources.clear();
    if ((*version)["subresources"]["status"].is_object()) resource.subresources.emplace_back("status");
    resource.selectable_fields.clear();
    for (const Value& field : (*version)["selectableFields"].elements()) {
      const std::string_view path = field["jsonPath"].text();
      if (path.starts_with('.')) resource.selectable_fields.emplace_back(path.substr(1));
    }
    add(resource);
  }
}

const ApiResource* ServedResources::find(std::string_view group, std::string_view version,
                                         std::string_view plural) const {
  const auto of_group = by_group_.find(group);
  if (of_group == by_group_.end()) return nullptr;
  for (const ApiResource* one : of_group->second) {
    if (one->plural == plural && one->version == version) return one;
  }
  return nullptr;
}

const ApiResource* ServedResources::of_kind(std::string_view api_version, std::string_view kind) const {
  const auto slash = api_version.find('/');
  const bool is_core = slash == std::string_view::npos;
  const auto of_group = by_group_.find(is_core ? std::string_view() : api_version.substr(0, slash));
  if (of_group == by_group_.end()) return nullptr;
  const std::string_view version = is_core ? api_version : api_version.substr(slash + 1);
  const ApiResource* found = nullptr;
  for (const ApiResource* one : of_group->second) {
    if (one->kind != kind) continue;
    if (one->version == version) return one;
    if (found == nullptr) found = one;
  }
  return found;
}

std::vector<std::string> ServedResources::versions_of(std::string_view group) const {
  std::vector<std::string> versions;
  const auto of_group = by_group_.find(group);
  if (of_group == by_group_.end()) return versions;
  for (const ApiResource* one : of_group->second) {
    if (std::find(versions.begin(), versions.end(), one->version) == versions.end())
      versions.push_back(one->version);
  }
  std::stable_sort(versions.begin(), versions.end(),
                   [](const std::string& a, const std::string& b) { return rank_of(a) > rank_of(b); });
  return versions;
}

std::vector<const ApiResource*> ServedResources::of_version(std::string_view group,
                                                            std::string_view version) const {
  std::vector<const ApiResource*> found;
  const auto of_group = by_group_.find(group);
  if (of_group == by_group_.end()) return found;
  for (const ApiResource* one : of_group->second) {
    if (one->version == version) found.push_back(one);
  }
  return found;
}

}  // namespace fixpoint::external
