#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generators/pod/prepared_vocabulary.h"

namespace fixpoint::generators {

/// A Pod that is being drawn, with the cluster objects that it needs.
struct PodBuilder {
  Choices& c;
  const std::vector<const PreparedVocabulary*>&
      vocabularies;  ///< those of the webhooks in the chain, the subject's first
  std::string_view namespace_name = "default";
  Value metadata = Value::empty_object();
  Value spec = Value::empty_object();
  std::vector<Value> objects = {};              ///< the cluster objects that the Pod refers to
  std::vector<std::string_view> features = {};  ///< the names of the added features

  /// Draws a value of that kind, as often from a vocabulary as from the neutral one.
  const Value& word(NameKind kind);
  /// Draws a word of that kind of a webhook in the chain; a neutral one if none has any.
  const Value& webhook_word(NameKind kind);
  bool has_container(std::string_view name) const;
  /// Draws a value that is not yet the name of a container of the Pod.
  Value fresh_container_name(NameKind kind);
  /// Returns the element for writing; `list` is containers or initContainers.
  Value& container(const Name& list, std::size_t index) { return spec.edit(list).edit(index); }

  /// Adds a volume without a source under a name that no other volume has. Returns the name.
  Value add_volume(const Value& volume);
  /// Mounts the volume in one container or in all of them, where the path is free.
  void mount(const Value& name, const Value& more = {});
  /// Calls `change` for one container of the Pod or for all of them. `also_plain_init` includes plain init
  /// containers beside regular containers and native sidecars.
  template <class Change>
  void some_containers(bool also_plain_init, const Change& change);
};

/// Merges the fragment: adds missing members, and list elements whose name (or value) is missing. Existing
/// values are kept.
void merge_into(Value& value, const Value& fragment);

bool is_native_sidecar(const Value& container);

template <class Change>
void PodBuilder::some_containers(bool also_plain_init, const Change& change) {
  const std::size_t regular = spec["containers"].size();
  std::size_t init = 0;
  for (const Value& one : spec["initContainers"].elements())
    init += also_plain_init || is_native_sidecar(one) ? 1 : 0;
  const std::size_t wanted = c.below(regular + init + 1);  // the index of one of them; one more means all
  const bool all = wanted == regular + init;
  for (std::size_t i = 0; i < regular; ++i) {
    if (all || i == wanted) change(container("containers", i));
  }
  if (init == 0) return;
  std::size_t at = regular;
  for (std::size_t i = 0; i < spec["initContainers"].size(); ++i) {
    if (!also_plain_init && !is_native_sidecar(spec["initContainers"].at(i))) continue;
    if (all || at == wanted) change(container("initContainers", i));
    ++at;
  }
}

}  // namespace fixpoint::generators
