#include "harness/runner/learn.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "harness/document/pointer.h"

namespace fixpoint::runner {

namespace {

using Telling = Vocabulary::Telling;

/// A vocabulary stays of a size that a person could have written.
constexpr std::size_t kWordsMax = 64, kValuesMax = 16;

template <class T>
void add(std::vector<T>& words, T word) {
  if (words.size() < kWordsMax && std::find(words.begin(), words.end(), word) == words.end())
    words.push_back(std::move(word));
}
void add_text(std::vector<std::string>& words, const Value& text) {
  if (text.is_string() && !text.text().empty()) add(words, std::string(text.text()));
}

/// A key with one more of its values; a key alone when the value is no string.
void tell(std::vector<Telling>& tellings, std::string_view key, const Value& value) {
  if (key.empty()) return;
  auto found = std::find_if(tellings.begin(), tellings.end(),
                            [&](const Telling& telling) { return telling.first == key; });
  if (found == tellings.end()) {
    if (tellings.size() >= kWordsMax) return;
    found = tellings.insert(tellings.end(), {std::string(key), {}});
  }
  auto& values = found->second;
  if (value.is_string() && values.size() < kValuesMax &&
      std::find(values.begin(), values.end(), value.text()) == values.end())
    values.emplace_back(value.text());
}

void tell_map(std::vector<Telling>& tellings, const Value& map) {
  for (const auto& member : map.members()) tell(tellings, member.key.text(), member.value);
}

/// `DoesNotExist` and `NotIn` name what keeps a webhook away: without the key it is called.
void learn_selector(Vocabulary& words, const Value& selector) {
  tell_map(words.labels, selector["matchLabels"]);
  for (const Value& expression : selector["matchExpressions"].elements()) {
    const std::string_view is = expression["operator"].text();
    if (is == "DoesNotExist" || is == "NotIn") continue;
    tell(words.labels, expression["key"].text(), {});
    for (const Value& value : expression["values"].elements())
      tell(words.labels, expression["key"].text(), value);
  }
}

/// One string literal or name of an expression, and where it stands.
struct Literal {
  std::string text;
  std::size_t begin, end;
};

std::vector<Literal> literals_of(std::string_view expression) {
  std::vector<Literal> all;
  for (std::size_t at = 0; at < expression.size(); ++at) {
    const char quote = expression[at];
    if (quote != '\'' && quote != '"') continue;
    Literal literal{.text = "", .begin = at, .end = at};
    for (++at; at < expression.size() && expression[at] != quote; ++at) {
      if (expression[at] == '\\' && at + 1 < expression.size()) ++at;
      literal.text += expression[at];
    }
    literal.end = std::min(at + 1, expression.size());
    all.push_back(std::move(literal));
  }
  return all;
}

std::string_view trimmed_end(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}
std::string_view trimmed_begin(std::string_view text) {
  const auto first = text.find_first_not_of(" \n\t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// Where the words of labels and of annotations go, by the name of the map in an expression or a pointer.
std::vector<Telling>* tellings_named(Vocabulary& words, std::string_view map) {
  if (map == "labels") return &words.labels;
  return map == "annotations" ? &words.annotations : nullptr;
}

/// The map that a literal is a key of: `labels['x']`, `'x' in object.metadata.labels`; else nullptr.
std::vector<Telling>* map_of(Vocabulary& words, std::string_view expression, const Literal& literal) {
  const std::string_view before = trimmed_end(expression.substr(0, literal.begin));
  std::string_view after = trimmed_begin(expression.substr(literal.end));
  for (const char* map : {"labels", "annotations"}) {
    const std::string name(map);
    if (before.ends_with(name + "[") || before.ends_with(name + ".exists("))
      return tellings_named(words, map);
    if (!after.starts_with("in ")) continue;
    std::string_view path = trimmed_begin(after.substr(3));
    const auto end = std::find_if_not(path.begin(), path.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '?';
    });
    path = path.substr(0, static_cast<std::size_t>(end - path.begin()));
    if (path.ends_with("." + name)) return tellings_named(words, map);
  }
  return nullptr;
}

/// `labels.team` and `annotations.team`: keys that are written as names.
void learn_names(Vocabulary& words, std::string_view expression) {
  for (const char* map : {"labels", "annotations"}) {
    const std::string marker = std::string(".") + map + ".";
    for (auto at = expression.find(marker); at != std::string_view::npos;
         at = expression.find(marker, at + 1)) {
      std::string_view name = expression.substr(at + marker.size());
      const auto end = std::find_if_not(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
      });
      tell(*tellings_named(words, map), name.substr(0, static_cast<std::size_t>(end - name.begin())), {});
    }
  }
}

/// Whether a text could be the name of a container.
bool is_label(std::string_view text) {
  return text.size() < 64 &&
         std::all_of(
             text.begin(), text.end(),
             [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }) &&
         text.front() != '-' && text.back() != '-';
}

void learn_expression(Vocabulary& words, std::string_view expression) {
  learn_names(words, expression);
  std::vector<Telling>* map = nullptr;
  std::string key;
  std::vector<std::string> loose;
  for (const Literal& literal : literals_of(expression)) {
    if (auto* into = map_of(words, expression, literal)) {
      map = into;
      key = literal.text;
      tell(*map, key, {});
    } else if (map != nullptr) {
      tell(*map, key, literal.text);  // what a key is compared with stands behind it
    } else {
      loose.push_back(literal.text);
    }
  }
  for (const std::string& text : loose) {
    const bool has_keys = !words.labels.empty() || !words.annotations.empty();
    for (auto* tellings : {&words.labels, &words.annotations}) {
      if (!tellings->empty()) tell(*tellings, tellings->back().first, text);
    }
    if (!has_keys && is_label(text)) add(words.containers, text);  // a name, perhaps
  }
}

bool is_index(std::string_view token) {
  return token == "-" || (!token.empty() && std::all_of(token.begin(), token.end(),
                                                        [](char c) { return c >= '0' && c <= '9'; }));
}

/// The part of a Pod in which the value stands at the pointer.
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

void learn_condition(Vocabulary& words, const cases::Condition& condition) {
  using Test = cases::Condition::Test;
  for (const cases::Condition& part : condition.parts) learn_condition(words, part);
  switch (condition.test) {
    case Test::exists:
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

void learn_container(Vocabulary& words, std::vector<std::string>& names, const Value& container) {
  constexpr std::array<std::string_view, 5> kToldApart{"name", "image", "env", "volumeMounts", "ports"};
  for (const auto& member : container.members()) {
    if (std::find(kToldApart.begin(), kToldApart.end(), member.key.text()) == kToldApart.end())
      add(words.members, std::string(member.key.text()));
  }
  add_text(names, container["name"]);
  for (const Value& variable : container["env"].elements()) add_text(words.env, variable["name"]);
  for (const Value& mount : container["volumeMounts"].elements())
    add_text(words.mount_paths, mount["mountPath"]);
  for (const Value& port : container["ports"].elements()) {
    add_text(words.port_names, port["name"]);
    const auto number = port["containerPort"].integer();
    if (number && *number > 0 && *number < 65536) add(words.ports, static_cast<int>(*number));
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

/// An object of the cluster that a Pod names: without it every Pod of the webhook's would be refused.
void learn_object(Vocabulary& words, Value object) {
  const auto is_it = [&](const std::vector<Value>& known) {
    return known.front()["kind"] == object["kind"] && known.front()["metadata"] == object["metadata"];
  };
  if (words.objects.size() >= kValuesMax) return;
  if (std::any_of(words.objects.begin(), words.objects.end(), is_it)) return;
  words.objects.push_back({std::move(object)});
}

constexpr int kSomePriority = 1000;
/// Those that every cluster has come with these values.
Value priority_of(std::string_view name, const Value& told) {
  if (name == "system-cluster-critical") return 2000000000;
  if (name == "system-node-critical") return 2000001000;
  return told.is_number() ? told : Value(kSomePriority);
}

void learn_objects(Vocabulary& words, const Value& spec) {
  const Value& priority = spec["priorityClassName"];
  if (!priority.text().empty()) {
    learn_object(words, {{"apiVersion", "scheduling.k8s.io/v1"},
                         {"kind", "PriorityClass"},
                         {"metadata", {{"name", priority}}},
                         {"value", priority_of(priority.text(), spec["priority"])}});
  }
  const Value& runtime = spec["runtimeClassName"];
  if (!runtime.text().empty()) {
    learn_object(words, {{"apiVersion", "node.k8s.io/v1"},
                         {"kind", "RuntimeClass"},
                         {"metadata", {{"name", runtime}}},
                         {"handler", runtime}});
  }
}

/// What a key is given when nothing tells its values.
void give_values(std::vector<Telling>& tellings) {
  for (auto& [key, values] : tellings) {
    if (values.empty()) values = {"true", "false"};
  }
}

}  // namespace

void complete(Vocabulary& words) {
  give_values(words.labels);
  give_values(words.annotations);
}

void learn_from_pod(Vocabulary& words, const Value& pod) {
  tell_map(words.labels, pod["metadata"]["labels"]);
  tell_map(words.annotations, pod["metadata"]["annotations"]);
  const Value& spec = pod["spec"];
  for (const Value& container : spec["containers"].elements())
    learn_container(words, words.containers, container);
  for (const Value& container : spec["initContainers"].elements())
    learn_container(words, words.init_containers, container);
  for (const Value& volume : spec["volumes"].elements()) add_text(words.volumes, volume["name"]);
  for (const auto& [list, value] : spec.members()) {
    if (has_words_of_its_own(list.text())) continue;
    add(words.members, std::string(list.text()));
    learn_elements(words, list.text(), value);
  }
}

void learn_from_patch(Vocabulary& words, const Value& patch) {
  Value named = Value::empty_object();
  for (const Value& operation : patch.elements()) {
    const auto path = document::parse_pointer(operation["path"].text());
    if (!path) continue;
    learn_from_pod(words, around(*path, operation["value"]));
    if (path->size() == 2 && path->front() == "spec") named.set(path->back(), operation["value"]);
  }
  learn_objects(words, named);
}

void learn_from_script(Vocabulary& words, const cases::Script& script) {
  for (const cases::Rule& rule : script.rules) {
    if (rule.when) learn_condition(words, *rule.when);
    learn_from_patch(words, Value(rule.patch));
  }
}

void learn_from_configuration(Vocabulary& words, const Value& configuration) {
  for (const Value& webhook : configuration["webhooks"].elements()) {
    learn_selector(words, webhook["objectSelector"]);
    for (const Value& condition : webhook["matchConditions"].elements())
      learn_expression(words, condition["expression"].text());
  }
}

}  // namespace fixpoint::runner
