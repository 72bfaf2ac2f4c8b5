#include "harness/external/manifests/chart_objects.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "harness/runner/learning/learn.h"

namespace fixpoint::external {

namespace {

using document::Value;

/// Kinds of a chart that a webhook reads, or by which the server judges a Pod.
constexpr auto kKept =
    std::to_array<std::string_view>({"ConfigMap", "Secret", "ServiceAccount", "Namespace", "PriorityClass",
                                     "RuntimeClass", "LimitRange", "ResourceQuota", "StorageClass"});
/// Groups and resources that say nothing about a Pod's treatment.
constexpr std::array<std::string_view, 6> kIgnoredGroups{
    "coordination.k8s.io",          "events.k8s.io",       "authentication.k8s.io", "authorization.k8s.io",
    "admissionregistration.k8s.io", "apiextensions.k8s.io"};

template <class List>
bool has(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}
bool lists(const Value& texts, std::string_view text) {
  const auto all = texts.elements();
  return std::any_of(all.begin(), all.end(), [&](const Value& one) { return one.text() == text; });
}

bool may_read(const Value& rule) {
  return lists(rule["verbs"], "*") || lists(rule["verbs"], "get") || lists(rule["verbs"], "list");
}

/// A namespaced object of a chart without a namespace lies in this one.
constexpr const char* kNamespace = "default";

Value without_schemas(Value definition) {
  static const Value kAnything{
      {"openAPIV3Schema", {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}}}};
  const std::string name(definition["metadata"]["name"].text());
  Value versions = Value::empty_list();
  for (const Value& version : definition["spec"]["versions"].elements()) {
    versions.push_back({{"name", version["name"]},
                        {"served", version["served"]},
                        {"storage", version["storage"]},
                        {"schema", kAnything}});
  }
  return {{"apiVersion", definition["apiVersion"]},
          {"kind", definition["kind"]},
          {"metadata", {{"name", name}}},
          {"spec",
           {{"group", definition["spec"]["group"]},
            {"names", definition["spec"]["names"]},
            {"scope", definition["spec"]["scope"]},
            {"versions", versions}}}};
}

/// Adds a custom resource in its stored version.
void learn_definition(runner::Vocabulary& words, const Value& definition) {
  const Value& spec = definition["spec"];
  for (const Value& version : spec["versions"].elements()) {
    if (!version["served"].is_true() || !version["storage"].is_true()) continue;
    const std::string api_version =
        std::string(spec["group"].text()).append("/").append(version["name"].text());
    auto* read = runner::learn_read(words, api_version, spec["names"]["kind"].text(),
                                    spec["scope"].text() != "Cluster");
    if (read != nullptr) read->schema = version["schema"]["openAPIV3Schema"];
  }
}

/// Adds the kinds that a rule of a role names. A rule for everything names none.
void learn_rule(runner::Vocabulary& words, const Value& rule) {
  if (!may_read(rule)) return;
  for (const BuiltInResource& resource : built_in_resources()) {
    if (has(kIgnoredGroups, resource.group) || resource.is_only_created) continue;
    if (!lists(rule["apiGroups"], resource.group) || !lists(rule["resources"], resource.plural)) continue;
    if (resource.kind == "Pod" || resource.kind == "Event") continue;
    const std::string api_version = resource.group.empty()
                                        ? std::string(resource.version)
                                        : std::string(resource.group).append("/").append(resource.version);
    auto* read = runner::learn_read(words, api_version, resource.kind, resource.is_namespaced);
    if (read == nullptr) continue;
    for (const Value& name : rule["resourceNames"].elements()) {
      if (!has(read->names, name.text()) && read->names.size() < runner::kReadNamesMax)
        read->names.emplace_back(name.text());
    }
  }
}

}  // namespace

ChartObjects::ChartObjects(std::vector<Value> definitions)
    : definitions_(std::move(definitions)), resources_(definitions_) {}

bool ChartObjects::take(const Value& document) {
  const std::string_view kind = document["kind"].text();
  if (kind == "ClusterRole" || kind == "Role") {
    roles_.push_back(document);
    return true;
  }
  if (kind == "CustomResourceDefinition") return true;
  const ApiResource* resource = resources_.of_kind(document["apiVersion"].text(), kind);
  if (resource == nullptr || (!resource->is_custom && !has(kKept, kind))) return false;
  if (document["metadata"]["name"].text().empty()) return false;
  Value object = document;
  if (resource->is_namespaced && object["metadata"]["namespace"].text().empty())
    object.edit("metadata").set("namespace", kNamespace);
  objects_.push_back(kind == "ResourceQuota" ? quota_with_status(std::move(object)) : std::move(object));
  return true;
}

void ChartObjects::add_to(runner::Subject& subject) const {
  for (const Value& definition : definitions_) {
    subject.objects.push_back(without_schemas(definition));
    learn_definition(subject.vocabulary, definition);
  }
  for (const Value& role : roles_) {
    for (const Value& rule : role["rules"].elements()) learn_rule(subject.vocabulary, rule);
  }
  for (const Value& object : objects_) subject.objects.push_back(object);
}

Value quota_with_status(Value quota) {
  const Value hard = quota["spec"]["hard"];
  if (!quota["status"].is_null() || !hard.is_object()) return quota;
  Value used = Value::empty_object();
  for (const auto& [resource, amount] : hard.members()) used.set(resource.name(), "0");
  quota.set("status", {{"hard", hard}, {"used", used}});
  return quota;
}

}  // namespace fixpoint::external
