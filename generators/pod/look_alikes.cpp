#include <algorithm>

#include "generators/pod/feature.h"
#include "harness/apiserver/types/pod_types.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

/// Draws a near match of an injected element, or its very name.
Value like(Draft& draft, std::vector<Value> Words::* kind) { return draft.word(kind); }

void named_container(Draft& draft, Value& spec) {
  Value name = draft.fresh_container_name(&Words::containers);
  if (draft.c.coin()) {
    std::string nearly = look_alike(draft.c, name.text());
    for (char& letter : nearly)
      letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    if (!draft.has_container(nearly)) name = nearly;
  }
  auto& containers = spec.edit("containers").edit_elements();
  containers.insert(draft.c.coin() ? containers.begin() : containers.end(),
                    Value{{"name", name}, {"image", "x:1"}});
}

/// The name of the volume is there, the mount is not; or only some containers have it.
void volume_alone(Draft& draft, Value& spec) {
  const Value name = like(draft, &Words::volumes);
  merge_into(spec, {{"volumes", Value::list({Value{{"name", name}, {"emptyDir", Value::empty_object()}}})}});
}

void volume_of_another_source(Draft& draft, Value& spec) {
  const Value name = like(draft, &Words::volumes);
  merge_into(spec,
             {{"volumes", Value::list({Value{{"name", name}, {"configMap", {{"name", "settings"}}}}})}});
  draft.mount(name);
}

void nearly_volume(Draft& draft, Value& spec) {
  const std::string name = std::string(like(draft, &Words::volumes).text()) + (draft.c.coin() ? "-1" : "s");
  merge_into(spec, {{"volumes", Value::list({Value{{"name", name}, {"emptyDir", Value::empty_object()}}})}});
  draft.mount(name);
}

/// The user's own volume stands at the path of an injected mount.
void taken_path(Draft& draft, Value& spec) {
  merge_into(spec,
             {{"volumes", Value::list({Value{{"name", "mine"}, {"emptyDir", Value::empty_object()}}})}});
  draft.mount("mine");
}

void path_below(Draft& draft, Value& spec) {
  merge_into(spec,
             {{"volumes", Value::list({Value{{"name", "mine"}, {"emptyDir", Value::empty_object()}}})}});
  const std::string path =
      std::string(like(draft, &Words::mount_paths).text()) + (draft.c.coin() ? "/" : "/sub");
  draft.mount("mine", {{"readOnly", true}});
  draft.some_containers(true, [&](Value& one) {
    const auto mounts = one["volumeMounts"].elements();
    for (const Value& mount : mounts) {
      if (mount["mountPath"].text() == path) return;
    }
    one.edit("volumeMounts").push_back({{"name", "mine"}, {"mountPath", path}});
  });
}

void env_of_that_name(Draft& draft, Value& container) {
  Value entry{{"name", like(draft, &Words::env)}};
  if (draft.c.coin())
    entry.set("value", "mine");
  else
    entry.set("valueFrom", {{"fieldRef", {{"fieldPath", "metadata.name"}}}});
  container.edit("env").push_back(std::move(entry));
}

void env_nearly(Draft& draft, Value& container) {
  const std::string name = look_alike(draft.c, like(draft, &Words::env).text());
  container.edit("env").push_back({{"name", name}, {"value", "mine"}});
}

void port_of_that_name(Draft& draft, Value& container) {
  const Value name = like(draft, &Words::port_names);
  for (const Value& port : container["ports"].elements()) {
    if (port["name"].text() == name.text()) return;
  }
  container.edit("ports").push_back({{"name", name}, {"containerPort", draft.c.between(7100, 7199)}});
}

void port_of_that_number(Draft& draft, Value& container) {
  Value port{{"containerPort", like(draft, &Words::ports)}};
  // On the host a number is taken for all containers, whatever they call it.
  const bool is_on_host = draft.c.one_in(3);
  if (!is_on_host && draft.c.coin()) port.set("protocol", "UDP");
  container.edit("ports").push_back(std::move(port));
  if (is_on_host) draft.spec.set("hostNetwork", true);
}

