#include "harness/apiserver/policies/typed_walk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/metadata_types.h"
#include "harness/document/go_print.h"
#include "harness/document/json.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::policies {

namespace {

using document::go_quoted;
using document::Member;
using document::Text;
using document::Value;

/// No text of an API object begins with it.
constexpr std::string_view kForeign =
    "\x01"
    "foreign\x01";

/// A double that no document has: NaN, Inf.
constexpr std::string_view kDoubleType = "float64";

std::optional<ForeignValue> foreign_of(const Value& value) {
  std::string_view text = value.text();
  if (!value.is_string() || !text.starts_with(kForeign)) return std::nullopt;
  text.remove_prefix(kForeign.size());
  const auto first = text.find('\x01'), second = text.find('\x01', first + 1);
  return ForeignValue{std::string(text.substr(0, first)),
                      std::string(text.substr(first + 1, second - first - 1)),
                      std::string(text.substr(second + 1))};
}

/// The members in the order in which Go prints those of a map.
std::vector<Member> by_key(const Value& value) {
  std::vector<Member> sorted(value.members().begin(), value.members().end());
  std::sort(sorted.begin(), sorted.end(),
            [](const Member& a, const Member& b) { return a.key.text() < b.key.text(); });
  return sorted;
}

/// The value as Go's %#v prints it, for scalars and what is built of them.
std::string go_syntax(const Value& value) {
  if (value.is_null()) return "interface {}(nil)";
  if (const auto foreign = foreign_of(value)) return foreign->syntax;
  if (value.is_string()) return go_quoted(value.text());
  if (value.is_array()) {
    std::string text = "[]interface {}{";
    for (const Value& element : value.elements())
      text.append(&element == &value.elements().front() ? "" : ", ").append(go_syntax(element));
    return text + "}";
  }
  if (value.is_object()) {
    const std::vector<Member> members = by_key(value);
    std::string text = "map[string]interface {}{";
    for (const Member& member : members) {
      text.append(&member == &members.front() ? "" : ", ").append(go_quoted(member.key.text()));
      text.append(":").append(go_syntax(member.value));
    }
    return text + "}";
  }
  return document::write_json(value);
}

/// The value as Go's %v prints it.
std::string printed(const Value& value) {
  return document::go_plain(value, [](const Value& part) -> std::optional<std::string> {
    if (const auto foreign = foreign_of(part)) return foreign->plain;
    return part.is_number() ? std::optional(document::write_json(part)) : std::nullopt;
  });
}

std::string printed_type(const Value& value) {
  const auto foreign = foreign_of(value);
  return foreign ? foreign->type : std::string(document::go_type_name(value));
}

std::string scalar_problem(Shape shape, const Value& value) {
  if (value.is_null()) return {};
  const auto wrapped = [&] { return "&{" + printed(value) + "}"; };
  const auto foreign = foreign_of(value);
  switch (shape) {
    case Shape::int32:
    case Shape::int64:
      if (value.is_number() || (foreign && foreign->type == kDoubleType)) return {};
      return Text("expected numeric (int or float), got {}").with({printed_type(value)});
    case Shape::text:
      if (value.is_string() && !foreign) return {};
      return Text("expected string, got &value.valueUnstructured{Value:{}}").with({go_syntax(value)});
    case Shape::boolean:
      if (value.is_boolean()) return {};
      return Text("expected boolean, got {}").with({wrapped()});
    default:
      if (!value.is_array() && !value.is_object() && (!foreign || foreign->type == kDoubleType)) return {};
      return Text("expected any scalar, got {}").with({wrapped()});
  }
}

class SchemaWalk {
 public:
  SchemaWalk(int minor, bool allows_duplicates) : minor_(minor), allows_duplicates_(allows_duplicates) {}

  void check(const Place& place, const Value& value, const std::string& path) {
    if (place.is_free() || value.is_null()) return;
    if (place.is_list()) return check_list(place, value, path);
    if (place.is_map() || place.is_struct()) return check_map(place, value, path);
    if (auto problem = scalar_problem(place.shape(), value); !problem.empty()) add(path, problem);
  }

  std::vector<std::string> problems = {};

 private:
  void add(const std::string& path, const std::string& problem) {
    problems.push_back(path.empty() ? problem : path + ": " + problem);
  }

  void check_list(const Place& place, const Value& value, const std::string& path) {
    if (!value.is_array()) return add(path, Text("expected list, got &{{}}").with({printed(value)}));
    const MergeRule rule = place.rule();
    std::set<std::string> seen;
    for (std::size_t i = 0; i < value.size(); ++i) {
      std::string step = "[" + std::to_string(i) + "]";
      if (rule.relation == Relation::associative) {
        const ElementKey key = key_of(rule, value.at(i));
        if (!key.problem.empty())
          return add(path, Text("element {}: {}").with({std::to_string(i), key.problem}));
        if (!seen.insert(key.text).second && !allows_duplicates_)
          add(path, Text("duplicate entries for key {}").with({key.text}));
        step = key.text;
      }
      check(place.element(), value.at(i), path + step);
    }
  }

