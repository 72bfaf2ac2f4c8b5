#include "harness/runner/diagnosis/copied_text.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "harness/cases/kind.h"
#include "harness/document/texts.h"
#include "harness/properties/untyped.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"
#include "harness/runner/own_key.h"

namespace fixpoint::runner {

namespace {

using document::has_text;
using document::Value;
using properties::Examination;
using properties::is_scalar;

/// Longer texts of the object itself, and of ConfigMaps, are refused for their length: names are, in every
/// cluster.
constexpr std::size_t kLongest = 40;
constexpr std::string_view kOther = "q7";

void add_texts(const Value& value, std::set<std::string>& texts) {
  if (value.is_string()) texts.emplace(value.text());
  for (const auto& member : value.members()) add_texts(member.value, texts);
  for (const Value& element : value.elements()) add_texts(element, texts);
}

/// Returns the path of the text below a member, the innermost one first found.
std::string path_of(const Value& value, std::string_view text, const std::string& path) {
  if (value.is_string()) return value.text() == text ? path : "";
  for (const auto& member : value.members())
    if (auto found = path_of(member.value, text, properties::member_path(path, member.key.text()));
        !found.empty())
      return found;
  for (const Value& element : value.elements())
    if (auto found = path_of(element, text, path + "[*]"); !found.empty()) return found;
  return {};
}

/// Removes one of the members and elements that are equal to the wanted value: the one that `skipped` others
/// come before. Returns false if there are fewer.
bool remove_equal(Value& value, const Value& wanted, int& skipped) {
  for (const auto& member : std::vector(value.members().begin(), value.members().end())) {
    if (member.value == wanted && skipped-- == 0) return value.remove(member.key.name()), true;
    if (!is_scalar(member.value) && remove_equal(value.edit(member.key.name()), wanted, skipped)) return true;
  }
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
    if (value.at(i) == wanted && skipped-- == 0) {
      auto& elements = value.edit_elements();
      return elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(i)), true;
    }
    if (!is_scalar(value.at(i)) && remove_equal(value.edit(i), wanted, skipped)) return true;
  }
  return false;
}

/// A map with the key that a path ends with; empty if it ends with none.
struct KeyOfMap {
  std::string map = {}, key = {};
};
KeyOfMap key_of_map(const Value& object, const std::string& path) {
  for (auto end = path.find_last_of(".["); end != std::string::npos && end > 0;
       end = path.find_last_of(".[", end - 1)) {
    const std::string above = path.substr(0, end);
    for (const auto& member : properties::at_path(object, above).members()) {
      const std::string key(member.key.text());
      // The server's paths have each key of a map in brackets.
      if (properties::member_path(above, key) == path || above + "[" + key + "]" == path) return {above, key};
    }
  }
  return {};
}

/// Asks the webhook for the same object where the place has another text.
class CopyQuestion {
 public:
  CopyQuestion(const Examination& examination, const properties::FirstCall& call, std::string path)
      : examination_(examination),
        call_(call),
        path_(std::move(path)),
        key_(key_of_map(call.event.result.after, path_)) {}

  /// Returns the texts of the value, and its key in a map: the name of a resource.
  std::set<std::string> refused_texts() const {
    std::set<std::string> texts;
    add_texts(properties::at_path(call_.event.result.after, path_), texts);
    if (!key_.key.empty()) texts.insert(key_.key);
    return texts;
  }

  bool is_key(const std::string& text) const { return text == key_.key; }

  std::string source_of(const std::string& text) const {
    const cases::Case& value = examination_.value;
    const Value& spec = call_.event.before["spec"];
    const bool is_custom = cases::kind_of(value.request, value.cluster).is_custom();
    if (is_custom && text.size() <= kLongest && has_text(spec, text) && copies(value, other_object(text)))
      return path_of(spec, text, "spec");
    for (std::size_t i = 0; i < value.cluster.objects.size(); ++i) {
      const Value& object = value.cluster.objects[i];
      const bool is_map = object["kind"].text() == "ConfigMap";
      if (is_map && text.size() > kLongest) continue;
      if (!is_read(object) || !(has_text(object["spec"], text) || has_text(object["data"], text))) continue;
      cases::Case other = value;
      for (const char* member : {"spec", "data"})
        if (object.find(document::Name(member)) != nullptr)
          document::replace_text(other.cluster.objects[i].edit(member), text, kOther);
      if (!copies(other, call_.event.before)) continue;
      // A custom resource of the Case is one of many.
      std::string source(object["kind"].text());
      return is_map ? source + " " + std::string(object["metadata"]["name"].text()) : source;
    }
    return {};
  }

