#include "harness/runner/learning/learn.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "harness/document/pointer.h"
#include "harness/runner/learning/named_objects.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::runner {

namespace {

using Where = Trigger::Where;

/// Bounds that keep a vocabulary as small as one that a person could have written.
constexpr std::size_t kWordsMax = kTriggersMax, kValuesMax = kTriggerValuesMax;

template <class T>
void add(std::vector<T>& words, T word) {
  if (words.size() < kWordsMax && std::find(words.begin(), words.end(), word) == words.end())
    words.push_back(std::move(word));
}
void add_text(Names::List& words, const Value& text) {
  if (text.is_string() && !text.text().empty()) add(words, text);
}

void learn_map(Vocabulary& words, Where where, const Value& map) {
  for (const auto& member : map.members()) {
    const bool has_value = member.value.is_string();
    learn_trigger(words, where, member.key.text(),
                  has_value ? std::optional(member.value.text()) : std::nullopt);
  }
}

bool is_index(std::string_view token) {
  return token == "-" || (!token.empty() && std::all_of(token.begin(), token.end(),
                                                        [](char c) { return c >= '0' && c <= '9'; }));
}

/// Returns the part of a Pod that has the value at the pointer.
Value around(const document::Pointer& pointer, Value value) {
  for (std::size_t i = pointer.size(); i-- > 0;) {
    const std::string& token = pointer[i];
    const bool is_key = i > 0 && (pointer[i - 1] == "labels" || pointer[i - 1] == "annotations");
    if (is_index(token) && !is_key) {
      value = Value::list({value});
    } else {
      Value object = Value::empty_object();
      object.set(token, std::move(value));
      value = std::move(object);
    }
  }
  return value;
}

/// A label or an annotation.
bool is_key_of_map(const document::Pointer& path) {
  return path.size() == 3 && path[0] == "metadata" && (path[1] == "labels" || path[1] == "annotations");
}

void learn_condition(Vocabulary& words, const cases::Condition& condition) {
  using Test = cases::Condition::Test;
  for (const cases::Condition& part : condition.parts) learn_condition(words, part);
  switch (condition.test) {
    case Test::exists:
      // The value is a made-up one: the patch may write another, and would change nothing if that were
      // already there.
      return learn_from_pod(words, around(condition.path, is_key_of_map(condition.path) ? "true" : Value()));
    case Test::absent:
      return learn_from_pod(words, around(condition.path, {}));
    case Test::equals:
      return learn_from_pod(words, around(condition.path, condition.value));
    case Test::named: {
      document::Pointer path = condition.path;
      path.push_back("-");
      return learn_from_pod(words, around(path, Value{{"name", condition.name}}));
    }
    default:
      return;
  }
}

void learn_container(Vocabulary& words, NameKind kind, const Value& container) {
  constexpr std::array<std::string_view, 5> kDistinguished{"name", "image", "env", "volumeMounts", "ports"};
  for (const auto& member : container.members()) {
    if (std::find(kDistinguished.begin(), kDistinguished.end(), member.key.text()) == kDistinguished.end())
      add(words.members, std::string(member.key.text()));
  }
  add_text(words.names[kind], container["name"]);
  for (const Value& variable : container["env"].elements())
    add_text(words.names[NameKind::env], variable["name"]);
  for (const Value& mount : container["volumeMounts"].elements())
    add_text(words.names[NameKind::mount_path], mount["mountPath"]);
  for (const Value& port : container["ports"].elements()) {
    add_text(words.names[NameKind::port_name], port["name"]);
    const auto number = port["containerPort"].integer();
    if (number && *number > 0 && *number < 65536) add(words.names[NameKind::port], Value(*number));
  }
}

bool has_words_of_its_own(std::string_view list) {
  constexpr std::array<std::string_view, 4> kLists{"containers", "initContainers", "ephemeralContainers",
                                                   "volumes"};
  return std::find(kLists.begin(), kLists.end(), list) != kLists.end();
}

void learn_element(Vocabulary& words, std::string_view list, const Value& element) {
  const auto is_there = [&](const Vocabulary::Element& known) {
    return known.list == list && known.value == element;
  };
  if (!element.is_object() || element.empty() || words.elements.size() >= kValuesMax) return;
  if (std::any_of(words.elements.begin(), words.elements.end(), is_there)) return;
  words.elements.push_back({std::string(list), element});
}
void learn_elements(Vocabulary& words, std::string_view list, const Value& elements) {
  for (const Value& element : elements.elements()) learn_element(words, list, element);
  if (list != "nodeSelector") return;  // its entries stand for elements
  for (const auto& [key, value] : elements.members()) {
    if (value.is_string()) learn_element(words, list, {{key.text(), value}});
  }
}

/// Adds an object of the cluster that a Pod names: without it every Pod of the webhook's users would be
/// refused.
void learn_object(Vocabulary& words, Value object) {
  const auto is_it = [&](const std::vector<Value>& known) {
    return known.front()["kind"] == object["kind"] && known.front()["metadata"] == object["metadata"];
  };
  if (words.objects.size() >= kValuesMax) return;
  if (std::any_of(words.objects.begin(), words.objects.end(), is_it)) return;
  words.objects.push_back({std::move(object)});
}

}  // namespace

void learn_from_pod(Vocabulary& words, const Value& pod) {
  learn_map(words, Where::label, pod["metadata"]["labels"]);
  learn_map(words, Where::annotation, pod["metadata"]["annotations"]);
  const Value& spec = pod["spec"];
  for (const Value& container : spec["containers"].elements())
    learn_container(words, NameKind::container, container);
  for (const Value& container : spec["initContainers"].elements())
    learn_container(words, NameKind::init_container, container);
  for (const Value& volume : spec["volumes"].elements())
    add_text(words.names[NameKind::volume], volume["name"]);
  for (const auto& [list, value] : spec.members()) {
    if (has_words_of_its_own(list.text())) continue;
    add(words.members, std::string(list.text()));
    learn_elements(words, list.text(), value);
  }
}

void learn_container_name(Vocabulary& words, NameKind kind, const Value& name) {
  add_text(words.names[kind], name);
}

void learn_from_patch(Vocabulary& words, const Value& patch) {
  Value named = Value::empty_object();
  for (const Value& operation : patch.elements()) {
    const auto path = document::parse_pointer(operation["path"].text());
    if (!path) continue;
    learn_from_pod(words, around(*path, operation["value"]));
    if (path->size() == 2 && path->front() == "spec") named.set(path->back(), operation["value"]);
  }
  for (Value& object : objects_named_by(named)) learn_object(words, std::move(object));
}

void learn_from_script(Vocabulary& words, const cases::Script& script) {
  for (const cases::Rule& rule : script.rules) {
    if (rule.when) learn_condition(words, *rule.when);
    learn_from_patch(words, Value(rule.patch));
  }
}

}  // namespace fixpoint::runner