  void check_map(const Place& place, const Value& value, const std::string& path) {
    if (!value.is_object()) return add(path, Text("expected map, got &{{}}").with({printed(value)}));
    for (const Member& member : value.members()) {
      const std::string below = path + "." + std::string(member.key.text());
      const auto next = place.member(member.key.text(), minor_);
      if (!next) return add(below, std::string(Text("field not declared in schema").words()));
      check(*next, member.value, below);
    }
  }

  int minor_;
  bool allows_duplicates_;
};

void find_atomics(const Place& place, const Value& value, int minor, const std::string& path,
                  std::vector<std::string>& found) {
  if (place.is_free()) return;
  if (value.is_object() && (place.is_map() || place.is_struct())) {
    if (place.is_whole()) found.push_back(path);
    for (const Member& member : value.members()) {
      if (const auto next = place.member(member.key.text(), minor))
        find_atomics(*next, member.value, minor, path + "." + std::string(member.key.text()), found);
    }
  } else if (value.is_array() && place.is_list()) {
    if (place.rule().relation == Relation::atomic) found.push_back(path);
    for (std::size_t i = 0; i < value.size(); ++i)
      find_atomics(place.element(), value.at(i), minor, path + "[" + std::to_string(i) + "]", found);
  }
}

/// Go's conversion of a number to an integer field; nothing if it needs none.
std::optional<std::int64_t> converted_number(const Field& field, const Value& value, bool& fails) {
  const auto narrowed = [&](std::int64_t number) {
    return field.shape == Shape::int32 ? static_cast<std::int64_t>(static_cast<std::int32_t>(number))
                                       : number;
  };
  if (const auto whole = value.integer()) {
    const std::int64_t narrow = narrowed(*whole);
    return narrow == *whole ? std::nullopt : std::optional(narrow);
  }
  const auto foreign = foreign_of(value);
  const double number = value.is_number() ? value.real().value_or(0) : HUGE_VAL;
  if ((foreign && foreign->plain == "NaN") || number != std::trunc(number)) {
    fails = true;
    return std::nullopt;
  }
  // Beyond the integers, the processor gives the least of them.
  return narrowed(std::abs(number) < 0x1p63 ? static_cast<std::int64_t>(number)
                                            : std::numeric_limits<std::int64_t>::min());
}

}  // namespace

std::string convert_numbers(const Place& place, Value& value, int minor) {
  if (place.is_free()) return {};
  if (value.is_array() && place.is_list()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      Value element = value.at(i);
      if (auto problem = convert_numbers(place.element(), element, minor); !problem.empty()) return problem;
      if (!element.same(value.at(i))) value.edit(i) = element;
    }
    return {};
  }
  if (value.is_object() && (place.is_map() || place.is_struct())) {
    const std::vector<Member> members(value.members().begin(), value.members().end());
    for (const Member& member : members) {
      Value below = member.value;
      const auto next = place.member(member.key.text(), minor);
      if (!next) continue;
      if (auto problem = convert_numbers(*next, below, minor); !problem.empty()) return problem;
      if (!below.same(member.value)) value.set(member.key.name(), below);
    }
    return {};
  }
  if (const auto foreign = foreign_of(value); foreign && place.field->shape == Shape::quantity) {
    return Text("error encoding resource.Quantity to json: json: unsupported value: {}")
        .with({foreign->plain});
  }
  const bool is_integer =
      place.field != nullptr && (place.field->shape == Shape::int32 || place.field->shape == Shape::int64);
  if (!is_integer || !(value.is_number() || foreign_of(value))) return {};
  bool fails = false;
  const auto number = converted_number(*place.field, value, fails);
  if (fails) {
    return Text("cannot convert {} to {}")
        .with({kDoubleType, place.field->shape == Shape::int32 ? "int32" : "int64"});
  }
  if (number) value = Value(*number);
  return {};
}

namespace {

/// The struct of a field, or nullptr for a scalar, a list, a map, and an object without a table.
const Type* struct_of(const Place& place) {
  if (place.field == nullptr) return place.owner;
  return place.is_list() || place.is_map() ? nullptr : place.field->type;
}

}  // namespace

bool Place::is_list() const {
  if (schema != nullptr) return (*schema)["type"].text() == "array";
  return field != nullptr && field->many == Many::list && !is_element;
}

