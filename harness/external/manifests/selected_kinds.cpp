#include "harness/external/manifests/selected_kinds.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "harness/apiserver/custom/definition_checks.h"
#include "harness/apiserver/matching/request_match.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/apiserver/text/formats.h"
#include "harness/cases/kind.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/document_stream.h"
#include "harness/external/manifests/manifest_files.h"
#include "harness/runner/learning/plain_schemas.h"

namespace fixpoint::external {

namespace {

using cases::Kind;
using document::Error;
using document::Member;
using document::Name;
using document::Value;

/// Returns true for a patch of kustomize, which lies beside definitions in many projects
/// (config/crd/patches).
bool is_patch(const Value& definition) {
  const Value& spec = definition["spec"];
  return spec["group"].is_null() && spec["versions"].is_null() && spec["names"].is_null();
}

bool selects(const Value& rule, const Kind& kind) {
  constexpr std::string_view kOperations[] = {"CREATE", "UPDATE"};
  constexpr std::string_view kOfPods[] = {"", "ephemeralcontainers", "resize"}, kOfOthers[] = {"", "status"};
  const std::span<const std::string_view> sub_resources =
      kind.is_pod() ? std::span<const std::string_view>(kOfPods)
          : std::span<const std::string_view>(kOfOthers);
  return std::any_of(sub_resources.begin(), sub_resources.end(), [&](std::string_view sub_resource) {
    return std::any_of(std::begin(kOperations), std::end(kOperations), [&](std::string_view operation) {
      return apiserver::rule_matches(rule, kind, operation, sub_resource);
    });
  });
}

bool names(const Value& list, std::string_view wanted) {
  const auto all = list.elements();
  return std::any_of(all.begin(), all.end(), [&](const Value& one) { return one.text() == wanted; });
}

/// Returns true for a kind of Kubernetes that can be drawn if a rule names it, or the group of a kind that
/// makes Pods: a rule for everything is about Pods first.
bool is_named(std::span<const Value> rules, const Kind& kind) {
  const bool makes_pods = apiserver::makes_pods(kind);
  if (!makes_pods && !runner::drawn_schema_of(kind).is_object()) return false;
  return std::any_of(rules.begin(), rules.end(), [&](const Value& rule) {
    return names(rule["resources"], kind.plural) || (makes_pods && names(rule["apiGroups"], kind.group));
  });
}

/// The plural names that Kubernetes guesses for a kind (apimachinery/pkg/api/meta UnsafeGuessKindToResource).
std::string guessed_plural(std::string_view kind) {
  std::string name;
  for (const char c : kind) name += apiserver::validation::lower(c);
  if (name.ends_with('s')) return name + "es";
  if (name.ends_with('y')) return name.substr(0, name.size() - 1) + "ies";
  return name + "s";
}

Value without_texts(const Value& schema) {
  if (!schema.is_object()) return schema;
  Value kept = schema;
  for (const char* text : {"description", "title", "example", "externalDocs"}) kept.remove(text);
  for (const Member& member : schema["properties"].members())
    kept.edit("properties").set(member.key.name(), without_texts(member.value));
  for (const char* one : {"items", "additionalProperties", "not"})
    if (schema[one].is_object()) kept.set(one, without_texts(schema[one]));
  return kept;
}

}  // namespace

std::vector<Value> rules_of(const Value& configuration) {
  std::vector<Value> rules;
  const auto add = [&](const Value& list) {
    for (const Value& rule : list.elements()) rules.push_back(rule);
  };
  for (const Value& webhook : configuration["webhooks"].elements()) add(webhook["rules"]);
  if (cases::is_policy(configuration)) add(configuration["spec"]["matchConstraints"]["resourceRules"]);
  return rules;
}

bool selects_kind(std::span<const Value> rules, const Kind& kind) {
  return std::any_of(rules.begin(), rules.end(), [&](const Value& rule) { return selects(rule, kind); });
}

std::vector<runner::DrawnKind> selected_kinds(std::span<const Value> rules,
                                              std::span<const Value> definitions) {
  std::vector<runner::DrawnKind> kinds;
  const auto take = [&](const Kind& kind) {
    if (selects_kind(rules, kind)) kinds.push_back({kind.api_version(), std::string(kind.name)});
  };
  take(cases::pod_kind());
  for (const Kind& kind : cases::built_in_kinds())
    if (is_named(rules, kind)) take(kind);
  for (const Value& definition : definitions) {
    for (const Kind& kind : cases::served_kinds(definition)) take(kind);
  }
  return kinds;
}

std::vector<std::string> converted_by_webhook(std::span<const Value> rules,
                                              std::span<const Value> definitions) {
  std::vector<std::string> resources;
  for (const Value& definition : definitions) {
    const auto kinds = cases::served_kinds(definition);
    const bool is_selected =
        std::ranges::any_of(kinds, [&](const Kind& kind) { return selects_kind(rules, kind); });
    if (is_selected && kinds.size() > 1 && kinds.front().is_converted_by_webhook())
      resources.push_back(kinds.front().resource());
  }
  return resources;
}

std::vector<std::string> other_resources(std::span<const Value> rules, std::span<const Value> definitions) {
  std::vector<std::string> known{"pods"}, others;
  for (const Kind& kind : cases::built_in_kinds())
    if (apiserver::makes_pods(kind) || runner::drawn_schema_of(kind).is_object())
      known.push_back(kind.resource());
  for (const Value& definition : definitions) {
    for (const Kind& kind : cases::served_kinds(definition)) known.push_back(kind.resource());
  }
  for (const Value& rule : rules) {
    for (const Value& resource : rule["resources"].elements()) {
      const std::string_view plural = resource.text().substr(0, resource.text().find('/'));
      for (const Value& group : rule["apiGroups"].elements()) {
        if (plural == "*" || group.text() == "*") continue;
        std::string name(plural);
        name.append(group.text().empty() ? "" : ".").append(group.text());
        const auto is_in = [&](const std::vector<std::string>& list) {
          return std::find(list.begin(), list.end(), name) != list.end();
        };
        if (!is_in(known) && !is_in(others)) others.push_back(std::move(name));
      }
    }
  }
  return others;
}

std::optional<Value> guessed_definition(const Value& object, std::span<const Value> rules) {
  const std::string_view kind = object["kind"].text(), api_version = object["apiVersion"].text();
  const std::string_view group = cases::group_of(api_version);
  if (kind.empty() || group.empty()) return std::nullopt;
  const std::string_view version = api_version.substr(group.size() + 1);
  const std::string plural = guessed_plural(kind);
  const bool is_named = std::any_of(rules.begin(), rules.end(), [&](const Value& rule) {
    return names(rule["apiGroups"], group) && (names(rule["resources"], plural) ||
                                               names(rule["resources"], "*"));
  });
  if (!is_named) return std::nullopt;
  const bool is_namespaced = std::none_of(rules.begin(), rules.end(), [&](const Value& rule) {
    return names(rule["resources"], plural) && rule["scope"].text() == "Cluster";
  });
  return Value{
      {"apiVersion", "apiextensions.k8s.io/v1"},
      {"kind", "CustomResourceDefinition"},
      {"metadata",
       {{"name", plural + "." + std::string(group)},
        {"annotations", {{"api-approved.kubernetes.io", "unapproved, a guess"}}}}},
      {"spec",
       {{"group", group},
        {"names", {{"kind", kind}, {"plural", plural}}},
        {"scope", is_namespaced ? "Namespaced" : "Cluster"},
        {"versions",
         Value::list({Value{{"name", version},
                            {"served", true},
                            {"storage", true},
                            {"schema",
                             {{"openAPIV3Schema",
                               {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}}}}}}})}}}};
}