  /// Returns the kind of a custom resource that has the refused part of the object as it is: without it
  /// there, it does not stand here.
  std::string source_of_part() const {
    constexpr int kPlacesMax = 4;
    const cases::Case& value = examination_.value;
    const Value part = properties::at_path(call_.event.result.after, path_);
    if (is_scalar(part) || properties::at_path(call_.event.before, path_) == part) return {};
    for (std::size_t i = 0; i < value.cluster.objects.size(); ++i) {
      const Value& object = value.cluster.objects[i];
      if (!is_read(object) || object["kind"].text() == "ConfigMap" || !object["spec"].is_object()) continue;
      for (int place = 0; place < kPlacesMax; ++place) {
        cases::Case other = value;
        int skipped = place;
        if (!remove_equal(other.cluster.objects[i].edit("spec"), part, skipped)) break;
        if (!stands_there(other, part)) return std::string(object["kind"].text());
      }
    }
    return {};
  }

 private:
  /// Returns true if the part stands in the result, or if the webhook cannot say.
  bool stands_there(const cases::Case& value, const Value& part) const {
    const Value& object = call_.event.before;
    const Examination elsewhere{value, examination_.handlers, examination_.admission, examination_.limits};
    if (!properties::is_called(elsewhere, call_.webhook, object)) return true;
    const auto result = properties::call_afresh(elsewhere, call_.webhook, object);
    return !properties::went_well(result) || properties::at_path(result.after, path_) == part;
  }

  /// Returns true for an object that a webhook takes texts from: no definition or configuration.
  bool is_read(const Value& object) const {
    const auto kind =
        cases::find_kind(object["apiVersion"].text(), object["kind"].text(), examination_.value.cluster);
    return kind && (kind->is_custom() || kind->name == "ConfigMap");
  }

  Value other_object(const std::string& text) const {
    Value object = call_.event.before;
    document::replace_text(object.edit("spec"), text, kOther);
    return object;
  }

  /// Returns true if the other text stands in the result where this one is refused.
  bool copies(const cases::Case& value, const Value& object) const {
    if (has_other(object)) return false;
    const Examination elsewhere{value, examination_.handlers, examination_.admission, examination_.limits};
    if (!properties::is_called(elsewhere, call_.webhook, object)) return false;
    const auto result = properties::call_afresh(elsewhere, call_.webhook, object);
    return properties::went_well(result) && has_other(result.after);
  }
  bool has_other(const Value& object) const {
    const Value map = key_.map.empty() ? Value() : properties::at_path(object, key_.map);
    return has_text(properties::at_path(object, path_), kOther) ||
           map.find(document::Name(kOther)) != nullptr;
  }

  const Examination& examination_;
  const properties::FirstCall& call_;
  const std::string path_;
  const KeyOfMap key_;
};

}  // namespace

CopySource source_of_copy(const Examination& examination, const properties::Violation& violation,
                          std::span<const Value> examples) {
  const auto call = first_call_of(examination, violation.webhook);
  if (!call || violation.path.empty()) return {};
  const CopyQuestion question(examination, *call, violation.path);
  for (const std::string& text : question.refused_texts()) {
    if (std::ranges::any_of(examples, [&](const Value& example) { return has_text(example, text); }))
      continue;
    if (auto source = question.source_of(text); !source.empty())
      return {.place = std::move(source), .key = question.is_key(text) ? text : ""};
  }
  return {.place = question.source_of_part(), .is_part = true};
}

}  // namespace fixpoint::runner
