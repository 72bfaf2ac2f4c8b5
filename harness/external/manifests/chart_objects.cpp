#include "harness/external/manifests/chart_objects.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "harness/cases/kind.h"
#include "harness/external/manifests/selected_kinds.h"
#include "harness/runner/learning/learn.h"

namespace fixpoint::external {

namespace {

using document::Value;

/// Kinds of a chart that a webhook reads, or by which the server judges a Pod.
constexpr auto kKept = std::to_array<std::string_view>(
    {"ConfigMap", "Secret", "ServiceAccount", "Namespace", "PersistentVolumeClaim", "PriorityClass",
     "RuntimeClass", "LimitRange", "ResourceQuota", "StorageClass", "ValidatingAdmissionPolicy",
     "ValidatingAdmissionPolicyBinding"});
/// Kinds that run a webhook.
constexpr auto kWorkloads = std::to_array<std::string_view>({"Deployment", "StatefulSet", "DaemonSet"});
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
  for (const cases::Kind& resource : cases::built_in_kinds()) {
    if (has(kIgnoredGroups, resource.group) || resource.is_only_created) continue;
    if (!lists(rule["apiGroups"], resource.group) || !lists(rule["resources"], resource.plural)) continue;
    if (resource.name == "Pod" || resource.name == "Event") continue;
    const std::string api_version = resource.group.empty()
                                        ? std::string(resource.version)
                                        : std::string(resource.group).append("/").append(resource.version);
    auto* read = runner::learn_read(words, api_version, resource.name, resource.is_namespaced);
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
  const bool is_behind = kind == "Service" || has(kWorkloads, kind);
  if (resource == nullptr || (!resource->is_custom && !has(kKept, kind) && !is_behind)) return false;
  if (document["metadata"]["name"].text().empty()) return false;
  Value object = document;
  if (resource->is_namespaced && object["metadata"]["namespace"].text().empty())
    object.edit("metadata").set("namespace", kNamespace);
  if (kind == "ResourceQuota") object = quota_with_status(std::move(object));
  (kind == "Service" ? services_ : is_behind ? workloads_ : objects_).push_back(std::move(object));
  return true;
}

/// Only what answers for one of the subject's webhooks is of interest.
void ChartObjects::add_own_workloads(runner::Subject& subject) const {
  const auto selects = [](const Value& service, const Value& workload) {
    const Value& labels = workload["spec"]["template"]["metadata"]["labels"];
    const auto wanted = service["spec"]["selector"].members();
    return workload["metadata"]["namespace"] == service["metadata"]["namespace"] && !wanted.empty() &&
           std::all_of(wanted.begin(), wanted.end(),
                       [&](const auto& one) { return labels[one.key.name()] == one.value; });
  };
  const auto is_behind_webhook = [&](const Value& service) {
    const auto webhooks = subject.configuration["webhooks"].elements();
    return std::any_of(webhooks.begin(), webhooks.end(), [&](const Value& webhook) {
      const Value& client = webhook["clientConfig"]["service"];
      return client["name"] == service["metadata"]["name"] &&
             client["namespace"] == service["metadata"]["namespace"];
    });
  };
  for (const Value& service : services_) {
    if (!is_behind_webhook(service)) continue;
    const std::size_t before = subject.objects.size();
    for (const Value& workload : workloads_)
      if (selects(service, workload)) subject.objects.push_back(workload);
    if (subject.objects.size() > before) subject.objects.push_back(service);
  }
}

void ChartObjects::add_to(runner::Subject& subject) const {
  for (const Value& definition : definitions_) {
    const bool is_drawn = std::any_of(subject.kinds.begin(), subject.kinds.end(), [&](const auto& kind) {
      const Value& spec = definition["spec"];
      return kind.name == spec["names"]["kind"].text() &&
             cases::group_of(kind.api_version) == spec["group"].text();
    });
    subject.objects.push_back(is_drawn ? without_descriptions(definition) : without_schemas(definition));
    learn_definition(subject.vocabulary, definition);
  }
  for (const Value& role : roles_) {
    for (const Value& rule : role["rules"].elements()) learn_rule(subject.vocabulary, rule);
  }
  for (const Value& object : objects_) subject.objects.push_back(object);
  const Value& service = subject.configuration["webhooks"].at(0)["clientConfig"]["service"];
  runner::learn_from_objects(subject.vocabulary, objects_, service["namespace"].text());
  add_own_workloads(subject);
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
