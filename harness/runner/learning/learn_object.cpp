#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "harness/cases/kind.h"
#include "harness/cases/object_name.h"
#include "harness/document/json.h"
#include "harness/document/yaml.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/text_forms.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::runner {

namespace {

using Where = Trigger::Where;

/// Deeper, an object of a chart says nothing about Pods.
constexpr int kDepthMax = 12;

bool contains(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

/// Reads one object of a manifest for the Pods that its webhook changes.
class ManifestObject {
 public:
  ManifestObject(Vocabulary& words, const Value& object)
      : words_(words),
        place_(std::string(object["kind"].text()).append(" ").append(object["metadata"]["name"].text())) {}

  /// Reads a member and all below it. A ConfigMap holds documents in texts.
  void read(std::string_view name, const Value& value, int depth = 0) {
    if (depth > kDepthMax) return;
    if (value.is_string()) return read_text(name, value.text(), depth);
    if (!value["matchLabels"].is_null() || !value["matchExpressions"].is_null())
      return read_selector(name, value);
    for (const auto& [key, below] : value.members()) read(key.text(), below, depth + 1);
    for (const Value& below : value.elements()) read(name, below, depth + 1);
  }

 private:
  void read_selector(std::string_view name, const Value& selector) {
    const Where where = contains(name, "amespace") ? Where::namespace_label : Where::label;
    learn_selector(words_, selector, where);
    for (const auto& [key, value] : selector["matchLabels"].members())
      words_.places.emplace(key.text(), place_);
    for (const Value& expression : selector["matchExpressions"].elements())
      words_.places.emplace(expression["key"].text(), place_);
  }

  void read_text(std::string_view name, std::string_view text, int depth) {
    const bool is_document = contains(text, "\n") || text.starts_with('{') || text.starts_with('[');
    if (is_document) {
      const auto document = document::read_yaml(text);
      if (document && (document->is_object() || document->is_array())) read(name, *document, depth + 1);
      return;
    }
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

  Vocabulary& words_;
  std::string place_;
};

/// Adds the name to the values of each key that the program spells: many hold that of an object.
void learn_name(Vocabulary& words, std::string_view space, std::string_view name) {
  for (Trigger& one : words.triggers) {
    const bool is_of_object = one.where == Where::label || one.where == Where::annotation;
    if (!is_of_object || !words.places.contains(one.key)) continue;
    const auto add = [&](std::string value) {
      const bool is_there = std::find(one.values.begin(), one.values.end(), value) != one.values.end();
      if (!is_there && one.values.size() < kTriggerValuesMax) one.values.push_back(std::move(value));
    };
    add(std::string(name));
    if (one.where == Where::annotation && !space.empty()) add(std::string(space).append("/").append(name));
  }
}

}  // namespace

void learn_from_object(Vocabulary& words, const Value& object) {
  const std::string_view group = cases::group_of(object["apiVersion"].text());
  const std::string_view space = object["metadata"]["namespace"].text();
  if (cases::built_in_kind(group, object["kind"].text()) == nullptr) {
    learn_name(words, space, object["metadata"]["name"].text());
    if (!space.empty() && space != "default")
      learn_trigger(words, Where::field, kNamespaceField, document::write_json(Value(space)), true);
  }
  ManifestObject reader(words, object);
  for (const auto& [name, value] : object.members())
    if (name.text() != "metadata") reader.read(name.text(), value);
}

}  // namespace fixpoint::runner
