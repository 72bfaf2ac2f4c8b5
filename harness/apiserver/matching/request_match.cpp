#include "harness/apiserver/matching/request_match.h"

#include <algorithm>

#include "harness/apiserver/decoding/objects.h"
#include "harness/apiserver/matching/selector.h"

namespace fixpoint::apiserver {

using document::Result;
using document::Value;

namespace {

bool lists(const Value& list, std::string_view wanted) {
  const auto elements = list.elements();
  return std::any_of(elements.begin(), elements.end(),
                     [&](const Value& element) { return element.text() == "*" || element.text() == wanted; });
}

/// Entries are split at the first slash; without one the subresource is empty, and `*` accepts the empty one
/// too.
bool resource_matches(std::string_view entry, std::string_view plural, std::string_view sub_resource) {
  const auto slash = entry.find('/');
  const auto resource = entry.substr(0, slash);
  const auto sub = slash == std::string_view::npos ? std::string_view() : entry.substr(slash + 1);
  return (resource == "*" || resource == plural) && (sub == "*" || sub == sub_resource);
}

bool is_empty_selector(const Value& selector) {
  return selector["matchLabels"].empty() && selector["matchExpressions"].empty();
}

}  // namespace

bool rule_matches(const Value& rule, const cases::Kind& kind, std::string_view operation,
                  std::string_view sub_resource) {
  const Value& scope = rule["scope"];
  const std::string_view own_scope = kind.is_namespaced ? "Namespaced" : "Cluster";
  if (!scope.is_null() && scope.text() != "*" && scope.text() != own_scope) return false;
  if (!lists(rule["operations"], operation) || !lists(rule["apiGroups"], kind.group) ||
      !lists(rule["apiVersions"], kind.version)) {
    return false;
  }
  const auto resources = rule["resources"].elements();
  return std::any_of(resources.begin(), resources.end(), [&](const Value& resource) {
    return resource_matches(resource.text(), kind.plural, sub_resource);
  });
}

std::optional<cases::Kind> selected_version(const Value& rules, const cases::Kind& kind,
                                            const cases::Request& request, bool is_exact) {
  for (const Value& rule : rules.elements())
    if (rule_matches(rule, kind, request.operation, request.sub_resource)) return kind;
  if (is_exact || !kind.is_custom()) return std::nullopt;
  const auto versions = cases::served_kinds(*kind.definition);
  for (const Value& rule : rules.elements()) {
    for (const cases::Kind& other : versions)
      if (rule_matches(rule, other, request.operation, request.sub_resource)) return other;
  }
  return std::nullopt;
}

Value in_version(Value object, const cases::Request& request, const cases::Kind& kind) {
  if (kind.is_custom() && !request.is_scale() && object.is_object() &&
      object["apiVersion"].text() != kind.api_version())
    object.set("apiVersion", kind.api_version());
  return object;
}

Value namespace_labels(const cases::Request& request, const cases::Cluster& cluster) {
  const Value* found = cluster.find("Namespace", "", request.namespace_name);
  Value labels = found == nullptr ? Value() : (*found)["metadata"]["labels"];
  if (!labels.is_object()) labels = {};  // a Case may hold an invalid Namespace
  labels.set("kubernetes.io/metadata.name", request.namespace_name);
  return labels;
}

Result<bool> selects_namespace(const Value& selector, const cases::Kind& kind, const cases::Request& request,
                               const cases::Cluster& cluster) {
  if (is_empty_selector(selector)) return true;
  if (!kind.is_namespaced) {
    return kind.is_namespace() ? selects(selector, request.object["metadata"]["labels"]) : Result<bool>(true);
  }
  return selects(selector, namespace_labels(request, cluster));
}

Result<bool> selects_object(const Value& selector, const cases::Request& request, const Value& object) {
  if (is_empty_selector(selector)) return true;
  Result<bool> selected = false;
  if (has_object_metadata(object)) selected = selects(selector, object["metadata"]["labels"]);
  if (!selected || *selected || request.old_object.is_null()) return selected;
  return selects(selector, request.old_object["metadata"]["labels"]);
}

}  // namespace fixpoint::apiserver
