#include "generators/mutate_pod.h"

#include <algorithm>
#include <array>

#include "generators/pod/feature.h"
#include "generators/pod/typed.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/types/pod_types.h"

namespace fixpoint::generators {

namespace {

void drop_part(Value& node, Choices& choices) {
  const auto at = static_cast<std::ptrdiff_t>(choices.below(node.size()));
  if (node.is_array()) {
    auto& elements = node.edit_elements();
    elements.erase(elements.begin() + at);
  } else {
    auto& members = node.edit_members();
    members.erase(members.begin() + at);
  }
}

void double_part(Value& node, Choices& choices) {
  const std::size_t at = choices.below(node.size());
  if (node.is_array()) {
    const Value copy = node.at(at);
    auto& elements = node.edit_elements();
    elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(choices.below(elements.size() + 1)), copy);
  } else {
    auto& members = node.edit_members();
    const Value copy = members[at].value;
    members[choices.below(members.size())].value = copy;
  }
}

void swap_parts(Value& node, Choices& choices) {
  const std::size_t a = choices.below(node.size()), b = choices.below(node.size());
  if (a == b) return;
  if (node.is_array()) {
    auto& elements = node.edit_elements();
    std::swap(elements[a], elements[b]);
  } else {
    auto& members = node.edit_members();
    std::swap(members[a].value, members[b].value);
  }
}

Value some_scalar(Choices& choices) {
  static const std::array<Value, 12> scalars{
      "", "a", "x:1", "/", "a/b~c\"\\\n", "$(A)", 0, 1, Value::number("9007199254740993"), true, false, {}};
  return choices.pick(scalars);
}

/// Returns true if features can be added to the Pod: it decodes, so that every member has its type, and it
/// has a container.
bool takes_features(const Value& pod) {
  return pod["metadata"].is_object() && pod["spec"]["containers"].at(0).is_object() &&
         apiserver::decode_pod(pod).ok();
}

std::vector<Value> put_feature(Value& pod, const std::vector<const PreparedVocabulary*>& vocabularies,
                               Choices& choices) {
  PodBuilder builder{
      .c = choices, .vocabularies = vocabularies, .metadata = pod["metadata"], .spec = pod["spec"]};
  pod.remove("metadata"), pod.remove("spec");
  put(*choices.pick(all_features()), builder);
  pod.set("metadata", builder.metadata);
  pod.set("spec", builder.spec);
  return std::move(builder.objects);
}

void set_field(Value& pod, Choices& choices) {
  std::size_t count = 0;
  visit_objects(pod, apiserver::kPod, [&](Value&, const Type&) { ++count; });
  std::size_t left = choices.below(count);
  visit_objects(pod, apiserver::kPod, [&](Value& object, const Type& type) {
    if (left-- != 0) return;
    const Field& field = choices.pick(type.fields);
    if (field.name.text == "status" || field.name.text == "kind" || field.name.text == "apiVersion") return;
    object.set(field.name, choices.one_in(4) ? zero_value(field) : some_value(field, choices));
  });
}

void set_trigger(Value& pod, const std::vector<const PreparedVocabulary*>& vocabularies, Choices& choices) {
  if (vocabularies.empty()) return;
  const PreparedVocabulary& prepared_vocabulary = *choices.pick(vocabularies);
  const bool as_label = choices.coin();
  const auto& all_keyed = as_label ? prepared_vocabulary.labels : prepared_vocabulary.annotations;
  if (all_keyed.empty()) return;
  const auto& [key, values] = choices.pick(all_keyed);
  Value& metadata = pod.edit("metadata");
  if (!metadata.is_object() && !metadata.is_null()) return;
  Value& map = metadata.edit(as_label ? "labels" : "annotations");
  if (!map.is_object() && !map.is_null()) return;
  map.set(key, values.empty() ? Value("true") : choices.pick(values));
}

void rename_container(Value& pod, const std::vector<const PreparedVocabulary*>& vocabularies,
                      Choices& choices) {
  const std::size_t count = pod["spec"]["containers"].elements().size();
  if (count == 0) return;
  const std::size_t at = choices.below(count);
  if (!pod["spec"]["containers"].at(at).is_object()) return;
  PodBuilder prepared_vocabulary{.c = choices, .vocabularies = vocabularies};
  pod.edit("spec").edit("containers").edit(at).set("name", prepared_vocabulary.word(NameKind::container));
}

}  // namespace

Value& some_node(Value& root, Choices& choices) {
  Value* node = &root;
  for (bool first = true; !node->empty(); first = false) {
    if (!first && choices.below(4) == 0) break;
    const std::size_t at = choices.below(node->size());
    node = node->is_array() ? &node->edit(at) : &node->edit_members()[at].value;
  }
  return *node;
}

void mutate_document(Value& root, const Value& lender, Choices& choices) {
  if (root.empty()) return;
  Value lent = lender;
  Value& node = some_node(root, choices);
  if (node.empty()) {
    node = choices.coin() ? some_scalar(choices) : some_node(lent, choices);
    return;
  }
  switch (choices.below(5)) {
    case 0:
      return drop_part(node, choices);
    case 1:
      return double_part(node, choices);
    case 2:
      return swap_parts(node, choices);
    case 3: {
      const Value borrowed = some_node(lent, choices);
      if (node.is_array())
        node.push_back(borrowed);
      else
        node.edit_members()[choices.below(node.size())].value = borrowed;
      return;
    }
    default:
      some_node(node, choices) = some_scalar(choices);
  }
}

std::vector<Value> mutate_pod(Value& pod, const std::vector<const PreparedVocabulary*>& vocabularies,
                              Choices& choices) {
  switch (choices.below(8)) {
    case 0:
    case 1:
    case 2:
      if (takes_features(pod)) return put_feature(pod, vocabularies, choices);
      break;
    case 3:
      set_field(pod, choices);
      return {};
    case 4:
      set_trigger(pod, vocabularies, choices);
      return {};
    case 5:
      rename_container(pod, vocabularies, choices);
      return {};
    default:
      break;
  }
  const Value lender = pod;
  mutate_document(pod, lender, choices);
  return {};
}

}  // namespace fixpoint::generators
