#include "generators/object_edits.h"

#include <span>
#include <string>
#include <vector>

#include "generators/schema_values.h"
#include "harness/apiserver/custom/correlation.h"
#include "harness/document/json.h"

namespace fixpoint::generators {

namespace {

using document::Member;
using document::Name;
using document::Value;
using runner::Choices;

/// A member of an object with its schema, which may be null.
struct Part {
  std::vector<std::string> path;  ///< names of members and indices of elements
  const Value* schema;
};

void collect_parts(const Value& value, const Value& schema, std::vector<std::string>& path,
                   std::vector<Part>& parts) {
  constexpr std::size_t kPartsMax = 200;
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
    path.push_back(std::to_string(i));
    collect_parts(value.at(i), schema["items"], path, parts);
    path.pop_back();
  }
  for (const Member& member : value.members()) {
    if (parts.size() >= kPartsMax) return;
    const std::string key(member.key.text());
    if (path.empty() && (key == "apiVersion" || key == "kind" || key == "metadata")) continue;
    const Value& below = apiserver::custom::schema_of_member(schema, member.key.name());
    path.push_back(key);
    parts.push_back({path, &below});
    collect_parts(member.value, below, path, parts);
    path.pop_back();
  }
}

/// The object around the part, for an edit.
Value& owner_of(Value& object, const std::vector<std::string>& path) {
  Value* owner = &object;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) 
    owner = owner->is_array() ? &owner->edit(std::stoul(path[i])) : &owner->edit(Name(path[i]));
  return *owner;
}

/// The value that says "nothing" in a type of its own: what an author of defaults takes for absent.
Value zero_like(const Value& value) {
  if (value.is_string()) return "";
  if (value.is_number()) return 0;
  if (value.is_boolean()) return false;
  return value.is_array() ? Value::empty_list() : Value::empty_object();
}

Value other_value(Choices& choices, const Value& value, const Value& schema) {
  if (schema.is_object()) return draw_schema_value(choices, schema);
  if (value.is_boolean()) return !value.is_true();
  if (value.is_number()) return static_cast<std::int64_t>(choices.below(100));
  return value.is_string() ? Value(std::string(value.text()) + "-other") : value;
}

/// Values that few schemas allow.
std::span<const Value> odd_values() {
  static const Value all = *document::read_json(
      R"([null, "", "x", "a-long-text-of-more-than-sixteen", "2026-01-02T03:04:05Z", "1h", "a@b", "50%", 0, 1,
          -1, 7, 100, 2147483648, 9007199254740993, 9223372036854775807, 9223372036854775808, 1.0, 0.5, 1e3,
          true, false, [], ["a"], ["a", "a"], [{}], [null], [1], {}, {"a": 1}, {"a": null},
          {"unknown": {"a": [1.5]}}])",
      {}, document::Strictness::foreign);
  return all.elements();
}

}  // namespace

void edit_member(Choices& choices, Value& object, const Value& schema) {
  std::vector<Part> parts;
  std::vector<std::string> path;
  collect_parts(object, schema, path, parts);
  if (parts.empty()) return;
  const Part& part = choices.pick(parts);
  const Name name(part.path.back());
  Value& owner = owner_of(object, part.path);
  const Value before = owner[name];
  switch (choices.below(4)) {
    case 0:
      owner.remove(name);
      return;
    case 1:
      owner.set(name, zero_like(before));
      return;
    default:
      owner.set(name, other_value(choices, before, *part.schema));
  }
}


void spoil_member(Choices& choices, Value& object, const Value& schema) {
  std::vector<Part> parts;
  std::vector<std::string> path;
  collect_parts(object, schema, path, parts);
  if (parts.empty()) return;
  if (object["spec"].is_object() && choices.one_in(8)) {
    object.edit("spec").set("unknown", choices.pick(odd_values()));
    return;
  }
  const Part& part = choices.pick(parts);
  const Name name(part.path.back());
  Value& owner = owner_of(object, part.path);
  if (choices.one_in(6))
    owner.remove(name);
  else if (choices.one_in(6) && owner[name].is_object())
    owner.edit(name).set("unknown", choices.pick(odd_values()));
  else
    owner.set(name, choices.pick(odd_values()));
}

}  // namespace fixpoint::generators
