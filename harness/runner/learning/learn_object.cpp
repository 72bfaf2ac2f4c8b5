#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cases/kind.h"
#include "harness/cases/object_name.h"
#include "harness/document/json.h"
#include "harness/document/lower_case.h"
#include "harness/document/yaml.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/learn_fields.h"
#include "harness/runner/learning/text_forms.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::runner {

namespace {

using Where = Trigger::Where;

/// Deeper, an object of a chart says nothing about Pods.
constexpr int kDepthMax = 12;
constexpr std::size_t kWordMax = 32;  ///< bytes of the name of a key
constexpr int kDepthOfDocument = 2;   ///< data, its key

bool contains(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

/// The owner of the Pods of a workload, by its kind.
struct Owner {
  std::string_view named, api_version, kind, end;
};
constexpr auto kOwners = std::to_array<Owner>({{"Deployment", "apps/v1", "ReplicaSet", "-7d9c6bf5b4"},
                                               {"ReplicaSet", "apps/v1", "ReplicaSet", ""},
                                               {"StatefulSet", "apps/v1", "StatefulSet", ""},
                                               {"DaemonSet", "apps/v1", "DaemonSet", ""},
                                               {"CronJob", "batch/v1", "Job", "-28123456"},
                                               {"Job", "batch/v1", "Job", ""}});

/// The ends of the names of lists of containers.
constexpr std::pair<std::string_view, NameKind> kContainerLists[] = {
    {"initContainers", NameKind::init_container}, {"ontainers", NameKind::container}};

/// Reads one object of a manifest for the Pods that its webhook changes.
class ManifestObject {
 public:
  ManifestObject(Vocabulary& words, std::string place) : words_(words), place_(std::move(place)) {}

  /// Reads a member and all below it. A ConfigMap holds documents in texts.
  void read(std::string_view name, const Value& value, int depth = 0) {
    if (depth > kDepthMax) return;
    if (value.is_string()) return read_text(name, value.text(), depth);
    if (!value["matchLabels"].is_null() || !value["matchExpressions"].is_null())
      return read_selector(name, value);
    join_parts(value);
    if (documents_ > 0) read_configuration(name, value, depth);
    for (const auto& [key, below] : value.members()) read(key.text(), below, depth + 1);
    for (const Value& below : value.elements()) read(name, below, depth + 1);
  }

  /// Reads a document of a webhook's own form: its configuration.
  void read_document(std::string_view name, const Value& document, int depth = 0) {
    ++documents_;
    if (document.is_object() || document.is_array()) read(name, document, depth + 1);
    --documents_;
  }

  /// The names that documents declare, and the namespaces that they name.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& spaces() const { return spaces_; }

 private:
  void read_selector(std::string_view name, const Value& selector) {
    const Where where = contains(name, "amespace") ? Where::namespace_label : Where::label;
    learn_selector(words_, selector, where);
    for (const auto& [key, value] : selector["matchLabels"].members())
      words_.places.emplace(key.text(), place_);
    for (const Value& expression : selector["matchExpressions"].elements())
      words_.places.emplace(expression["key"].text(), place_);
  }

  /// Keys whose prefix and name stand in two members: `annotationNamespace: a.example.com`, `trigger:
  /// inject`.
  void join_parts(const Value& map) {
    for (const auto& [name, prefix] : map.members()) {
      const bool is_label = contains(name.text(), "abel"), is_annotation = contains(name.text(), "nnotation");
      if (!is_domain(prefix.text()) || (!is_label && !is_annotation && !contains(name.text(), "refix")))
        continue;
      for (const auto& [other, word] : map.members()) {
        if (other == name || !is_name(word.text()) || word.text().size() > kWordMax) continue;
        const std::string key = std::string(prefix.text()).append("/").append(word.text());
        for (const char* value : {"true", "enabled"})
          learn_trigger(words_, is_label ? Where::label : Where::annotation, key, value, true);
        words_.places.emplace(key, place_);
      }
    }
  }

  void read_text(std::string_view name, std::string_view text, int depth) {
    const bool is_document = contains(text, "\n") || text.starts_with('{') || text.starts_with('[');
    if (is_document) {
      if (const auto document = document::read_yaml(text)) read_document(name, *document, depth);
      return;
    }
    const bool is_space = name == "namespace" || name.ends_with("amespaces") || name.ends_with("Namespace");
    if (documents_ > 0 && is_space && text.find('.') == std::string_view::npos) spaces_.emplace_back(text);
    const bool is_label = contains(name, "abel"), is_annotation = contains(name, "nnotation");
    if (!is_label && !is_annotation) return;
    while (!text.empty()) {
      const auto end = std::min(text.find_first_of(", "), text.size());
      const std::string_view key = text.substr(0, end);
      if (is_prefixed_key(key)) {
        learn_trigger(words_, is_label ? Where::label : Where::annotation, key, "true");
        words_.places.emplace(key, place_);
      }
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  /// Reads what configuration of a webhook's own form says of Pods: `podSelector: {app: web}`; and the names
  /// of what it declares, `sidecars: [{name: logger}]`, `profiles: {small: {}}`, which annotations choose by.
  void read_configuration(std::string_view name, const Value& value, int depth) {
    const auto is_text = [](const auto& member) { return member.value.is_string(); };
    const auto is_map = [](const auto& member) {
      return member.value.is_object() || member.value.at(0).is_object();
    };
    const auto members = value.members();
    if (contains(name, "elector") && !members.empty() && std::all_of(members.begin(), members.end(), is_text))
      return read_selector(name, {{"matchLabels", value}});
    learn_owner(value);
    for (const auto& [list, kind] : kContainerLists)
      if (name.ends_with(list))
        for (const Value& element : value.elements()) learn_container_name(words_, kind, element["name"]);
    if (is_field_of_pod(name)) return;
    for (const Value& element : value.elements())
      for (const Value* one : {&element, &element["metadata"]}) note_name((*one)["name"].text());
    // A document itself has sections, not things that have names.
    const bool is_whole_file = name.empty();
    if ((depth <= kDepthOfDocument && !is_whole_file) || members.size() < (is_whole_file ? 1 : 2) ||
        !std::all_of(members.begin(), members.end(), is_map))
      return;
    for (const auto& member : members)
      if (!is_field_of_pod(member.key.text())) note_name(member.key.text());
  }
  /// Reads a workload that configuration names: its Pods have it, or its ReplicaSet, as their owner.
  void learn_owner(const Value& value) {
    const std::string_view kind = value["kind"].text(), name = value["name"].text();
    const auto owner = std::find_if(kOwners.begin(), kOwners.end(), [&](const Owner& one) {
      return document::lower_case(one.named) == document::lower_case(kind);
    });
    if (owner == kOwners.end() || !is_name(name)) return;
    const Value reference{{"apiVersion", owner->api_version},
                          {"blockOwnerDeletion", true},
                          {"controller", true},
                          {"kind", owner->kind},
                          {"name", std::string(name).append(owner->end)},
                          {"uid", "5e3c7f6e-0b0e-4b56-9a7b-6a2f35d1f0aa"}};
    learn_trigger(words_, Where::field, "metadata.ownerReferences",
                  document::write_json(Value::list({reference})), true);
  }
  void note_name(std::string_view name) {
    constexpr std::size_t kNamesMax = 6;
    if (is_name(name) && name.size() <= kWordMax && names_.size() < kNamesMax) names_.emplace_back(name);
  }

  Vocabulary& words_;
  std::string place_;
  int documents_ = 0;  ///< around what is read
  std::vector<std::string> names_ = {}, spaces_ = {};
};

/// Adds the name to the values of each of the keys, those that the program spells: many hold that of an
/// object.
void learn_name(Vocabulary& words, const std::set<std::string>& keys, std::string_view space,
                std::string_view name) {
  for (Trigger& one : words.triggers) {
    const bool is_of_object = one.where == Where::label || one.where == Where::annotation;
    if (!is_of_object || !keys.contains(one.key)) continue;
    const auto add = [&](std::string value) {
      const bool is_there = std::find(one.values.begin(), one.values.end(), value) != one.values.end();
      if (!is_there && one.values.size() < kTriggerValuesMax) one.values.push_back(std::move(value));
    };
    add(std::string(name));
    if (one.where == Where::annotation && !space.empty()) add(std::string(space).append("/").append(name));
  }
}

bool is_custom(const Value& object) {
  const std::string_view group = cases::group_of(object["apiVersion"].text());
  return cases::built_in_kind(group, object["kind"].text()) == nullptr;
}

/// Objects that a Pod names by a field of its spec.
struct NamedByPods {
  std::string_view kind, field;
};
constexpr auto kNamedByPods = std::to_array<NamedByPods>({{"ServiceAccount", "spec.serviceAccountName"},
                                                          {"PriorityClass", "spec.priorityClassName"},
                                                          {"RuntimeClass", "spec.runtimeClassName"}});

/// Learns where the Pods of a webhook may be, and what they may name.
class OfPods {
 public:
  OfPods(Vocabulary& words, std::string_view own_namespace) : words_(words), own_namespace_(own_namespace) {}

  void learn(const Value& object) {
    const std::string_view kind = object["kind"].text(), name = object["metadata"]["name"].text();
    const std::string_view space = kind == "Namespace" ? name : object["metadata"]["namespace"].text();
    if (!space.empty() && space == own_namespace_) return;
    if (kind == "Namespace" || is_custom(object)) learn_space(space);
    if (kind == "PersistentVolumeClaim") learn_claim(space, name);
    for (const NamedByPods& row : kNamedByPods)
      if (row.kind == kind && name != "default") learn_rare(row.field, Value(name));
  }

  void learn_space(std::string_view space) {
    if (!space.empty() && space != "default" && space != own_namespace_)
      learn_rare(kNamespaceField, Value(space));
  }

 private:
  void learn_rare(std::string_view field, const Value& value) {
    learn_trigger(words_, Where::field, field, document::write_json(value), true);
  }
  /// A Pod mounts one claim, or several of its namespace.
  void learn_claim(std::string_view space, std::string_view name) {
    learn_space(space);
    Value& volumes = claims_.try_emplace(std::string(space), Value::empty_list()).first->second;
    const std::string volume = "claim-" + std::to_string(volumes.size() + 1);
    const Value claim{{"name", volume}, {"persistentVolumeClaim", {{"claimName", name}}}};
    learn_rare("spec.volumes", Value::list({claim}));
    volumes.push_back(claim);
    if (volumes.size() > 1) learn_rare("spec.volumes", volumes);
  }

  Vocabulary& words_;
  std::string_view own_namespace_;
  std::map<std::string, Value> claims_ = {};  ///< by their namespaces
};

}  // namespace

static std::set<std::string> spelled_keys(const Vocabulary& words) {
  std::set<std::string> keys;
  for (const auto& [key, place] : words.places) keys.insert(key);
  return keys;
}

static void learn_what_is_declared(Vocabulary& words, const std::set<std::string>& keys,
                                   const ManifestObject& reader, OfPods& of_pods) {
  for (const std::string& name : reader.names()) learn_name(words, keys, "", name);
  for (const std::string& space : reader.spaces()) of_pods.learn_space(space);
}

void learn_from_documents(Vocabulary& words, std::span<const ProgramText> texts) {
  const std::set<std::string> keys = spelled_keys(words);
  OfPods of_pods(words, "");
  std::vector<std::string> names;
  for (const ProgramText& text : texts) {
    if (!text.is_data) continue;
    const auto documents = document::read_yaml_stream(text.text);
    if (!documents) continue;
    ManifestObject reader(words, text.path);
    for (const Value& document : *documents) reader.read_document("", document);
    learn_what_is_declared(words, keys, reader, of_pods);
    names.insert(names.end(), reader.names().begin(), reader.names().end());
  }
  if (!names.empty()) learn_fields_of_program(words, texts, {.names = names, .resources = {}});
}

void learn_from_objects(Vocabulary& words, std::span<const Value> objects, std::string_view own_namespace) {
  const std::set<std::string> keys = spelled_keys(words);
  for (const Value& object : objects)
    if (is_custom(object))
      learn_name(words, keys, object["metadata"]["namespace"].text(), object["metadata"]["name"].text());
  OfPods of_pods(words, own_namespace);
  for (const Value& object : objects) {
    if (object["kind"].text() == "Secret") continue;  // what it holds is printed nowhere
    ManifestObject reader(
        words, std::string(object["kind"].text()).append(" ").append(object["metadata"]["name"].text()));
    for (const auto& [name, value] : object.members())
      if (name.text() != "metadata") reader.read(name.text(), value);
    learn_what_is_declared(words, keys, reader, of_pods);
  }
  for (const Value& object : objects) of_pods.learn(object);
}

}  // namespace fixpoint::runner
