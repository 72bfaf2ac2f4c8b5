#include "generators/linked_object.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "harness/document/lower_case.h"

namespace fixpoint::generators {

namespace {

using document::Value;
using runner::Choices;

/// Members whose texts mean something else in every object.
constexpr auto kGeneral = std::to_array<std::string_view>(
    {"name", "value", "key", "type", "path", "operator", "effect", "kind", "apiversion", "uid", "protocol"});
/// Endings that a member adds to the kind of the object that it names: secretName, profileRef.
constexpr auto kEndings = std::to_array<std::string_view>({"name", "ref", "reference", "refname"});

/// Returns the text without the `s` of a list's name: image of images.
std::string_view singular(std::string_view name) {
  if (name.size() > 1 && name.ends_with('s')) name.remove_suffix(1);
  return name;
}

/// Returns the kind that a member may name, in lower case: secret of secretName and secretRef.
std::string stem_of(std::string_view member) {
  std::string stem = document::lower_case(member);
  const auto ending = std::ranges::find_if(
      kEndings, [&](std::string_view one) { return stem.size() > one.size() && stem.ends_with(one); });
  if (ending != kEndings.end()) stem.resize(stem.size() - ending->size());
  return stem;
}

const Value& schema_of_member(const Value& schema, std::string_view member) {
  const Value* property = schema["properties"].find(document::Name(member));
  return property != nullptr ? *property : schema["additionalProperties"];
}

bool is_open_text(const Value& schema) {
  return schema["type"].text() == "string" && schema["enum"].empty() && schema["format"].text().empty();
}

class Linking {
 public:
  Linking(Choices& choices, const LinkTargets& targets) : choices_(choices), targets_(targets) {
    if (targets.request_object == nullptr) return;
    labels_ = &(*targets.request_object)["metadata"]["labels"];
    collect(*targets.request_object, "");
  }

  Value linked(const Value& value, std::string_view member, const Value& schema) {
    if (value.is_string()) return linked_text(value, member, schema);
    if (value.is_array()) {
      Value list = Value::empty_list();
      for (const Value& element : value.elements())
        list.push_back(linked(element, singular(member), schema["items"]));
      return list;
    }
    if (!value.is_object()) return value;
    if (auto selector = selecting(member, schema)) return *std::move(selector);
    Value object = Value::empty_object();
    for (const auto& [key, below] : value.members())
      object.set(key.name(), linked(below, key.text(), schema_of_member(schema, key.text())));
    link_reference(object, member);
    return object;
  }

 private:
  /// Keeps the texts of the request's object by the name of their member.
  void collect(const Value& value, std::string_view member) {
    constexpr std::size_t kTextsMax = 4;
    const std::string name = document::lower_case(member);
    const bool is_general = std::ranges::find(kGeneral, name) != kGeneral.end();
    if (value.is_string() && !value.text().empty() && !is_general) {
      auto& texts = texts_[name];
      if (texts.size() < kTextsMax) texts.emplace_back(value.text());
    }
    for (const auto& [key, below] : value.members()) collect(below, key.text());
    for (const Value& element : value.elements()) collect(element, singular(member));
  }

  const std::vector<std::string>* names_of(std::string_view kind) const {
    constexpr std::size_t kShortest = 3;
    const auto named = std::ranges::find_if(targets_.kinds, [&](const NamesOfKind& one) {
      const std::string known = document::lower_case(one.kind);
      return !one.names.empty() &&
             (kind.ends_with(known) || (kind.size() >= kShortest && known.ends_with(kind)));
    });
    return named == targets_.kinds.end() ? nullptr : &named->names;
  }

  Value linked_text(const Value& value, std::string_view member, const Value& schema) {
    if (!is_open_text(schema)) return value;
    if (const auto* names = names_of(stem_of(member)); names != nullptr && !choices_.one_in(4))
      return choices_.pick(*names);
    const auto texts = texts_.find(document::lower_case(member));
    if (texts == texts_.end() || choices_.coin()) return value;
    return choices_.pick(texts->second);
  }

  /// Returns a selector of the request's object, or of everything, for a member that is one.
  std::optional<Value> selecting(std::string_view member, const Value& schema) {
    const bool is_selector = schema["properties"].find("matchLabels") != nullptr;
    const bool is_map = schema["additionalProperties"]["type"].text() == "string" &&
                        document::lower_case(member).ends_with("selector");
    if ((!is_selector && !is_map) || choices_.one_in(4)) return std::nullopt;
    Value labels = Value::empty_object();
    if (labels_ != nullptr && !labels_->empty() && !choices_.one_in(8)) {
      const document::Member& label = choices_.pick(labels_->members());
      labels.set(label.key.name(), label.value);
    }
    if (is_map || labels.empty()) return labels;
    return Value{{"matchLabels", std::move(labels)}};
  }

  /// Gives `{kind: K, name: N}`, and what a member like `profileRef` holds, the name of a drawn object.
  void link_reference(Value& object, std::string_view member) {
    if (!object["name"].is_string() || choices_.one_in(4)) return;
    const auto* names = object["kind"].is_string() ? names_of(document::lower_case(object["kind"].text()))
                                                   : names_of(stem_of(member));
    if (names != nullptr) object.set("name", choices_.pick(*names));
  }

  Choices& choices_;
  const LinkTargets& targets_;
  const Value* labels_ = nullptr;
  std::map<std::string, std::vector<std::string>, std::less<>> texts_ = {};
};

}  // namespace

Value linked_object(Choices& choices, const Value& object, const Value& schema, const LinkTargets& targets) {
  Linking linking(choices, targets);
  Value result = Value::empty_object();
  for (const auto& [key, member] : object.members()) {
    const std::string_view name = key.text();
    const bool is_identity = name == "apiVersion" || name == "kind" || name == "metadata";
    result.set(key.name(),
               is_identity ? member : linking.linked(member, name, schema_of_member(schema, name)));
  }
  return result;
}

}  // namespace fixpoint::generators