void add_definitions(const Value& document, std::vector<Value>& definitions) {
  if (document["kind"].text() == "CustomResourceDefinition" && !is_patch(document))
    definitions.push_back(document);
  if (document["kind"].text() != "List") return;
  for (const Value& item : document["items"].elements()) add_definitions(item, definitions);
}

document::Result<std::vector<Value>> read_definitions_alone(const std::string& path, const Limits& limits) {
  namespace files = std::filesystem;
  std::error_code problem;
  std::vector<std::string> paths = files_of_documents(path);
  if (files::is_regular_file(path, problem)) paths.push_back(path);
  std::vector<Value> definitions;
  std::optional<Error> refusal;
  for (const std::string& file : paths) {
    auto documents = document::read_documents(file, document::Strictness::foreign, limits);
    if (!documents) return std::vector<Value>();  // whoever reads it as a subject says so
    for (const Value& document : *documents) {
      const bool is_list = document["kind"].text() == "List";
      const auto items = is_list ? document["items"].elements() : std::span<const Value>(&document, 1);
      for (const Value& item : items) {
        const std::string_view kind = item["kind"].text();
        if (kind == "Kustomization" || item.is_null()) continue;
        if (kind != "CustomResourceDefinition") return std::vector<Value>();
        if (is_patch(item)) continue;
        auto refused = apiserver::custom::refusal_of_definition(item);
        if (refused && !refusal) refusal = std::move(*refused).within(file);
        definitions.push_back(item);
      }
    }
  }
  if (refusal) return *std::move(refusal);
  return definitions;
}

Value without_descriptions(const Value& definition) {
  Value kept = definition;
  Value versions = Value::empty_list();
  for (const Value& version : definition["spec"]["versions"].elements()) {
    Value one = version;
    for (const char* for_people : {"additionalPrinterColumns", "selectableFields"}) one.remove(for_people);
    one.set("schema", Value{{"openAPIV3Schema", without_texts(version["schema"]["openAPIV3Schema"])}});
    versions.push_back(std::move(one));
  }
  kept.edit("spec").set("versions", std::move(versions));
  constexpr const char* kApproval = "api-approved.kubernetes.io";
  const Value name = definition["metadata"]["name"],
              approval = definition["metadata"]["annotations"][kApproval];
  kept.set("metadata", Value{{"name", name}});
  if (!approval.is_null()) kept.edit("metadata").set("annotations", Value{{kApproval, approval}});
  kept.remove("status");
  return kept;
}

}  // namespace fixpoint::external
