#include "harness/runner/learning/trigger.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "harness/apiserver/types/walk.h"
#include "harness/cases/request_user.h"
#include "harness/document/json.h"

namespace fixpoint::runner {

namespace {

using Where = Trigger::Where;
using ListOfKeyedValues = std::vector<Vocabulary::KeyedValues>;

/// The members of the vocabulary that hold the triggers of a place.
struct Row {
  Where where;
  ListOfKeyedValues Vocabulary::* common;
  ListOfKeyedValues Vocabulary::* rare;
};
constexpr auto kRows = std::to_array<Row>({
    {Where::label, &Vocabulary::labels, &Vocabulary::rare_labels},
    {Where::annotation, &Vocabulary::annotations, &Vocabulary::rare_annotations},
    {Where::namespace_label, &Vocabulary::namespace_labels, &Vocabulary::rare_namespace_labels},
    {Where::namespace_annotation, &Vocabulary::namespace_annotations,
     &Vocabulary::rare_namespace_annotations},
    {Where::field, &Vocabulary::fields, &Vocabulary::rare_fields},
    {Where::user, &Vocabulary::users, &Vocabulary::rare_users},
});

const Row& row_of(Where where) {
  return *std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.where == where; });
}

void add(std::vector<Trigger>& triggers, Where where, const Vocabulary::KeyedValues& keyed, bool is_rare) {
  const auto& [key, values] = keyed;
  if (values.empty()) return;
  const auto is_it = [&](const Trigger& one) { return one.where == where && one.key == key; };
  const auto there = std::find_if(triggers.begin(), triggers.end(), is_it);
  if (there == triggers.end()) {
    triggers.push_back(trigger_of(where, key, values, is_rare));
    return;
  }
  for (const std::string& value : values) {
    if (std::find(there->values.begin(), there->values.end(), value) == there->values.end())
      there->values.push_back(value);
  }
}

/// Members that accept only certain words, and lists whose elements need more than a name.
struct SampleRow {
  std::string_view member;
  std::string_view json;
};
constexpr auto kSamples = std::to_array<SampleRow>({
    {"restartPolicy", R"("Never")"},
    {"dnsPolicy", R"("Default")"},
    {"preemptionPolicy", R"("Never")"},
    {"imagePullPolicy", R"("Always")"},
    {"initContainers", R"([{"name":"init","image":"x:1"}])"},
    {"tolerations", R"([{"operator":"Exists"}])"},
    {"hostAliases", R"([{"ip":"10.0.0.1"}])"},
    {"ports", R"([{"containerPort":8080}])"},
    {"image", R"("registry.example/app:2")"},
});

/// Returns legal values for the field at the path.
std::vector<std::string> samples_of(const std::string& key) {
  using apiserver::Shape;
  const auto path = parse_field_path(key);
  if (!path || key == kNamespaceField) return {};
  for (const SampleRow& row : kSamples) {
    if (path->back().member == row.member) return {std::string(row.json)};
  }
  std::string pattern = key;
  for (auto at = pattern.find("[*]"); at != std::string::npos; at = pattern.find("[*]"))
    pattern.erase(at + 1, 1);
  const apiserver::Field* field = apiserver::field_at(pattern);
  if (field == nullptr) return {R"("web")"};
  if (field->many == apiserver::Many::map) return {R"({"disk":"ssd"})"};
  const bool is_list = field->many == apiserver::Many::list;
  if (field->shape == Shape::object) return {is_list ? R"([{"name":"web"}])" : "{}"};
  if (is_list) return {R"(["web"])"};
  if (field->shape == Shape::boolean) return {"true", "false"};
  return {field->shape == Shape::int32 || field->shape == Shape::int64 ? "1" : R"("web")"};
}

std::vector<std::string> samples_of(Where where, const std::string& key) {
  if (where == Where::field) return samples_of(key);
  if (where != Where::user) return {"true", "false"};
  return {key == kUserGroups ? "system:masters" : "system:admin"};
}

/// Returns the option of the first known value, each compared in the form of `text_of`.
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
  if (trigger.key == kNamespaceField)
    return option_among(trigger, {Value(value.request.namespace_name)}, text_of);
  if (trigger.path.empty()) return 0;
  return option_among(trigger, values_at(value.request.object, trigger.path), text_of);
}

