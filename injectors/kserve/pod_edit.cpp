#include "injectors/kserve/pod_edit.h"

#include <algorithm>

namespace fixpoint::injectors::kserve {

namespace {

constexpr document::Name kMetadata = "metadata", kSpec = "spec", kNameOf = "name", kValue = "value";

/// Sets a text; removes the member if the text is empty, as omitempty does.
void set_text(Value& object, const document::Name& member, std::string_view text) {
  if (text.empty()) {
    object.remove(member);
  } else {
    object.set(member, text);
  }
}

std::optional<std::size_t> index_named(const Value& list, std::string_view name) {
  const auto elements = list.elements();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i][kNameOf].text() == name) return i;
  }
  return std::nullopt;
}

}  // namespace

const Value* annotation(const Value& pod, const document::Name& key) {
  return pod[kMetadata]["annotations"].find(key);
}

const Value* label(const Value& pod, const document::Name& key) { return pod[kMetadata]["labels"].find(key); }

std::string_view annotation_or(const Value& pod, const document::Name& key, std::string_view fallback) {
  const Value* found = annotation(pod, key);
  return found == nullptr ? fallback : found->text();
}

void annotate(Value& pod, const document::Name& key, std::string_view value) {
  const Value* old = annotation(pod, key);
  if (old != nullptr && old->text() == value) return;
  pod.edit(kMetadata).edit("annotations").set(key, value);
}

std::optional<std::size_t> find_container(const Value& pod, const char* list, std::string_view name) {
  return index_named(pod[kSpec][list], name);
}
std::optional<std::size_t> find_container(const Value& pod, std::string_view name) {
  return find_container(pod, "containers", name);
}
Value& container_at(Value& pod, std::size_t index) { return pod.edit(kSpec).edit("containers").edit(index); }
Value& init_container_at(Value& pod, std::size_t index) {
  return pod.edit(kSpec).edit("initContainers").edit(index);
}

Value env(std::string_view name, std::string_view value) {
  Value entry{{"name", name}};
  if (!value.empty()) entry.set(kValue, value);
  return entry;
}

Value env_from_secret(std::string_view name, std::string_view secret, std::string_view key) {
  Value reference = Value::empty_object();
  if (!secret.empty()) reference.set(kNameOf, secret);
  reference.set("key", key);
  return {{"name", name}, {"valueFrom", Value{{"secretKeyRef", reference}}}};
}

void append_env(Value& container, std::string_view name, std::string_view value) {
  container.edit("env").push_back(env(name, value));
}

void merge_env(Value& container, const Value& entry) {
  const auto at = index_named(container["env"], entry[kNameOf].text());
  if (!at) return container.edit("env").push_back(entry);
  if (container["env"].at(*at)[kValue].text() == entry[kValue].text()) return;
  set_text(container.edit("env").edit(*at), kValue, entry[kValue].text());
}

void merge_env(Value& container, std::string_view name, std::string_view value) {
  merge_env(container, env(name, value));
}

void add_env_if_absent(Value& container, std::string_view name, std::string_view value) {
  if (!has_named(container["env"], name)) append_env(container, name, value);
}

void append_mount(Value& container, const Mount& mount) {
  Value entry{{"name", mount.name}};
  if (mount.read_only) entry.set("readOnly", true);
  entry.set("mountPath", mount.path);
  if (!mount.sub_path.empty()) entry.set("subPath", mount.sub_path);
  container.edit("volumeMounts").push_back(std::move(entry));
}

bool add_mount_if_absent(Value& container, const Mount& mount) {
  if (has_named(container["volumeMounts"], mount.name)) return false;
  append_mount(container, mount);
  return true;
}

Value volume(std::string_view name, const char* source, Value settings) {
  return {{"name", name}, {source, std::move(settings)}};
}

Value empty_dir(std::string_view name) { return volume(name, "emptyDir", Value::empty_object()); }

void append_volume(Value& pod, Value entry) { pod.edit(kSpec).edit("volumes").push_back(std::move(entry)); }

bool add_volume_if_absent(Value& pod, Value entry) {
  if (has_named(pod[kSpec]["volumes"], entry[kNameOf].text())) return false;
  append_volume(pod, std::move(entry));
  return true;
}

}  // namespace fixpoint::injectors::kserve
