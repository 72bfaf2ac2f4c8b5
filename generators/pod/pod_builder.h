#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generators/pod/prepared_vocabulary.h"

namespace fixpoint::generators {

/// A Pod while it is drawn, with the objects around it.
struct PodBuilder {
  Choices& c;
  const std::vector<const PreparedVocabulary*>&
      vocabularies;  ///< of the webhooks in the chain, the subject's first
  std::string_view namespace_name = "default";
  Value metadata = Value::empty_object();
  Value spec = Value::empty_object();
  std::vector<Value> objects = {};              ///< of the cluster, that the Pod refers to
  std::vector<std::string_view> features = {};  ///< the names of the added features

  /// Draws a word of that kind: of a vocabulary or a plain one, evenly.
  const Value& word(std::vector<Value> PreparedVocabulary::* kind);
  /// Draws a word of that kind of a webhook in the chain; a neutral one if none has any.
  const Value& webhook_word(std::vector<Value> PreparedVocabulary::* kind);
  bool has_container(std::string_view name) const;
  /// Draws a word that names no container of the Pod yet.
  Value fresh_container_name(std::vector<Value> PreparedVocabulary::* kind);
  /// The element for writing; lists are containers, initContainers.
  Value& container(const Name& list, std::size_t index) { return spec.edit(list).edit(index); }

  /// A new volume with a name that no other has, without a source; answers the name.
  Value add_volume(const Value& volume);
  /// Mounts it in one container or all of them, where the path is free.
  void mount(const Value& name, const Value& more = {});
  /// Passes the chosen containers of the Pod to `change`: one of them, or all. `also_plain_init` includes
  /// plain init containers beside regular containers and native sidecars.
  template <class Change>
  void some_containers(bool also_plain_init, const Change& change);
};

/// Merges the fragment: adds missing members, and elements whose name (or value) is missing. Existing values
/// are kept.
void merge_into(Value& value, const Value& fragment);

bool is_native_sidecar(const Value& container);

template <class Change>
void PodBuilder::some_containers(bool also_plain_init, const Change& change) {
  const std::size_t regular = spec["containers"].size();
  std::size_t init = 0;
  for (const Value& one : spec["initContainers"].elements())
    init += also_plain_init || is_native_sidecar(one) ? 1 : 0;
  const std::size_t wanted =
      c.below(regular + init + 1);  // one of them; all when there is none of that number
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
