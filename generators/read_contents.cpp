#include "generators/read_contents.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/draw_workload.h"
#include "generators/schema_values.h"
#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/custom/whole_object.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/document/base64.h"
#include "harness/runner/learning/member_values.h"
#include "harness/runner/learning/plain_schemas.h"

namespace fixpoint::generators {

namespace {

using cases::Case;
using document::Name;
using document::Value;
using Read = runner::Vocabulary::Read;
using runner::Choices;
using KeyedValues = PreparedVocabulary::KeyedValues;
using Source = ReadSource;

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

/// Fills an object by a schema, often with a status, and links it with the Case. Returns false if
/// nothing was found that the API server stores.
bool put_custom(Choices& choices, const Source& source, const Value& schema, Value& object, int minor) {
  constexpr int kStatusOneIn = 2;
  if (!fill_by_schema(choices, object, schema, minor, &source.subject.subject.vocabulary, kStatusOneIn))
    return false;
  Value linked =
      linked_object(source.links == nullptr ? choices : *source.links, object, schema, source.targets);
  if (apiserver::custom::is_valid(apiserver::custom::with_defaults(linked, schema), schema, minor))
    object = std::move(linked);
  return true;
}

/// A workload of Pods like the request's, which another workload may own.
void put_workload(Choices& choices, const Source& source, const cases::Kind& kind, Value& object) {
  Value pod{
      {"metadata", Value::empty_object()},
      {"spec", {{"containers", Value::list({Value{{"name", "main"}, {"image", "example.com/app:1"}}})}}}};
  if (!source.is_shared)
    if (const Value* labels = source.value.request.object["metadata"].find("labels"))
      pod.edit("metadata").set("labels", *labels);
  object.set("spec", draw_workload(choices, kind, pod)["spec"]);
  for (const auto& [owned, api_version, owner] :
       {std::array{"ReplicaSet", "apps/v1", "Deployment"}, std::array{"Job", "batch/v1", "CronJob"}})
    if (kind.name == owned && !choices.one_in(4))
      object.edit("metadata")
          .set("ownerReferences", Value::list({Value{{"apiVersion", api_version},
                                                     {"kind", owner},
                                                     {"name", kListed.front()},
                                                     {"uid", "owner-1"},
                                                     {"controller", true}}}));
}

/// Adds labels and annotations that have a meaning to the webhook: on a Pod or, as far as is known, here.
void put_words(Choices& choices, const Source& source, Value& metadata) {
  const PreparedVocabulary& words = source.subject.vocabulary;
  Value labels, annotations;
  put_some(choices, source, words.annotations, 2, annotations);
  put_some(choices, source, words.rare_annotations, 3, annotations);
  put_some(choices, source, words.labels, 3, labels);
  put_some(choices, source, words.rare_labels, 4, labels);
  for (const auto& [name, map] : {std::pair("labels", &labels), std::pair("annotations", &annotations)})
    for (const auto& [key, text] : map->members()) metadata.edit(Name(name)).set(key.name(), text);
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

}  // namespace

void put_metadata(Choices& choices, const ReadSource& source, Value& metadata) {
  if (!choices.coin()) put_words(choices, source, metadata);
  put_selected(choices, source, metadata);
}

bool put_contents(Choices& choices, const ReadSource& source, Value& object, int minor) {
  const auto row = std::find_if(kContents.begin(), kContents.end(),
                                [&](const Contents& one) { return one.kind == source.read.kind; });
  if (row != kContents.end()) {
    row->put(choices, source, object);
    return true;
  }
  const auto kind = cases::find_kind(source.read.api_version, source.read.kind, source.value.cluster);
  const bool has_own = source.read.schema.is_object() || !kind;
  const Value& schema = has_own ? source.read.schema : runner::drawn_schema_of(*kind);
  if (schema.is_object()) return put_custom(choices, source, schema, object, minor);
  if (kind && apiserver::makes_pods(*kind)) {
    put_workload(choices, source, *kind, object);
    return true;
  }
  object.set("spec", Value::empty_object());
  return true;
}

}  // namespace fixpoint::generators
