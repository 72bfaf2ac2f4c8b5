#include "harness/runner/trigger.h"

#include <algorithm>
#include <array>

#include "harness/document/json.h"
#include "harness/runner/field_path.h"

namespace fixpoint::runner {

namespace {

using Where = Trigger::Where;
using Tellings = std::vector<Vocabulary::Telling>;

/// Where the vocabulary keeps the triggers of a place.
struct Row {
  Where where;
  std::string_view word;
  Tellings Vocabulary::* common;
  Tellings Vocabulary::* rare;
};
constexpr auto kRows = std::to_array<Row>({
    {Where::label, "label", &Vocabulary::labels, &Vocabulary::rare_labels},
    {Where::annotation, "annotation", &Vocabulary::annotations, &Vocabulary::rare_annotations},
    {Where::namespace_label, "namespaceLabel", &Vocabulary::namespace_labels,
     &Vocabulary::rare_namespace_labels},
    {Where::namespace_annotation, "namespaceAnnotation", &Vocabulary::namespace_annotations,
     &Vocabulary::rare_namespace_annotations},
    {Where::field, "field", &Vocabulary::fields, &Vocabulary::rare_fields},
});

void add(std::vector<Trigger>& triggers, Where where, const Vocabulary::Telling& telling, bool is_rare) {
  const auto& [key, values] = telling;
  if (values.empty()) return;
  const auto is_it = [&](const Trigger& one) { return one.where == where && one.key == key; };
  const auto there = std::find_if(triggers.begin(), triggers.end(), is_it);
  if (there == triggers.end()) {
    triggers.push_back({.where = where, .key = key, .values = values, .is_rare = is_rare});
    return;
  }
  for (const std::string& value : values) {
    if (std::find(there->values.begin(), there->values.end(), value) == there->values.end())
      there->values.push_back(value);
  }
}

/// The option that one of these values is, each compared as `text_of` writes it; the first of those that are
/// known counts.
template <class TextOf>
std::size_t option_among(const Trigger& trigger, const std::vector<Value>& present, const TextOf& text_of) {
  if (present.empty()) return 0;
  for (const Value& value : present) {
    const auto found = std::find(trigger.values.begin(), trigger.values.end(), text_of(value));
    if (found != trigger.values.end()) return static_cast<std::size_t>(found - trigger.values.begin()) + 1;
  }
  return trigger.values.size() + 1;
}

std::size_t option_in(const Trigger& trigger, const Value& map) {
  const Value* found = map.find(trigger.key);
  if (found == nullptr) return 0;
  return option_among(trigger, {*found}, [](const Value& value) { return value.text(); });
}

std::size_t option_of_field(const Trigger& trigger, const cases::Case& value) {
  const auto text_of = [](const Value& one) { return document::write_json(one); };
  if (trigger.key == "metadata.namespace")
    return option_among(trigger, {Value(value.request.namespace_name)}, text_of);
  const auto path = parse_field_path(trigger.key);
  return path ? option_among(trigger, values_at(value.request.object, *path), text_of) : 0;
}

const Value& metadata_of_namespace(const cases::Case& value) {
  const Value* found = value.cluster.find("Namespace", "", value.request.namespace_name);
  static const Value none;
  return found == nullptr ? none : (*found)["metadata"];
}

}  // namespace

std::string_view word(Where where) {
  const auto is_it = [&](const Row& row) { return row.where == where; };
  return std::find_if(kRows.begin(), kRows.end(), is_it)->word;
}

std::vector<Trigger> triggers_of(const Vocabulary& vocabulary) {
  std::vector<Trigger> triggers;
  for (const Row& row : kRows) {
    for (const auto& telling : vocabulary.*row.common) add(triggers, row.where, telling, false);
    for (const auto& telling : vocabulary.*row.rare) add(triggers, row.where, telling, true);
  }
  return triggers;
}

std::size_t option_of(const Trigger& trigger, const cases::Case& value) {
  switch (trigger.where) {
    case Where::label:
      return option_in(trigger, value.request.object["metadata"]["labels"]);
    case Where::annotation:
      return option_in(trigger, value.request.object["metadata"]["annotations"]);
    case Where::namespace_label:
      return option_in(trigger, metadata_of_namespace(value)["labels"]);
    case Where::namespace_annotation:
      return option_in(trigger, metadata_of_namespace(value)["annotations"]);
    default:
      return option_of_field(trigger, value);
  }
}

}  // namespace fixpoint::runner