void image_of_that_name(Draft& draft, Value& container) {
  const std::string name(like(draft, &Words::containers).text());
  container.set("image", draft.c.coin() ? "registry.example/" + name + ":1" : "my-" + name + "-tools:2");
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

/// Another content under the same key.
void change_content(Draft& draft, std::string_view list, Value& element) {
  std::vector<std::string> members;
  for (const auto& member : element.members()) {
    if (!is_key(list, member.key.text())) members.emplace_back(member.key.text());
  }
  if (members.empty()) return;
  const Name member(draft.c.pick(members));
  const auto number = element[member].integer();
  if (number)
    element.set(member, *number + 1);
  else if (element[member].is_string() && draft.c.coin())
    element.set(member, look_alike(draft.c, element[member].text()));
  else
    element.remove(member);
}

const std::vector<Words::Telling>* some_tellings(Draft& draft, std::vector<Words::Telling> Words::* kind) {
  if (draft.vocabularies.empty()) return nullptr;
  const auto& tellings = draft.c.pick(draft.vocabularies)->*kind;
  return tellings.empty() ? nullptr : &tellings;
}

/// A key of the vocabulary with a value that is nearly right, or a key that is nearly one.
template <bool kAsLabel>
void nearly_telling(Draft& draft, Value& metadata) {
  const auto* tellings = some_tellings(draft, kAsLabel ? &Words::labels : &Words::annotations);
  if (tellings == nullptr) return;
  const auto& [key, values] = draft.c.pick(*tellings);
  Value& map = metadata.edit(kAsLabel ? "labels" : "annotations");
  const std::string value = values.empty() ? "true" : std::string(draft.c.pick(values).text());
  switch (draft.c.below(5)) {
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

/// The key stands where it means nothing: an annotation as a label, a label as an annotation.
void telling_elsewhere(Draft& draft, Value& metadata) {
  const bool as_label = draft.c.coin();
  const auto* tellings = some_tellings(draft, as_label ? &Words::annotations : &Words::labels);
  if (tellings == nullptr) return;
  const auto& [key, values] = draft.c.pick(*tellings);
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

/// Names of one kind that the Pod has, keys with a prefix among them.
std::vector<std::string> some_names(Draft& draft, Value& metadata) {
  switch (draft.c.below(6)) {
    case 0:
      metadata.edit("labels").set("shop.example.com/tier", "web");
      return keys_of(metadata["labels"]);
    case 1:
      return names_in(draft.spec["containers"]);
    case 2:
      return names_in(draft.spec["volumes"]);
    case 3:
      return names_in(draft.spec["containers"].at(0)["env"]);
    default:
      metadata.edit("annotations").set("shop.example.com/team", "web");
      return keys_of(metadata["annotations"]);
  }
}

/// A setting whose value names parts of the Pod, one or some of them: containers, volumes, keys of its maps.
void value_of_names(Draft& draft, Value& metadata) {
  const auto* tellings = some_tellings(draft, &Words::annotations);
  if (tellings == nullptr) return;
  const std::string key = draft.c.pick(*tellings).key;
  const std::vector<std::string> names = some_names(draft, metadata);
  if (names.empty()) return;
  std::string value = draft.c.pick(names);
  if (draft.c.coin()) value += "," + draft.c.pick(names);
  metadata.edit("annotations").set(key, value);
}

constexpr Feature kLookAlikeFeatures[] = {
    {"look-alikes/container", exotic, Place::spec, {}, named_container},
    {"look-alikes/volume-alone", exotic, Place::spec, {}, volume_alone},
    {"look-alikes/volume-of-another-source", exotic, Place::spec, {}, volume_of_another_source},
    {"look-alikes/nearly-volume", exotic, Place::spec, {}, nearly_volume},
    {"look-alikes/taken-path", exotic, Place::spec, {}, taken_path},
    {"look-alikes/path-below", exotic, Place::spec, {}, path_below},
    {"look-alikes/env", exotic, Place::any_container, {}, env_of_that_name},
    {"look-alikes/env-nearly", exotic, Place::any_container, {}, env_nearly},
    {"look-alikes/port-name", exotic, Place::container, {}, port_of_that_name},
    {"look-alikes/port-number", exotic, Place::container, {}, port_of_that_number},
    {"look-alikes/image", exotic, Place::container, {}, image_of_that_name},
    {"look-alikes/nearly-annotation", exotic, Place::metadata, {}, nearly_telling<false>},
    {"look-alikes/nearly-label", exotic, Place::metadata, {}, nearly_telling<true>},
    {"look-alikes/telling-elsewhere", exotic, Place::metadata, {}, telling_elsewhere},
    {"look-alikes/value-of-names", exotic, Place::metadata, {}, value_of_names},
    {"look-alikes/init-of-that-name", exotic, Place::init_container, {}},
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

/// Returns true if the text is a list of names that are all there.
bool lists(std::string_view text, const std::vector<std::string>& names) {
  const auto parts = parts_of_list(text);
  return std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
    return std::find(names.begin(), names.end(), part) != names.end();
  });
}

}  // namespace

void put_longer_list(Draft& draft) {
  constexpr const char* kKey = "shop.example.com/team";
  for (const auto& [name, value] : draft.metadata["annotations"].members()) {
    const std::string key(name.text()), text(value.text());
    for (const char* map : {"annotations", "labels"}) {
      if (!lists(text, keys_of(draft.metadata[map]))) continue;
      if (!draft.c.one_in(3)) return;
      draft.metadata.edit(map).set(kKey, "web");
      return draft.metadata.edit("annotations").set(key, text + "," + kKey);
    }
  }
}

void put_alike(Draft& draft, const Words& words) {
  const auto& [list, value] = draft.c.pick(words.elements);
  Value element = value;
  if (draft.c.coin()) change_content(draft, list, element);
  draft.features.push_back("look-alikes/element");
  Value& into = draft.spec.edit(Name(list));
  if (!is_map(list)) return into.push_back(std::move(element));
  for (const auto& [key, entry] : element.members()) into.set(key.text(), entry);
}

std::span<const Feature> look_alike_features() { return kLookAlikeFeatures; }

}  // namespace fixpoint::generators
