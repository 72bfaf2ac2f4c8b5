#include <algorithm>

#include "harness/apiserver/decoding/kinds.h"
#include "harness/apiserver/matching/selector.h"
#include "harness/apiserver/policies/admission_policy.h"
#include "harness/cases/kind.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::policies {

namespace {

using document::Error;
using document::Result;
using document::Text;

bool is_native_group(std::string_view group) {
  return group.find('.') == std::string_view::npos || group.ends_with(".k8s.io");
}

/// The definition of a custom resource, or nullptr.
const Value* definition_of(const cases::Cluster& cluster, std::string_view group, std::string_view kind) {
  for (const Value* object : cluster.of_kind("CustomResourceDefinition.apiextensions.k8s.io")) {
    const Value& spec = (*object)["spec"];
    if (spec["group"].text() == group && spec["names"]["kind"].text() == kind) return object;
  }
  return nullptr;
}

/// Kinds of Kubernetes itself outside the core group are taken for known.
bool is_known(std::string_view group, const Value& meta) {
  if (!group.empty()) return is_native_group(group);
  const ObjectKind kind = kind_of(meta);
  return kind == ObjectKind::expected || kind == ObjectKind::registered;
}

/// A param as expressions see it: a custom resource in the version that the policy names, an object of the
/// server's own kinds without apiVersion and kind.
Value as_param(Value object, const Value& kind) {
  object.set("apiVersion", kind["apiVersion"]);
  if (!is_native_group(cases::group_of(object["apiVersion"].text()))) return object;
  object.remove("apiVersion");
  object.remove("kind");
  object.edit("metadata").set("creationTimestamp", Value());
  for (const char* map : {"data", "binaryData"})
    if (object[map].is_object() && object[map].empty()) object.remove(map);
  return object;
}

}  // namespace

void find_param_kind(Policy& policy, const cases::Cluster& cluster) {
  const Value& kind = policy.spec["paramKind"];
  if (!kind.is_object()) return;
  const std::string_view api_version = kind["apiVersion"].text(), group = cases::group_of(api_version);
  const std::string_view version = api_version.substr(api_version.find('/') + 1);
  const std::string_view name = kind["kind"].text();
  if (const Value* definition = definition_of(cluster, group, name)) {
    policy.has_namespaced_params = (*definition)["spec"]["scope"].text() != "Cluster";
  } else if (is_known(group, {{"apiVersion", kind["apiVersion"]}, {"kind", name}})) {
    const cases::Kind* known = cases::built_in_kind(group, name);
    policy.has_namespaced_params = known == nullptr || known->is_namespaced;
  } else {
    policy.configuration_error = Text("failed to find resource referenced by paramKind: '{}/{}, Kind={}'")
                                     .with({group, version, name});
  }
}

Result<std::vector<Value>> collect_params(const Policy& policy, const Value& binding,
                                          const cases::Cluster& cluster, const std::string& namespace_name) {
  const Value &kind = policy.spec["paramKind"], &ref = binding["spec"]["paramRef"];
  if (!kind.is_object() || !ref.is_object()) return std::vector<Value>{Value()};
  const std::string_view in_namespace = ref["namespace"].text();
  if (!in_namespace.empty() && !policy.has_namespaced_params)
    return Error{std::string(
        Text("paramRef.namespace must not be provided for a cluster-scoped `paramKind`").words())};
  const std::string space = !policy.has_namespaced_params ? ""
                            : in_namespace.empty()        ? namespace_name
                                                          : std::string(in_namespace);
  std::vector<Value> params;
  const std::string_view group = cases::group_of(kind["apiVersion"].text());
  if (ref["name"].text().empty() && !ref["selector"].is_object())
    return Error{std::string(Text("one of name or selector must be provided").words())};
  for (const Value* object : cluster.of_kind({kind["kind"].text(), group})) {
    const Value& metadata = (*object)["metadata"];
    if (policy.has_namespaced_params && metadata["namespace"].text() != space) continue;
    if (const Value& name = ref["name"]; !name.text().empty()) {
      if (metadata["name"].text() == name.text()) params = {as_param(*object, kind)};
      continue;
    }
    auto selected = selects(ref["selector"], metadata["labels"]);
    if (!selected) return std::move(selected).error();
    if (*selected) params.push_back(as_param(*object, kind));
  }
  if (params.empty() && ref["parameterNotFoundAction"].text() == "Deny")
    return Error{
        std::string(Text("no params found for policy binding with `Deny` parameterNotFoundAction").words())};
  return params;
}

}  // namespace fixpoint::apiserver::policies