bool Place::is_map() const {
  if (schema != nullptr) return (*schema)["additionalProperties"].is_object();
  return field != nullptr && field->many == Many::map && !is_element;
}

bool Place::is_struct() const {
  if (schema != nullptr) return is_root || (*schema)["type"].text() == "object";
  return struct_of(*this) != nullptr;
}

bool Place::is_free() const {
  if (schema != nullptr)
    return !is_root && (*schema)["x-kubernetes-preserve-unknown-fields"].is_true() &&
           (*schema)["properties"].empty();
  return field != nullptr && field->shape == Shape::raw;
}

bool Place::is_whole() const {
  if (schema != nullptr) return merge_rule(*schema).relation == Relation::atomic;
  const Type* type = struct_of(*this);
  return type != nullptr ? is_atomic(*type) : rule().relation == Relation::atomic;
}

Shape Place::shape() const {
  if (schema == nullptr) return field->shape;
  const std::string_view type = (*schema)["type"].text();
  if (type == "string") return Shape::text;
  if (type == "boolean") return Shape::boolean;
  return type == "integer" || type == "number" ? Shape::int64 : Shape::quantity;
}

MergeRule Place::rule() const {
  return schema != nullptr ? merge_rule(*schema) : merge_rule(*owner, *field);
}

Place Place::element() const {
  if (schema == nullptr) return {owner, field, true};
  return {.schema = is_list() ? &(*schema)["items"] : &(*schema)["additionalProperties"]};
}

std::optional<Place> Place::member(std::string_view name, int minor) const {
  static const Value kText{{"type", "string"}}, kAnything{{"x-kubernetes-preserve-unknown-fields", true}};
  if (is_map()) return element();
  if (schema != nullptr) {
    if (is_root && name == "metadata") return Place{&kObjectMeta};
    if (is_root && (name == "apiVersion" || name == "kind")) return Place{.schema = &kText};
    const Value& specified = (*schema)["properties"][name];
    if (specified.is_object()) return Place{.schema = &specified};
    if ((*schema)["x-kubernetes-preserve-unknown-fields"].is_true()) return Place{.schema = &kAnything};
    return std::nullopt;
  }
  const Type* within = struct_of(*this);
  const Field* found = within == nullptr ? nullptr : find_field(*within, document::Name(name), minor);
  return found == nullptr ? std::nullopt : std::optional(Place{within, found});
}

Value foreign_value(const ForeignValue& value) {
  return std::string(kForeign) + value.plain + '\x01' + value.syntax + '\x01' + value.type;
}

Place object_place(const Type& type) { return {&type}; }
Place custom_place(const Value& schema) { return {.schema = &schema, .is_root = true}; }

ElementKey key_of(const MergeRule& rule, const Value& element) {
  if (rule.keys[0].member.empty()) {
    if (element.is_object()) return {{}, "associative list without keys has an element that's a map type"};
    if (element.is_array()) return {{}, "not supported: associative list with lists as elements"};
    if (element.is_null())
      return {{}, "associative list without keys has an element that's an explicit null"};
    return {"[=" + document::write_json(element) + "]"};
  }
  if (element.is_null()) return {{}, "associative list with keys may not have a null element"};
  if (!element.is_object()) return {{}, "associative list with keys may not have non-map elements"};
  std::vector<std::string> parts;
  for (const MergeKey& key : rule.keys) {
    if (key.member.empty()) continue;
    const Value* given = element.find(document::Name(key.member));
    if (given == nullptr && key.is_needed)
      return {{}, "associative list with keys has an element that omits key field " +
                  go_quoted(key.member) + " (and doesn't have default value)"};
    const Value absent = key.is_number ? Value::number(key.absent) : Value(key.absent);
    const Value& value = given == nullptr ? absent : *given;
    const auto foreign = foreign_of(value);
    parts.push_back(std::string(key.member) + "=" +
                    (foreign ? foreign->type == kDoubleType ? foreign->plain : "{{undefined}}"
                             : document::write_json(value)));
  }
  std::sort(parts.begin(), parts.end());
  ElementKey key{"["};
  for (const std::string& part : parts) key.text.append(&part == &parts.front() ? "" : ",").append(part);
  key.text += "]";
  return key;
}

std::vector<std::string> schema_problems(const Place& root, const Value& value, int minor,
                                         bool allows_duplicates) {
  SchemaWalk walk(minor, allows_duplicates);
  walk.check(root, value, "");
  return std::move(walk.problems);
}

std::vector<std::string> atomic_paths(const Place& root, const Value& value, int minor) {
  std::vector<std::string> found;
  find_atomics(root, value, minor, "", found);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace fixpoint::apiserver::policies