std::size_t option_of_user(const Trigger& trigger, const cases::Case& value) {
  const cases::UserInfo user = value.request.user_info.value_or(cases::UserInfo{});
  std::vector<Value> present;
  const auto is_of_the_case = [&](const std::string& group) {
    return group != cases::kAuthenticated ||
           std::find(trigger.values.begin(), trigger.values.end(), group) != trigger.values.end();
  };
  if (trigger.key == kUserGroups)
    std::copy_if(user.groups.begin(), user.groups.end(), std::back_inserter(present), is_of_the_case);
  else if (!user.username.empty())
    present.push_back(user.username);
  return option_among(trigger, present, [](const Value& one) { return one.text(); });
}

const Value& metadata_of_namespace(const cases::Case& value) {
  const Value* found = value.cluster.find("Namespace", "", value.request.namespace_name);
  static const Value none;
  return found == nullptr ? none : (*found)["metadata"];
}

}  // namespace

Trigger trigger_of(Where where, std::string key, std::vector<std::string> values, bool is_rare) {
  Trigger trigger{.where = where, .key = std::move(key), .values = std::move(values), .is_rare = is_rare};
  if (where != Where::field) return trigger;
  if (auto path = parse_field_path(trigger.key)) trigger.path = *std::move(path);
  return trigger;
}

void learn_trigger(Vocabulary& vocabulary, Where where, std::string_view key,
                   std::optional<std::string_view> value, bool is_rare) {
  if (key.empty()) return;
  const Row& row = row_of(where);
  ListOfKeyedValues& all_keyed = vocabulary.*(is_rare ? row.rare : row.common);
  auto found =
      std::find_if(all_keyed.begin(), all_keyed.end(), [&](const auto& keyed) { return keyed.first == key; });
  if (found == all_keyed.end()) {
    if (all_keyed.size() >= kTriggersMax) return;
    found = all_keyed.insert(all_keyed.end(), {std::string(key), {}});
  }
  auto& values = found->second;
  if (value && values.size() < kTriggerValuesMax &&
      std::find(values.begin(), values.end(), *value) == values.end())
    values.emplace_back(*value);
}

void set_trigger_values(Vocabulary& vocabulary, Where where, std::string_view key,
                        const std::vector<std::string>& values) {
  const Row& row = row_of(where);
  for (ListOfKeyedValues* all_keyed : {&(vocabulary.*row.common), &(vocabulary.*row.rare)}) {
    for (auto& keyed : *all_keyed)
      if (keyed.first == key) keyed.second = values;
  }
}

void forget_trigger_value(Vocabulary& vocabulary, Where where, std::string_view key, std::string_view value) {
  const Row& row = row_of(where);
  for (ListOfKeyedValues* all_keyed : {&(vocabulary.*row.common), &(vocabulary.*row.rare)}) {
    for (auto& keyed : *all_keyed)
      if (keyed.first == key) std::erase(keyed.second, value);
    std::erase_if(*all_keyed, [&](const auto& keyed) { return keyed.first == key && keyed.second.empty(); });
  }
}

void complete(Vocabulary& vocabulary) {
  for (const Row& row : kRows) {
    for (ListOfKeyedValues* all_keyed : {&(vocabulary.*row.common), &(vocabulary.*row.rare)}) {
      for (auto& [key, values] : *all_keyed) {
        if (values.empty()) values = samples_of(row.where, key);
      }
    }
  }
}

std::vector<ListOfKeyedValues Vocabulary::*> trigger_lists() {
  std::vector<ListOfKeyedValues Vocabulary::*> lists;
  for (const Row& row : kRows) lists.insert(lists.end(), {row.common, row.rare});
  return lists;
}

std::vector<Trigger> triggers_of(const Vocabulary& vocabulary) {
  std::vector<Trigger> triggers;
  for (const Row& row : kRows) {
    for (const auto& keyed : vocabulary.*row.common) add(triggers, row.where, keyed, false);
    for (const auto& keyed : vocabulary.*row.rare) add(triggers, row.where, keyed, true);
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
    case Where::user:
      return option_of_user(trigger, value);
    default:
      return option_of_field(trigger, value);
  }
}

}  // namespace fixpoint::runner
