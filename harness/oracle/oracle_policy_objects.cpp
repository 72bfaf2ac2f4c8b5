#include <algorithm>
#include <set>

#include "harness/oracle/oracle_match.h"
#include "harness/oracle/oracle_policies.h"

namespace fixpoint::oracle {

namespace {

constexpr int kFirstMinorWithPolicies = 36;

/// Returns true if servers of the minor know policies in that version of the API.
bool is_served(const std::string& version, int minor) {
  const std::string group = "admissionregistration.k8s.io/";
  return (version == group + "v1" && minor >= 36) || (version == group + "v1beta1" && minor >= 34) ||
         (version == group + "v1alpha1" && minor >= 32);
}

std::string name_of(const Json& object) { return text_at(at(object, "metadata"), "name"); }

std::vector<Json> of_kind(const RequestContext& around, const std::string& kind) {
  std::vector<Json> found;
  for (const Json& object : around.objects)
    if (text_at(object, "kind") == kind) found.push_back(object);
  std::stable_sort(found.begin(), found.end(),
                   [](const Json& a, const Json& b) { return name_of(a) < name_of(b); });
  return found;
}

std::string group_of(const Json& object) {
  const std::string version = text_at(object, "apiVersion");
  const auto slash = version.find('/');
  return slash == std::string::npos ? "" : version.substr(0, slash);
}

/// Groups of Kubernetes itself.
bool is_own_group(const std::string& group) {
  return group.find('.') == std::string::npos || group.ends_with(".k8s.io");
}

/// Returns true if the params of a kind have namespaces; nothing for a kind that the server does not know.
std::optional<bool> has_namespace(const Json& kind, const RequestContext& around, const Steps& steps) {
  static const std::set<std::string> cluster_wide{"Namespace",
                                                  "Node",
                                                  "PersistentVolume",
                                                  "ClusterRole",
                                                  "ClusterRoleBinding",
                                                  "PriorityClass",
                                                  "RuntimeClass",
                                                  "StorageClass",
                                                  "CSIDriver",
                                                  "CSINode",
                                                  "VolumeAttachment",
                                                  "IngressClass",
                                                  "MutatingWebhookConfiguration",
                                                  "ValidatingWebhookConfiguration",
                                                  "ValidatingAdmissionPolicy",
                                                  "ValidatingAdmissionPolicyBinding",
                                                  "MutatingAdmissionPolicy",
                                                  "MutatingAdmissionPolicyBinding",
                                                  "CertificateSigningRequest",
                                                  "DeviceClass"};
  const std::string group = group_of(kind), name = text_at(kind, "kind");
  for (const Json& definition : of_kind(around, "CustomResourceDefinition")) {
    const Json& spec = at(definition, "spec");
    if (text_at(spec, "group") == group && text_at(at(spec, "names"), "kind") == name)
      return text_at(spec, "scope") != "Cluster";
  }
  bool is_known = is_own_group(group);
  if (group.empty()) {
    try {
      steps.decode({{"apiVersion", text_at(kind, "apiVersion")}, {"kind", name}});
    } catch (const Undecodable&) {
      is_known = false;
    }
  }
  if (!is_known) return std::nullopt;
  return !cluster_wide.contains(name);
}

/// A param as expressions see it: objects of Kubernetes' own kinds without apiVersion and kind.
Json as_param(Json object, const Json& kind) {
  object["apiVersion"] = text_at(kind, "apiVersion");
  if (!is_own_group(group_of(object))) return object;
  object.erase("apiVersion");
  object.erase("kind");
  object["metadata"]["creationTimestamp"] = nullptr;
  for (const char* map : {"data", "binaryData"})
    if (at(object, map).is_object() && object[map].empty()) object.erase(map);
  return object;
}

}  // namespace

std::vector<Policy> bound_policies(const Json& cluster, const RequestContext& around) {
  std::vector<Policy> all;
  const auto& gates = each(at(cluster, "featureGates"));
  const bool is_gated = std::find(gates.begin(), gates.end(), Json("MutatingAdmissionPolicy")) != gates.end();
  if (around.minor < kFirstMinorWithPolicies && !is_gated) return all;
  for (const Json& object : of_kind(around, "MutatingAdmissionPolicy")) {
    if (!is_served(text_at(object, "apiVersion"), around.minor)) continue;
    Policy policy{.name = name_of(object), .spec = at(object, "spec")};
    for (const Json& binding : of_kind(around, "MutatingAdmissionPolicyBinding")) {
      if (is_served(text_at(binding, "apiVersion"), around.minor) &&
          text_at(at(binding, "spec"), "policyName") == policy.name)
        policy.bindings.push_back(binding);
    }
    if (policy.bindings.empty()) continue;
    const std::string version = text_at(at(policy.spec, "paramKind"), "apiVersion");
    if (std::count(version.begin(), version.end(), '/') > 1) continue;  // no server reads it
    all.push_back(std::move(policy));
  }
  // Those of policyOrder first, in its order; the others by name.
  const auto& order = each(at(cluster, "policyOrder"));
  const auto rank = [&](const Policy& policy) {
    return std::find(order.begin(), order.end(), Json(policy.name)) - order.begin();
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Policy& a, const Policy& b) { return rank(a) < rank(b); });
  return all;
}

std::vector<Json> params_of(const Policy& policy, const Json& binding, const RequestContext& around,
                            const Steps& steps) {
  const Json &kind = at(policy.spec, "paramKind"), &ref = in(binding, {"spec", "paramRef"});
  if (!kind.is_object()) return {Json()};
  const auto spaced = has_namespace(kind, around, steps);
  if (!spaced) throw PolicyMisconfigured("an unknown kind of params");
  if (!ref.is_object()) return {Json()};
  const std::string said = text_at(ref, "namespace"), name = text_at(ref, "name");
  if (!said.empty() && !*spaced) throw PolicyMisconfigured("a namespace for params without");
  if (name.empty() && !at(ref, "selector").is_object())
    throw PolicyMisconfigured("neither name nor selector");
  std::vector<Json> params;
  for (const Json& object : of_kind(around, text_at(kind, "kind"))) {
    const Json& metadata = at(object, "metadata");
    if (group_of(object) != group_of(kind)) continue;
    if (*spaced && text_at(metadata, "namespace") != (said.empty() ? around.namespace_name : said)) continue;
    if (!name.empty()) {
      if (name_of(object) == name) params = {as_param(object, kind)};
      continue;
    }
    const Selected selected = select(at(ref, "selector"), at(metadata, "labels"));
    if (selected == Selected::error) throw PolicyMisconfigured("a selector of params");
    if (selected == Selected::yes) params.push_back(as_param(object, kind));
  }
  if (params.empty() && text_at(ref, "parameterNotFoundAction") == "Deny")
    throw PolicyMisconfigured("no params");
  return params;
}

}  // namespace fixpoint::oracle
