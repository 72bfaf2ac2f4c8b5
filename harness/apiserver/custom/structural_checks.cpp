#include "harness/apiserver/custom/structural_checks.h"

#include <array>
#include <string>
#include <string_view>

#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/custom/correlation.h"

namespace fixpoint::apiserver::custom {

namespace {

using document::Member;
using document::Name;
using document::Text;
using document::Value;
using validation::Errors;
using validation::Path;

constexpr const char* kIntOrString = "x-kubernetes-int-or-string";

enum class Level { root, item, field };

/// Returns true for what Go reads into the zero value of its type.
bool is_zero(const Value& value) {
  return value.is_null() || (value.is_boolean() && !value.is_true()) ||
         (value.is_string() && value.text().empty()) || (value.is_object() && value.empty());
}

/// Returns true for `[{"type":"integer"},{"type":"string"}]`.
bool is_integer_or_string(const Value& any_of) {
  static const Value pattern{Value::list({Value{{"type", "integer"}}, Value{{"type", "string"}}})};
  return any_of == pattern;
}

/// A keyword that a schema inside allOf, anyOf, oneOf or not must not have.
struct OuterKeyword {
  std::string_view name;
  Text text;
};
constexpr Text kMustBeEmpty("must be empty to be structural");
constexpr Text kMustBeUndefined("must be undefined to be structural");
constexpr Text kMustBeFalse("must be false to be structural");
constexpr std::array kOuterKeywords{OuterKeyword{"type", kMustBeEmpty},
                                    OuterKeyword{"default", kMustBeUndefined},
                                    OuterKeyword{"title", kMustBeEmpty},
                                    OuterKeyword{"description", kMustBeEmpty},
                                    OuterKeyword{"nullable", kMustBeFalse},
                                    OuterKeyword{kKeepsUnknownKey, kMustBeFalse},
                                    OuterKeyword{kEmbeddedKey, kMustBeFalse},
                                    OuterKeyword{kIntOrString, kMustBeFalse},
                                    OuterKeyword{"x-kubernetes-list-map-keys", kMustBeEmpty},
                                    OuterKeyword{"x-kubernetes-list-type", kMustBeUndefined},
                                    OuterKeyword{"x-kubernetes-map-type", kMustBeUndefined},
                                    OuterKeyword{"x-kubernetes-validations", kMustBeEmpty}};

/// Calls `function(schema, path)` with each schema of a list such as anyOf.
template <class Function>
void for_each_in(const Value& list, const Path& path, const Function& function) {
  for (std::size_t i = 0; i < list.size(); ++i) function(list.at(i), path.at(i));
}

/// The same with each schema of anyOf, allOf, oneOf and not.
template <class Function>
void for_each_nested(const Value& schema, const Path& path, const Function& function) {
  for (const char* keyword : {"anyOf", "allOf", "oneOf"})
    for_each_in(schema[keyword], path.child(keyword), function);
  if (schema["not"].is_object()) function(schema["not"], path.child("not"));
}

class StructureChecker {
 public:
  explicit StructureChecker(Errors& errors) : errors_(errors) {}

  void check(const Value& schema, Level level, const Path& path) {
    if (!schema.is_object()) return;
    if (schema["type"].text() == "array" && !schema["items"].is_object())
      errors_.required(path.child("items"), Text("must be specified"));
    check(schema["items"], Level::item, path.child("items"));
    const Path properties = path.child("properties");
    static const Value empty = Value::empty_object();
    for (const Member& property : schema["properties"].members())
      check(property.value.is_null() ? empty : property.value, Level::field,
            properties.key(property.key.text()));
    if (const Value& others = schema["additionalProperties"]; !others.is_null()) {
      if (level == Level::root)
        errors_.forbidden(path.child("additionalProperties"), Text("must not be used at the root"));
      check(others, Level::field, path.child("additionalProperties"));
    }
    check_values(schema, is_integer_or_string(schema["anyOf"]),
                 (!schema["allOf"].empty() && is_integer_or_string(schema["allOf"].at(0)["anyOf"])), path);
    check_type(schema, level, path);
    check_meta(schema, level, path);
  }

  /// Expects each member that a nested schema specifies in the schema around it, too.
  void check_complete(const Value& nested, const Value& schema, const Path& nested_path, const Path& path) {
    if (!nested.is_object()) return;
    if (!schema.is_object())
      return errors_.required(path, Text("because it is defined in {}").with({nested_path.text()}));
    for_each_nested(nested, nested_path,
                    [&](const Value& one, const Path& place) { check_complete(one, schema, place, path); });
    check_complete(nested["items"], schema["items"], nested_path.child("items"), path.child("items"));
    const Path inner = nested_path.child("properties"), outer = path.child("properties");
    for (const Member& property : nested["properties"].members()) {
      const std::string_view name = property.key.text();
      check_complete(property.value, schema["properties"][property.key.name()], inner.key(name),
                     outer.key(name));
    }
  }

 private:
  void check_values(const Value& schema, bool skips_any_of, bool skips_first_all_of, const Path& path) {
    const auto check_one = [&](const Value& nested, const Path& place) {
      check_nested(nested, false, place);
    };
    if (!skips_any_of) for_each_in(schema["anyOf"], path.child("anyOf"), check_one);
    const Value& all_of = schema["allOf"];
    const Path all_path = path.child("allOf");
    for (std::size_t i = 0; i < all_of.size(); ++i)
      check_nested(all_of.at(i), skips_first_all_of && i == 0, all_path.at(i));
    for_each_in(schema["oneOf"], path.child("oneOf"), check_one);
    if (schema["not"].is_object()) check_one(schema["not"], path.child("not"));
    const std::string_view pattern = schema["pattern"].text();
    if (pattern.empty()) return;
    std::string problem;
    if (cel::compile_pattern(pattern, problem) == nullptr)
      errors_.invalid(path.child("pattern"), pattern,
                      Text("must be a valid regular expression, but isn't: {}").with({problem}));
  }

