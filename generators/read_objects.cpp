#include "generators/read_objects.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/changed_settings.h"
#include "generators/linked_object.h"
#include "generators/schema_values.h"
#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/custom/whole_object.h"
#include "harness/apiserver/types/container_types.h"
#include "harness/cases/minors.h"
#include "harness/cases/plain_namespace.h"
#include "harness/document/base64.h"
#include "harness/runner/learning/field_path.h"
#include "harness/runner/learning/member_values.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::generators {

namespace {

using Read = runner::Vocabulary::Read;
using KeyedValues = PreparedVocabulary::KeyedValues;

/// Names for objects of a kind that the webhook lists.
constexpr std::array<const char*, 2> kListed{"example", "other"};
constexpr const char* kNode = "node-1";
/// The values of one trigger that become names of watched objects.
constexpr std::size_t kNamesOfATrigger = 3;
/// Keys and values of Secrets and ConfigMaps by convention.
constexpr std::array<const char*, 10> kDataKeys{"token",   "username",   "password", "ca.crt",
                                                "tls.crt", "tls.key",    "key",      "config.yaml",
                                                "config",  "config.json"};
constexpr std::array<const char*, 9> kDataValues{"value",
                                                 "true",
                                                 "",
                                                 "{}",
                                                 "with \"quotes\" and\na line",
                                                 R"({"enabled": true, "image": "agent:1"})",
                                                 "enabled: true\nimage: agent:1\n",
                                                 "https://example.com/a?b=c,d",
                                                 "{"};

/// Everything that the contents of an object are drawn from.
struct Source {
  const PreparedSubject& subject;
  const Read& read;
  const Case& value;
  bool is_shared = false;  ///< by several Cases: the object says nothing about the request
};

/// Returns the request's value at the key of an annotation or label; nullptr if it has none.
const Value* value_at_key(const Source& source, const Name& key) {
  if (source.is_shared) return nullptr;
  for (const char* map : {"annotations", "labels"})
    if (const Value* value = source.value.request.object["metadata"][map].find(key)) return value;
  return nullptr;
}

/// Adds some of the keys, mostly with the value that the request has at the same key.
void put_some(Choices& choices, const Source& source, const std::vector<KeyedValues>& keys,
              std::uint64_t one_in, Value& map) {
  for (const KeyedValues& key : keys) {
    if (key.values.empty() || !choices.one_in(one_in)) continue;
    const Value* same = value_at_key(source, key.key);
    map.set(key.key, same != nullptr && !choices.one_in(4) ? *same : choices.pick(key.values));
  }
}

/// Adds the labels by which the webhook selects objects of the kind: with the value that the request has at
/// the key, or the one that was asked for.
void put_selected(Choices& choices, const Source& source, Value& metadata) {
  constexpr std::uint64_t kOneInOther = 8;
  for (const auto& [key, asked] : source.read.labels) {
    if (choices.one_in(kOneInOther)) continue;
    const Value* same = value_at_key(source, Name(key));
    metadata.edit("labels").set(key, same != nullptr ? *same : Value(asked));
  }
}

/// Adds labels and annotations that have a meaning to the webhook: on a Pod or, as far as is known, here.
void put_metadata(Choices& choices, const Source& source, Value& metadata) {
  const PreparedVocabulary& words = source.subject.vocabulary;
  if (choices.coin()) return;
  Value labels, annotations;
  put_some(choices, source, words.annotations, 2, annotations);
  put_some(choices, source, words.rare_annotations, 3, annotations);
  put_some(choices, source, words.labels, 3, labels);
  put_some(choices, source, words.rare_labels, 4, labels);
  for (const auto& [name, map] : {std::pair("labels", &labels), std::pair("annotations", &annotations)})
    for (const auto& [key, text] : map->members()) metadata.edit(Name(name)).set(key.name(), text);
}

Value draw_data(Choices& choices, const Source& source, bool is_secret) {
  Value data = Value::empty_object();
  const auto& keys = source.subject.subject.vocabulary.data_keys;
  const auto put = [&](std::string_view key) {
    const std::string text = choices.pick(kDataValues);
    data.set(key, is_secret ? document::encode_base64(text) : text);
  };
  for (const std::string& key : keys) {
    if (!choices.one_in(4)) put(key);
  }
  for (auto left = choices.below(keys.empty() ? 4 : 2); left > 0; --left) put(choices.pick(kDataKeys));
  return data;
}

void put_secret(Choices& choices, const Source& source, Value& object) {
  object.set("type", "Opaque");
  object.set("data", draw_data(choices, source, true));
}
void put_config_map(Choices& choices, const Source& source, Value& object) {
  object.set("data", draw_data(choices, source, false));
}

/// Returns the names of Secrets that the webhook may look for, for a reference to them.
std::vector<std::string> secret_names(const Source& source) {
  std::vector<std::string> names;
  for (const Read& read : source.subject.subject.vocabulary.reads) {
    if (read.kind == "Secret") names.insert(names.end(), read.names.begin(), read.names.end());
  }
  names.insert(names.end(), kListed.begin(), kListed.end());
  return names;
}

void put_account(Choices& choices, const Source& source, Value& object) {
  const auto names = secret_names(source);
  for (const char* list : {"secrets", "imagePullSecrets"}) {
    const auto count = choices.below(3);
    if (count == 0) continue;
    Value references = Value::empty_list();
    for (std::uint64_t i = 0; i < count; ++i) references.push_back({{"name", choices.pick(names)}});
    object.set(Name(list), references);
  }
  if (choices.one_in(8)) object.set("automountServiceAccountToken", choices.coin());
}

/// The name of the volume that a drawn claim is bound to.
std::string volume_of(const Value& claim) { return "pv-" + std::string(claim["metadata"]["name"].text()); }

void put_claim(Choices& choices, const Source& source, Value& object) {
  Value spec{{"accessModes", Value::list({"ReadWriteMany"})},
             {"resources", {{"requests", {{"storage", "1Gi"}}}}}};
  const auto& reads = source.subject.subject.vocabulary.reads;
  if (std::ranges::any_of(reads, [](const Read& read) { return read.kind == "StorageClass"; }))
    spec.set("storageClassName", choices.pick(kListed));
  const bool is_bound = !choices.one_in(4);
  if (is_bound) spec.set("volumeName", volume_of(object));
  object.set("spec", std::move(spec));
  object.set("status", {{"phase", is_bound ? "Bound" : "Pending"}});
}

/// Returns a driver of volumes, mostly one that the webhook compares with the member.
std::string draw_driver(Choices& choices, const Source& source, const char* member) {
  std::vector<std::string> drivers{"csi.example.com"};
  if (const auto* compared = runner::values_of_member(source.subject.subject.vocabulary, member))
    drivers.insert(drivers.end(), compared->begin(), compared->end());
  // The last ones are the webhook's own.
  return choices.coin() ? drivers.back() : choices.pick(drivers);
}

void put_volume(Choices& choices, const Source& source, Value& object) {
  Value csi{{"driver", draw_driver(choices, source, "driver")}, {"volumeHandle", object["metadata"]["name"]}};
  if (choices.coin()) csi.set("volumeAttributes", {{"subPath", "team-a"}});
  object.set("spec", {{"accessModes", Value::list({"ReadWriteMany"})},
                      {"capacity", {{"storage", "1Gi"}}},
                      {"persistentVolumeReclaimPolicy", "Retain"},
                      {"csi", std::move(csi)}});
}

void put_class(Choices& choices, const Source& source, Value& object) {
  object.set("provisioner", draw_driver(choices, source, "provisioner"));
}

/// A Pod of the same owner that runs already.
void put_sibling(Choices& choices, const Source& source, Value& object) {
  const Value& own = source.value.request.object;
  if (!source.is_shared && !choices.one_in(4))
    for (const char* member : {"labels", "annotations", "ownerReferences"})
      if (const Value* same = own["metadata"].find(Name(member)))
        object.edit("metadata").set(Name(member), *same);
  object.set("spec",
             {{"nodeName", kNode},
              {"containers", Value::list({Value{{"name", "main"}, {"image", "example.com/app:1"}}})}});
  object.set("status", {{"phase", choices.one_in(4) ? "Pending" : "Running"}, {"podIP", "10.1.2.3"}});
}

void put_node(Choices&, const Source&, Value& object) {
  Value& labels = object.edit("metadata").edit("labels");
  labels.set("kubernetes.io/hostname", object["metadata"]["name"]);
  labels.set("topology.kubernetes.io/zone", "zone-a");
  labels.set("node.kubernetes.io/instance-type", "large");
}

void put_range(Choices& choices, const Source&, Value& object) {
  static constexpr std::array<const char*, 3> kCpu{"1", "500m", "64"}, kMemory{"1Gi", "512Mi", "64Gi"};
  Value limit{{"type", "Container"},
              {"max", {{"cpu", choices.pick(kCpu)}, {"memory", choices.pick(kMemory)}}}};
  if (choices.coin()) limit.set("min", {{"cpu", "10m"}, {"memory", "16Mi"}});
  object.set("spec", {{"limits", Value::list({std::move(limit)})}});
}

void put_nothing(Choices&, const Source&, Value&) {}

/// The contents of a kind beside its metadata.
struct Contents {
  std::string_view kind;
  void (*put)(Choices&, const Source&, Value&);
};
constexpr std::array<Contents, 10> kContents{{{"Secret", put_secret},
                                              {"ConfigMap", put_config_map},
                                              {"ServiceAccount", put_account},
                                              {"PersistentVolumeClaim", put_claim},
                                              {"PersistentVolume", put_volume},
                                              {"StorageClass", put_class},
                                              {"Pod", put_sibling},
                                              {"Node", put_node},
                                              {"LimitRange", put_range},
                                              {"Namespace", put_nothing}}};

void add_name(std::vector<std::string>& names, std::string_view name) {
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

/// Returns the values of the subject's trigger at a field of the Pod.
std::vector<std::string> values_of_source(const PreparedSubject& subject, const std::string& source) {
  std::vector<std::string> values;
  const auto path = runner::parse_field_path(source);
  if (!path) return values;
  for (const runner::Trigger& trigger : subject.triggers) {
    Value object;
    const bool is_field = trigger.where == runner::Trigger::Where::field;
    const char* map = trigger.where == runner::Trigger::Where::annotation ? "annotations"
                      : trigger.where == runner::Trigger::Where::label    ? "labels"
                                                                          : nullptr;
    if (map != nullptr)
      object.edit("metadata").edit(Name(map)).set(trigger.key, "x");
    else if (is_field)
      runner::set_field(object, trigger.path, "x");
    if (runner::values_at(object, *path).empty()) continue;
    for (std::size_t i = 0; i < std::min(kNamesOfATrigger, trigger.values.size()); ++i) {
      std::string_view text = trigger.values[i];
      if (is_field && text.size() > 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
      add_name(values, text);
    }
  }
  return values;
}

/// Returns true for a text that the server takes for the name of an object.
bool is_object_name(std::string_view text) {
  constexpr std::size_t kLongest = 63;
  return !text.empty() && text.size() <= kLongest && text.front() != '-' && text.back() != '-' &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

/// Returns true for a kind that Pods use without naming the object.
bool is_unnamed(std::string_view kind) {
  return kind == "LimitRange" || kind == "ResourceQuota" || kind == "Pod" || kind == "Node" ||
         kind == "StorageClass";
}

/// Returns the names that hold whatever the Pod is: those of constants and of known values of its fields.
std::vector<std::string> shared_names(const PreparedSubject& subject, const Read& read) {
  std::vector<std::string> names = read.names;
  if (read.kind == "ServiceAccount") add_name(names, "default");
  for (const std::string& source : read.sources) {
    for (const std::string& value : values_of_source(subject, source)) add_name(names, value);
  }
  for (const runner::Trigger& trigger : subject.triggers) {
    constexpr std::size_t kNamesMax = 6;
    const bool is_of_pod =
        trigger.where == runner::Trigger::Where::label || trigger.where == runner::Trigger::Where::annotation;
    for (const std::string& text : trigger.values)
      if (is_of_pod && !is_unnamed(read.kind) && read.sources.empty() && read.names.empty() &&
          names.size() < kNamesMax && is_object_name(text))
        add_name(names, text);
  }
  if (names.empty()) names.assign(kListed.begin(), kListed.end());
  return names;
}

/// Adds the values that the Pod has of the subject's triggers: a client with a cache tells of no name, and
/// any of them may be the one that it looks for.
void add_values_of_triggers(std::vector<std::string>& names, const PreparedSubject& subject,
                            const Case& value) {
  constexpr std::size_t kNamesMax = 4;
  for (const runner::Trigger& trigger : subject.triggers) {
    if (names.size() >= kNamesMax) return;
    const bool is_label = trigger.where == runner::Trigger::Where::label;
    if (!is_label && trigger.where != runner::Trigger::Where::annotation) continue;
    const Value* found =
        value.request.object["metadata"][is_label ? "labels" : "annotations"].find(trigger.key);
    if (found != nullptr && is_object_name(found->text())) add_name(names, found->text());
  }
}

/// Returns the names that the webhook looks for with this Pod.
std::vector<std::string> names_for(const PreparedSubject& subject, const Case& value, const Read& read) {
  const Value& pod = value.request.object;
  std::vector<std::string> names;
  for (const std::string& source : read.sources) {
    const auto path = runner::parse_field_path(source);
    if (!path) continue;
    for (const Value& found : runner::values_at(pod, *path)) add_name(names, found.text());
  }
  if (read.kind == "ServiceAccount" && names.empty()) add_name(names, "default");
  if (read.kind == "PersistentVolume") {
    for (const Value& object : value.cluster.objects)
      if (object["kind"].text() == "PersistentVolumeClaim")
        add_name(names, object["spec"]["volumeName"].text());
    return names;
  }
  for (const std::string& name : read.names) add_name(names, name);
  if (read.kind == "Node") add_name(names, kNode);
  if (names.empty() && read.sources.empty() && !is_unnamed(read.kind))
    add_values_of_triggers(names, subject, value);
  if (names.empty() && read.sources.empty()) names.assign(kListed.begin(), kListed.end());
  return names;
}

/// Returns the names of the request's own namespace, containers and Pod.
std::vector<NamesOfKind> names_of_request(const Case& value) {
  const Value& object = value.request.object;
  NamesOfKind containers{"Container"}, pods{"Pod"};
  for (const Name& list : apiserver::kContainerLists)
    for (const Value& container : object["spec"][list].elements())
      add_name(containers.names, container["name"].text());
  if (!containers.names.empty()) add_name(pods.names, object["metadata"]["name"].text());
  return {{"Namespace", {value.request.namespace_name}}, std::move(containers), std::move(pods)};
}

/// Returns what a text of a drawn object may name in the Case.
LinkTargets targets_of(const Source& source) {
  LinkTargets targets;
  if (!source.is_shared) {
    targets.request_object = &source.value.request.object;
    targets.kinds = names_of_request(source.value);
  }
  for (const Read& read : source.subject.subject.vocabulary.reads)
    targets.kinds.push_back({read.kind, source.is_shared ? shared_names(source.subject, read)
                                                         : names_for(source.subject, source.value, read)});
  return targets;
}

/// Fills a custom resource by its schema, often with a status, and links it with the Case. Returns false if
/// nothing was found that the API server stores.
bool put_custom(Choices& choices, const Source& source, Value& object, int minor) {
  constexpr int kStatusOneIn = 2;
  const Value& schema = source.read.schema;
  if (!fill_by_schema(choices, object, schema, minor, &source.subject.subject.vocabulary, kStatusOneIn))
    return false;
  Value linked = linked_object(choices, object, schema, targets_of(source));
  if (apiserver::custom::is_valid(apiserver::custom::with_defaults(linked, schema), schema, minor))
    object = std::move(linked);
  return true;
}

/// Returns false if no contents could be found that the API server stores.
bool put_contents(Choices& choices, const Source& source, Value& object, int minor) {
  const auto row = std::find_if(kContents.begin(), kContents.end(),
                                [&](const Contents& one) { return one.kind == source.read.kind; });
  if (row == kContents.end() && !source.read.schema.is_null())
    return put_custom(choices, source, object, minor);
  if (row == kContents.end())
    object.set("spec", Value::empty_object());
  else
    row->put(choices, source, object);
  return true;
}

/// Returns the drawn object of that kind and name, for writing; nullptr if there is none. Those that the
/// subject always brings along are not drawn.
Value* drawn_object(Case& value, const Source& source, std::string_view space, std::string_view name) {
  const auto& fixed = source.subject.subject.objects;
  for (Value& object : value.cluster.objects) {
    if (object["kind"].text() != source.read.kind || object["metadata"]["name"].text() != name ||
        object["metadata"]["namespace"].text() != space)
      continue;
    Value in_default = object;  // the chart's own objects there are copied to the Case's namespace
    if (!space.empty()) in_default.edit("metadata").set("namespace", "default");
    const bool is_fixed =
        std::ranges::any_of(fixed, [&](const Value& own) { return own == object || own == in_default; });
    return is_fixed ? nullptr : &object;
  }
  return nullptr;
}

/// Adds the object, or puts its drawn contents in the place of what another part of the Case needed it for.
void add_object(Case& value, Choices& choices, const Source& source, std::string_view space,
                std::string_view name, bool keeps_others) {
  Value metadata{{"name", name}};
  if (!space.empty()) metadata.set("namespace", space);
  put_metadata(choices, source, metadata);
  put_selected(choices, source, metadata);
  Value object{
      {"apiVersion", source.read.api_version}, {"kind", source.read.kind}, {"metadata", std::move(metadata)}};
  if (!put_contents(choices, source, object, cases::minor_of(value.cluster))) return;
  Value* other = drawn_object(value, source, space, name);
  if (other != nullptr && !keeps_others)
    *other = std::move(object);
  else if (source.read.kind != "LimitRange" || !has_limit_range(value))
    value.cluster.add_missing(std::move(object));
}

}  // namespace

void draw_read_objects(Case& value, const PreparedSubject& prepared_subject, Choices& choices,
                       bool keeps_others) {
  const auto& reads = prepared_subject.subject.vocabulary.reads;
  if (reads.empty()) return;
  Choices shared = choices.shared_by(kCasesOfACluster);
  const std::string& own = value.request.namespace_name;
  // Claims name volumes.
  std::vector<const Read*> ordered;
  for (const Read& read : reads) ordered.push_back(&read);
  std::stable_partition(ordered.begin(), ordered.end(),
                        [](const Read* read) { return read->kind != "PersistentVolume"; });
  for (const Read* next : ordered) {
    const Read& read = *next;
    if (read.kind == "Namespace" && read.names.empty() && cases::is_plain_namespace(own)) {
      if (!choices.one_in(4))
        put_metadata(choices, {prepared_subject, read, value}, metadata_of_namespace(value));
      continue;
    }
    std::vector<std::string> spaces = read.namespaces;
    if (spaces.empty() || !read.sources.empty()) spaces.push_back(own);
    if (!read.is_namespaced) spaces.assign(1, "");
    for (const std::string& space : spaces) {
      const bool is_shared = read.is_watched && !cases::is_plain_namespace(space);
      Choices& drawn_by = is_shared ? shared : choices;
      for (const std::string& name :
           is_shared ? shared_names(prepared_subject, read) : names_for(prepared_subject, value, read)) {
        if (drawn_by.one_in(4)) continue;
        add_object(value, drawn_by, {prepared_subject, read, value, is_shared}, space, name, keeps_others);
      }
    }
  }
  change_settings(value, prepared_subject, shared, choices);
}

}  // namespace fixpoint::generators
