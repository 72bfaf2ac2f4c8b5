#include <algorithm>

#include "generators/pod/feature.h"
#include "harness/apiserver/types/pod_types.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

/// Draws the name of something that a webhook of the chain looks for or adds. Nothing is near a neutral name.
Value like(PodBuilder& builder, NameKind kind) { return builder.webhook_word(kind); }

void named_container(PodBuilder& builder, Value& spec) {
  Value name = builder.fresh_container_name(NameKind::container);
  if (builder.c.coin()) {
    std::string nearly = near_match(builder.c, name.text());
    for (char& letter : nearly)
      letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    if (!builder.has_container(nearly)) name = nearly;
  }
  auto& containers = spec.edit("containers").edit_elements();
  containers.insert(builder.c.coin() ? containers.begin() : containers.end(),
                    Value{{"name", name}, {"image", "x:1"}});
}

/// Adds a volume with the name of an injected one, but no mount of it.
void volume_alone(PodBuilder& builder, Value& spec) {
  const Value name = like(builder, NameKind::volume);
  merge_into(spec, {{"volumes", Value::list({Value{{"name", name}, {"emptyDir", Value::empty_object()}}})}});
}

void volume_of_another_source(PodBuilder& builder, Value& spec) {
  const Value name = like(builder, NameKind::volume);
  merge_into(spec,
             {{"volumes", Value::list({Value{{"name", name}, {"configMap", {{"name", "settings"}}}}})}});
  builder.mount(name);
}

void nearly_volume(PodBuilder& builder, Value& spec) {
  const std::string name =
      std::string(like(builder, NameKind::volume).text()) + (builder.c.coin() ? "-1" : "s");
  merge_into(spec, {{"volumes", Value::list({Value{{"name", name}, {"emptyDir", Value::empty_object()}}})}});
  builder.mount(name);
}

/// Mounts a volume of the user's at the path of an injected mount.
void taken_path(PodBuilder& builder, Value& spec) {
  merge_into(spec,
             {{"volumes", Value::list({Value{{"name", "mine"}, {"emptyDir", Value::empty_object()}}})}});
  builder.mount("mine");
}

void path_below(PodBuilder& builder, Value& spec) {
  merge_into(spec,
             {{"volumes", Value::list({Value{{"name", "mine"}, {"emptyDir", Value::empty_object()}}})}});
  const std::string path =
      std::string(like(builder, NameKind::mount_path).text()) + (builder.c.coin() ? "/" : "/sub");
  builder.mount("mine", {{"readOnly", true}});
  builder.some_containers(true, [&](Value& one) {
    const auto mounts = one["volumeMounts"].elements();
    for (const Value& mount : mounts) {
      if (mount["mountPath"].text() == path) return;
    }
    one.edit("volumeMounts").push_back({{"name", "mine"}, {"mountPath", path}});
  });
}

void env_of_that_name(PodBuilder& builder, Value& container) {
  Value entry{{"name", like(builder, NameKind::env)}};
  if (builder.c.coin())
    entry.set("value", "mine");
  else
    entry.set("valueFrom", {{"fieldRef", {{"fieldPath", "metadata.name"}}}});
  container.edit("env").push_back(std::move(entry));
}

void env_nearly(PodBuilder& builder, Value& container) {
  const std::string name = near_match(builder.c, like(builder, NameKind::env).text());
  container.edit("env").push_back({{"name", name}, {"value", "mine"}});
}

void port_of_that_name(PodBuilder& builder, Value& container) {
  const Value name = like(builder, NameKind::port_name);
  for (const Value& port : container["ports"].elements()) {
    if (port["name"].text() == name.text()) return;
  }
  container.edit("ports").push_back({{"name", name}, {"containerPort", builder.c.between(7100, 7199)}});
}

void port_of_that_number(PodBuilder& builder, Value& container) {
  Value port{{"containerPort", like(builder, NameKind::port)}};
  // On the host's network a port number is shared by all containers, whatever its name.
  const bool is_on_host = builder.c.one_in(3);
  if (!is_on_host && builder.c.coin()) port.set("protocol", "UDP");
  container.edit("ports").push_back(std::move(port));
  if (is_on_host) builder.spec.set("hostNetwork", true);
}

void image_of_that_name(PodBuilder& builder, Value& container) {
  const std::string name(like(builder, NameKind::container).text());
  container.set("image", builder.c.coin() ? "registry.example/" + name + ":1" : "my-" + name + "-tools:2");
}