  void check_nested(const Value& schema, bool skips_any_of, const Path& path) {
    check_values(schema, skips_any_of, false, path);
    if (schema["items"].is_object()) check_nested(schema["items"], false, path.child("items"));
    const Path properties = path.child("properties");
    for (const Member& property : schema["properties"].members())
      check_nested(property.value, false, properties.key(property.key.text()));
    if (const Value& others = schema["additionalProperties"]; others.is_object() || others.is_true())
      errors_.forbidden(path.child("additionalProperties"), kMustBeUndefined);
    for (const OuterKeyword& keyword : kOuterKeywords) {
      const Value& value = schema[Name(keyword.name)];
      const bool is_set = !is_zero(value) && !(value.is_array() && value.empty());
      if (is_set) errors_.forbidden(path.child(keyword.name), keyword.text);
    }
    if (schema["properties"].find(Name("metadata")) != nullptr)
      errors_.forbidden(properties.key("metadata"), Text("must not be specified in a nested context"));
  }

  void check_type(const Value& schema, Level level, const Path& path) {
    const std::string_view type = schema["type"].text();
    const bool is_embedded = schema[kEmbeddedKey].is_true(),
               keeps_unknown = schema[kKeepsUnknownKey].is_true();
    const Path at = path.child("type");
    if (schema[kIntOrString].is_true()) {
      if (keeps_unknown)
        errors_.invalid(path.child(kKeepsUnknownKey), Value(true),
                        Text("must be false if x-kubernetes-int-or-string is true"));
      if (is_embedded)
        errors_.invalid(path.child(kEmbeddedKey), Value(true),
                        Text("must be false if x-kubernetes-int-or-string is true"));
    }
    if (is_embedded && type != "object") {
      constexpr Text kObject("must be object if x-kubernetes-embedded-resource is true");
      type.empty() ? errors_.required(at, kObject) : errors_.invalid(at, type, kObject);
    } else if (type.empty() && !schema[kIntOrString].is_true() && !keeps_unknown) {
      errors_.required(at, level == Level::root   ? Text("must not be empty at the root")
                           : level == Level::item ? Text("must not be empty for specified array items")
                                                  : Text("must not be empty for specified object fields"));
    }
    if (level == Level::root && !type.empty() && type != "object")
      errors_.invalid(at, type, Text("must be object at the root"));
    if (!is_embedded) return;
    if (!schema["additionalProperties"].is_null())
      errors_.forbidden(path.child("additionalProperties"),
                        Text("must not be used if x-kubernetes-embedded-resource is set"));
    if (!keeps_unknown && schema["properties"].empty())
      errors_.required(path.child("properties"),
                       Text("must not be empty if x-kubernetes-embedded-resource is true without "
                            "x-kubernetes-preserve-unknown-fields"));
  }

  /// The members that every resource has.
  void check_meta(const Value& schema, Level level, const Path& path) {
    if (level != Level::root && !schema[kEmbeddedKey].is_true()) return;
    const Path properties = path.child("properties");
    for (const char* name : {"kind", "apiVersion"}) {
      const Value* specified = schema["properties"].find(name);
      if (specified == nullptr || (*specified)["type"].text() == "string") continue;
      errors_.invalid(properties.key(name).child("type"), (*specified)["type"].text(),
                      Text("must be string"));
    }
    const Value* metadata = schema["properties"].find("metadata");
    if (metadata == nullptr) return;
    const Path at = properties.key("metadata");
    if ((*metadata)["type"].text() != "object")
      errors_.invalid(at.child("type"), (*metadata)["type"].text(), Text("must be object"));
    if (level != Level::root) return;
    bool has_more = false;
    for (const Member& member : metadata->members()) {
      if (member.key.is("type") || member.key.is("default")) continue;
      if (!member.key.is("properties")) has_more = has_more || !is_zero(member.value);
      for (const Member& property : member.value.members())
        has_more = has_more || !(property.key.is("name") || property.key.is("generateName"));
    }
    if (has_more)
      errors_.forbidden(at,
                        Text("must not specify anything other than name and generateName, but metadata is "
                             "implicitly specified"));
  }

  Errors& errors_;
};

}  // namespace

bool can_be_structural(const Value& schema) {
  if (!schema.is_object()) return true;
  for (const char* keyword : {"id", "$schema", "$ref", "patternProperties", "dependencies", "definitions"})
    if (!is_zero(schema[keyword])) return false;
  const Value* keeps_unknown = schema.find(kKeepsUnknownKey);
  const bool keeps_none =
      keeps_unknown != nullptr && keeps_unknown->is_boolean() && !keeps_unknown->is_true();
  if (keeps_none || !schema["additionalItems"].is_null() || schema["items"].is_array()) return false;
  bool can_be = can_be_structural(schema["items"]) && can_be_structural(schema["additionalProperties"]);
  for (const Member& property : schema["properties"].members())
    can_be = can_be && can_be_structural(property.value);
  for_each_nested(schema, Path(""),
                  [&](const Value& nested, const Path&) { can_be = can_be && can_be_structural(nested); });
  return can_be;
}

void check_structure(const Value& schema, const Path& path, Errors& errors) {
  StructureChecker checker(errors);
  checker.check(schema, Level::root, path);
  for_each_nested(schema, path, [&](const Value& nested, const Path& place) {
    checker.check_complete(nested, schema, place, path);
  });
}

}  // namespace fixpoint::apiserver::custom
