#include "generators/pod/pod_builder.h"

#include <algorithm>

#include "harness/document/named.h"

namespace fixpoint::generators {

namespace {

bool has_like(const Value& list, const Value& element) {
  const auto elements = list.elements();
  if (element.is_object() && element["name"].is_string()) return has_named(list, element["name"].text());
  return std::any_of(elements.begin(), elements.end(), [&](const Value& other) { return other == element; });
}

}  // namespace

const Value& PodBuilder::webhook_word(NameKind kind) {
  const std::size_t first = vocabularies.empty() ? 0 : c.below(vocabularies.size());
  for (std::size_t i = 0; i < vocabularies.size(); ++i) {
    const auto& words = vocabularies[(first + i) % vocabularies.size()]->names[kind];
    if (!words.empty()) return c.pick(words);
  }
  return c.pick(neutral_vocabulary().names[kind]);
}

const Value& PodBuilder::word(NameKind kind) {
  return c.coin() ? webhook_word(kind) : c.pick(neutral_vocabulary().names[kind]);
}

bool PodBuilder::has_container(std::string_view name) const {
  return has_named(spec["containers"], name) || has_named(spec["initContainers"], name);
}

Value PodBuilder::fresh_container_name(NameKind kind) {
  Value name = word(kind);
  if (!has_container(name.text())) return name;
  for (int i = 2;; ++i) {
    const std::string numbered = std::string(name.text()) + "-" + std::to_string(i);
    if (!has_container(numbered)) return numbered;
  }
}

Value PodBuilder::add_volume(const Value& volume) {
  Value name = word(NameKind::volume);
  for (int i = 2; has_named(spec["volumes"], name.text()); ++i) {
    name = Value(std::string(word(NameKind::volume).text()) + "-" + std::to_string(i));
  }
  Value whole{{"name", name}};
  merge_into(whole, volume);
  spec.edit("volumes").push_back(std::move(whole));
  return name;
}

void PodBuilder::mount(const Value& name, const Value& more) {
  const Value path = more["mountPath"].is_null() ? word(NameKind::mount_path) : more["mountPath"];
  some_containers(true, [&](Value& container) {
    const auto mounts = container["volumeMounts"].elements();
    const bool taken = std::any_of(mounts.begin(), mounts.end(), [&](const Value& mount) {
      return mount["mountPath"].text() == path.text();
    });
    if (taken) return;
    Value mount{{"name", name}, {"mountPath", path}};
    merge_into(mount, more);
    container.edit("volumeMounts").push_back(std::move(mount));
  });
}

void merge_into(Value& value, const Value& fragment) {
  if (value.is_null()) {
    value = fragment;
  } else if (value.is_object() && fragment.is_object()) {
    for (const auto& member : fragment.members()) {
      const Value* own = value.find(member.key.name());
      if (own == nullptr) {
        value.set(member.key.name(), member.value);
      } else if (own->is_object() || own->is_array()) {
        merge_into(value.edit(member.key.name()), member.value);
      }
    }
  } else if (value.is_array() && fragment.is_array()) {
    for (const Value& element : fragment.elements()) {
      if (!has_like(value, element)) value.push_back(element);
    }
  }
}

bool is_native_sidecar(const Value& container) { return container["restartPolicy"].text() == "Always"; }

}  // namespace fixpoint::generators