/// Returns true if that member is part of the key of the list's elements in the API.
bool is_key(std::string_view list, std::string_view member) {
  for (const apiserver::Field& field : apiserver::kPodSpec.fields) {
    if (field.name.text != list || field.keys.empty()) continue;
    const auto& members = field.keys.front().members;
    return member == members[0] || member == members[1];
  }
  return false;
}

bool is_map(std::string_view list) {
  return std::any_of(
      apiserver::kPodSpec.fields.begin(), apiserver::kPodSpec.fields.end(),
      [&](const auto& field) { return field.name.text == list && field.many == apiserver::Many::map; });
}

/// Changes the content of the element, but not its key.
void change_content(PodBuilder& builder, std::string_view list, Value& element) {
  std::vector<std::string> members;
  for (const auto& member : element.members()) {
    if (!is_key(list, member.key.text())) members.emplace_back(member.key.text());
  }
  if (members.empty()) return;
  const Name member(builder.c.pick(members));
  const auto number = element[member].integer();
  if (number)
    element.set(member, *number + 1);
  else if (element[member].is_string() && builder.c.coin())
    element.set(member, near_match(builder.c, element[member].text()));
  else
    element.remove(member);
}

const std::vector<PreparedVocabulary::KeyedValues>* some_keyed_values(
    PodBuilder& builder, std::vector<PreparedVocabulary::KeyedValues> PreparedVocabulary::* kind) {
  if (builder.vocabularies.empty()) return nullptr;
  const auto& all_keyed = builder.c.pick(builder.vocabularies)->*kind;
  return all_keyed.empty() ? nullptr : &all_keyed;
}

/// Adds a key of the vocabulary with a value that is nearly right, or a key that is nearly one of the
/// vocabulary.
template <bool kAsLabel>
void nearly_a_trigger(PodBuilder& builder, Value& metadata) {
  const auto* all_keyed =
      some_keyed_values(builder, kAsLabel ? &PreparedVocabulary::labels : &PreparedVocabulary::annotations);
  if (all_keyed == nullptr) return;
  const auto& [key, values] = builder.c.pick(*all_keyed);
  Value& map = metadata.edit(kAsLabel ? "labels" : "annotations");
  const std::string value = values.empty() ? "true" : std::string(builder.c.pick(values).text());
  switch (builder.c.below(5)) {
    case 0:
      map.remove(key);
      return map.set(key + "-1", value);
    case 1:
      return map.set(key, "");
    case 2:
      return map.set(key, "TRUE");
    case 3:
      return map.set(key, value.empty() ? "x" : value + "x");
    default:
      map.remove(key);
      return map.set(key.substr(key.find('/') + 1), value);
  }
}

/// Puts a key where it has no meaning: an annotation as a label, a label as an annotation.
void trigger_elsewhere(PodBuilder& builder, Value& metadata) {
  const bool as_label = builder.c.coin();
  const auto* all_keyed =
      some_keyed_values(builder, as_label ? &PreparedVocabulary::annotations : &PreparedVocabulary::labels);
  if (all_keyed == nullptr) return;
  const auto& [key, values] = builder.c.pick(*all_keyed);
  metadata.edit(as_label ? "labels" : "annotations").set(key, "true");
}

std::vector<std::string> keys_of(const Value& map) {
  std::vector<std::string> keys;
  for (const auto& member : map.members()) keys.emplace_back(member.key.text());
  return keys;
}

std::vector<std::string> names_in(const Value& list) {
  std::vector<std::string> names;
  for (const Value& each : list.elements())
    if (each["name"].is_string()) names.emplace_back(each["name"].text());
  return names;
}

/// Returns the Pod's names of one kind, among them keys with a prefix.
std::vector<std::string> some_names(PodBuilder& builder, Value& metadata) {
  switch (builder.c.below(6)) {
    case 0:
      metadata.edit("labels").set("shop.example.com/tier", "web");
      return keys_of(metadata["labels"]);
    case 1:
      return names_in(builder.spec["containers"]);
    case 2:
      return names_in(builder.spec["volumes"]);
    case 3:
      return names_in(builder.spec["containers"].at(0)["env"]);
    default:
      metadata.edit("annotations").set("shop.example.com/team", "web");
      return keys_of(metadata["annotations"]);
  }
}

/// Sets an annotation to the names of one or two parts of the Pod: containers, volumes, keys of its maps.
void value_of_names(PodBuilder& builder, Value& metadata) {
  const auto* all_keyed = some_keyed_values(builder, &PreparedVocabulary::annotations);
  if (all_keyed == nullptr) return;
  const std::string key = builder.c.pick(*all_keyed).key;
  const std::vector<std::string> names = some_names(builder, metadata);
  if (names.empty()) return;
  std::string value = builder.c.pick(names);
  if (builder.c.coin()) value += "," + builder.c.pick(names);
  metadata.edit("annotations").set(key, value);
}

/// Puts a part of a text that a webhook searches for where programs search: into the value of a variable, an
/// argument, an image or an annotation.
void text_with_fragment(PodBuilder& builder, Value& container) {
  const auto has_any = [](const PreparedVocabulary* words) {
    return !words->names[NameKind::fragment].empty();
  };
  if (std::none_of(builder.vocabularies.begin(), builder.vocabularies.end(), has_any)) return;
  std::string text(like(builder, NameKind::fragment).text());
  if (builder.c.one_in(4)) text.insert(0, "x");
  if (!builder.c.one_in(4)) text += builder.c.coin() ? "x" : "x/y";
  switch (builder.c.below(6)) {
    case 0:
      return container.edit("args").push_back(text);
    case 1:
      return container.set("image", text);
    case 2:
      return builder.metadata.edit("annotations").set("shop.example.com/text", text);
    default:
      return container.edit("env").push_back({{"name", builder.word(NameKind::env)}, {"value", text}});
  }
}

constexpr Feature kNearMatchFeatures[] = {
    {"near-matches/container", exotic, Place::spec, {}, named_container},
    {"near-matches/volume-alone", exotic, Place::spec, {}, volume_alone},
    {"near-matches/volume-of-another-source", exotic, Place::spec, {}, volume_of_another_source},
    {"near-matches/nearly-volume", exotic, Place::spec, {}, nearly_volume},
    {"near-matches/taken-path", exotic, Place::spec, {}, taken_path},
    {"near-matches/path-below", exotic, Place::spec, {}, path_below},
    {"near-matches/env", exotic, Place::any_container, {}, env_of_that_name},
    {"near-matches/env-nearly", exotic, Place::any_container, {}, env_nearly},
    {"near-matches/port-name", exotic, Place::container, {}, port_of_that_name},
    {"near-matches/port-number", exotic, Place::container, {}, port_of_that_number},
    {"near-matches/image", exotic, Place::container, {}, image_of_that_name},
    {"near-matches/nearly-annotation", exotic, Place::metadata, {}, nearly_a_trigger<false>},
    {"near-matches/nearly-label", exotic, Place::metadata, {}, nearly_a_trigger<true>},
    {"near-matches/trigger-elsewhere", exotic, Place::metadata, {}, trigger_elsewhere},
    {"near-matches/value-of-names", exotic, Place::metadata, {}, value_of_names},
    {"near-matches/text-with-fragment", exotic, Place::any_container, {}, text_with_fragment},
    {"near-matches/init-of-that-name", exotic, Place::init_container, {}},
};

std::vector<std::string> parts_of_list(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    std::string_view part = text.substr(at, end - at);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    parts.emplace_back(part);
    at = end + 1;
  }
  return parts;
}

/// Returns true if the text is a list of names that all occur in `names`.
bool lists(std::string_view text, const std::vector<std::string>& names) {
  const auto parts = parts_of_list(text);
  return std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
    return std::find(names.begin(), names.end(), part) != names.end();
  });
}

}  // namespace

void put_longer_list(PodBuilder& builder) {
  constexpr const char* kKey = "shop.example.com/team";
  for (const auto& [name, value] : builder.metadata["annotations"].members()) {
    const std::string key(name.text()), text(value.text());
    for (const char* map : {"annotations", "labels"}) {
      if (!lists(text, keys_of(builder.metadata[map]))) continue;
      if (!builder.c.one_in(3)) return;
      builder.metadata.edit(map).set(kKey, "web");
      return builder.metadata.edit("annotations").set(key, text + "," + kKey);
    }
  }
}

void put_alike(PodBuilder& builder, const PreparedVocabulary& prepared_vocabulary) {
  const auto& [list, value] = builder.c.pick(prepared_vocabulary.elements);
  Value element = value;
  if (builder.c.coin()) change_content(builder, list, element);
  builder.features.push_back("near-matches/element");
  Value& into = builder.spec.edit(Name(list));
  if (!is_map(list)) return into.push_back(std::move(element));
  for (const auto& [key, entry] : element.members()) into.set(key.text(), entry);
}

std::span<const Feature> near_match_features() { return kNearMatchFeatures; }

}  // namespace fixpoint::generators
