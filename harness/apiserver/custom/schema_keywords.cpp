#include "harness/apiserver/custom/schema_keywords.h"

#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "harness/apiserver/custom/compiled_rules.h"
#include "harness/apiserver/custom/correlation.h"
#include "harness/apiserver/text/formats.h"

namespace fixpoint::apiserver::custom {

namespace {

using document::Member;
using document::Name;
using document::Text;
using document::Value;
using validation::Errors;
using validation::Path;
using validation::trimmed;

constexpr std::string_view kTypes[] = {"array", "boolean", "integer", "number", "object", "string"};
constexpr std::string_view kListTypes[] = {"atomic", "set", "map"};
constexpr std::string_view kMapTypes[] = {"atomic", "granular"};
constexpr std::string_view kReasons[] = {"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid",
                                         "FieldValueRequired"};
constexpr const char* kListType = "x-kubernetes-list-type";
constexpr const char* kMapType = "x-kubernetes-map-type";
constexpr const char* kMapKeys = "x-kubernetes-list-map-keys";
constexpr const char* kRules = "x-kubernetes-validations";

/// Keywords of JSON Schema that definitions do not have.
struct ForeignKeyword {
  std::string_view name;
  Text text;
};
constexpr std::array kForeign{ForeignKeyword{"id", Text("id is not supported")},
                              ForeignKeyword{"additionalItems", Text("additionalItems is not supported")},
                              ForeignKeyword{"patternProperties", Text("patternProperties is not supported")},
                              ForeignKeyword{"definitions", Text("definitions is not supported")},
                              ForeignKeyword{"dependencies", Text("dependencies is not supported")},
                              ForeignKeyword{"$ref", Text("$ref is not supported")}};

/// The rules of the schemas around one for it.
struct Around {
  bool is_root = false;
  bool is_in_meta = false;       ///< of the metadata, kind or apiVersion of a resource
  std::string no_defaults = {};  ///< the reason for which it must not have a default
};

bool has_line_breaks(std::string_view text) { return text.find_first_of("\n\r") != std::string_view::npos; }
bool is_blank(std::string_view text) { return trimmed(text).empty(); }

/// Returns true if `.a.b['c']` names a field that the schema specifies (schema/cel/validation.go
/// ValidFieldPath).
bool is_field_of(const Value& schema, std::string_view path) {
  const Value* at = &schema;
  while (!path.empty()) {
    std::string_view name;
    if (path[0] == '.') {
      name = path.substr(1, path.find_first_of(".[]", 1) - 1);
      path.remove_prefix(1 + name.size());
    } else {
      const auto end = path.starts_with("['") ? path.find("']", 2) : std::string_view::npos;
      if (end == std::string_view::npos) return false;
      name = path.substr(2, end - 2);
      path.remove_prefix(end + 2);
    }
    const Value& properties = (*at)["properties"];
    at = properties.empty() ? &(*at)["additionalProperties"] : properties.find(name);
    if (at == nullptr || !at->is_object()) return false;
  }
  return true;
}

class KeywordChecker {
 public:
  explicit KeywordChecker(Errors& errors) : errors_(errors) {}

  void check(const Value& schema, const Path& path, const Around& around) {
    if (!schema.is_object()) return;
    check_supported(schema, path, around);
    check_members(schema, path, around);
    const Around below{.is_in_meta = around.is_in_meta, .no_defaults = around.no_defaults};
    check(schema["not"], path.child("not"), below);
    for (const char* keyword : {"allOf", "oneOf", "anyOf"}) {
      const Path list = path.child(keyword);
      for (std::size_t i = 0; i < schema[keyword].size(); ++i)
        check(schema[keyword].at(i), list.at(i), below);
    }
    check(schema["items"], path.child("items"), below);
    if (const Value* keeps = schema.find(kKeepsUnknownKey);
        keeps != nullptr && keeps->is_boolean() && !keeps->is_true())
      errors_.invalid(path.child(kKeepsUnknownKey), *keeps, Text("must be true or undefined"));
    check_map_type(schema, path);
    check_list_type(schema, path);
    for (std::size_t i = 0; i < schema[kRules].size(); ++i)
      check_rule(schema[kRules].at(i), schema, path.child(kRules).at(i));
  }

 private:
  void check_supported(const Value& schema, const Path& path, const Around& around) {
    const std::string_view type = schema["type"].text();
    if (!type.empty()) {
      if (!validation::is_one_of(type, kTypes)) errors_.not_supported_text(path.child("type"), type, kTypes);
      if (type == "null")
        errors_.forbidden(path.child("type"),
                          Text("type cannot be set to null, use nullable as an alternative"));
    }
    if (schema.find("default") != nullptr && !schema["default"].is_null() && !around.no_defaults.empty())
      errors_.forbidden(path.child("default"), Text("must not be set {}").with({around.no_defaults}));
    for (const ForeignKeyword& keyword : kForeign) {
      const Value& value = schema[Name(keyword.name)];
      if (!value.is_null() && !(value.is_string() && value.text().empty()))
        errors_.forbidden(path.child(keyword.name), keyword.text);
    }
    if (schema["items"].is_array())
      errors_.forbidden(path.child("items"), Text("items must be a schema object and not an array"));
    if (around.is_in_meta && schema[kEmbeddedKey].is_true())
      errors_.forbidden(path.child(kEmbeddedKey), Text("must not be used inside of resource meta"));
    if (schema["uniqueItems"].is_true())
      errors_.forbidden(path.child("uniqueItems"),
                        Text("uniqueItems cannot be set to true since the runtime complexity becomes "
                             "quadratic"));
  }

  void check_members(const Value& schema, const Path& path, const Around& around) {
    if (const Value& others = schema["additionalProperties"]; !others.is_null()) {
      if (!schema["properties"].empty() && !others.is_true())
        errors_.forbidden(path.child("additionalProperties"),
                          Text("additionalProperties and properties are mutual exclusive"));
      Around below{.is_in_meta = around.is_in_meta, .no_defaults = around.no_defaults};
      if (around.is_in_meta) below.no_defaults = "inside additionalProperties applying to object metadata";
      check(others, path.child("additionalProperties"), below);
    }
    const bool is_resource = around.is_root || schema[kEmbeddedKey].is_true();
    const Path properties = path.child("properties");
    for (const Member& property : schema["properties"].members()) {
      const std::string_view name = property.key.text();
      Around below{.is_in_meta = around.is_in_meta, .no_defaults = around.no_defaults};
      if (is_resource && (name == "metadata" || name == "kind" || name == "apiVersion")) {
        below.is_in_meta = true;
        if (around.is_root) below.no_defaults = "in top-level " + std::string(name);
      }
      check(property.value, properties.key(name), below);
    }
  }

  void check_map_type(const Value& schema, const Path& path) {
    const Value* map_type = schema.find(kMapType);
    if (map_type == nullptr || map_type->is_null()) return;
    const std::string_view type = schema["type"].text();
    constexpr Text kObject("must be object if x-kubernetes-map-type is specified");
    if (type.empty())
      errors_.required(path.child("type"), kObject);
    else if (type != "object")
      errors_.invalid(path.child("type"), type, kObject);
    if (!validation::is_one_of(map_type->text(), kMapTypes))
      errors_.not_supported_text(path.child(kMapType), map_type->text(), kMapTypes);
  }

  void check_list_type(const Value& schema, const Path& path) {
    const Value* list_type = schema.find(kListType);
    const Value& keys = schema[kMapKeys];
    constexpr Text kMap("must be map if x-kubernetes-list-map-keys is non-empty");
    if (list_type == nullptr || list_type->is_null()) {
      if (!keys.empty()) errors_.required(path.child(kListType), kMap);
      return;
    }
    const std::string_view type = schema["type"].text();
    const Value& items = schema["items"];
    constexpr Text kArray("must be array if x-kubernetes-list-type is specified");
    if (type != "array") {
      type.empty() ? errors_.required(path.child("type"), kArray)
                   : errors_.invalid(path.child("type"), type, kArray);
    } else if (list_type->text() == "set") {
      check_set_items(items, path.child("items"));
    }
    if (!validation::is_one_of(list_type->text(), kListTypes))
      errors_.not_supported_text(path.child(kListType), list_type->text(), kListTypes);
    if (!keys.empty() && list_type->text() != "map")
      errors_.invalid(path.child(kListType), list_type->text(), kMap);
    if (list_type->text() == "map") check_map_items(items, keys, path);
    if (list_type->text() != "atomic" && items["nullable"].is_true())
      errors_.forbidden(
          path.child("items").child("nullable"),
          Text("cannot be nullable when x-kubernetes-list-type is {}").with({list_type->text()}));
  }

  void check_set_items(const Value& items, const Path& path) {
    constexpr Text kAtomic("must be atomic as item of a list with x-kubernetes-list-type=set");
    const std::string_view type = items["type"].text();
    const std::string_view list_type = items[kListType].text();
    if (type == "array" && !list_type.empty() && list_type != "atomic")
      errors_.invalid(path.child(kListType), items[kListType], kAtomic);
    if (type == "object" && items[kMapType].text() != "atomic")
      errors_.invalid(path.child(kMapType), items[kListType], kAtomic);
  }

  void check_map_items(const Value& items, const Value& keys, const Path& path) {
    if (keys.empty())
      errors_.required(path.child(kMapKeys), Text("must not be empty if x-kubernetes-list-type is map"));
    const Path at = path.child("items");
    if (items.is_null())
      return errors_.required(at, Text("must have a schema if x-kubernetes-list-type is map"));
    if (items["type"].text() != "object")
      return errors_.invalid(at.child("type"), items["type"].text(),
                             Text("must be object if parent array's x-kubernetes-list-type is map"));
    std::set<std::string_view> known, required;
    for (const Value& name : items["required"].elements()) required.insert(name.text());
    const Path properties = at.child("properties");
    for (const Value& key : keys.elements()) {
      const Value* property = items["properties"].find(key.text());
      if (property == nullptr) {
        errors_.invalid(path.child(kMapKeys), keys, Text("entries must all be names of item properties"));
      } else {
        const std::string_view type = (*property)["type"].text();
        if (type == "array" || type == "object")
          errors_.invalid(properties.key(key.text()).child("type"), items["type"].text(),
                          Text("must be a scalar type if parent array's x-kubernetes-list-type is map"));
        if (!required.contains(key.text()) && (*property)["default"].is_null())
          errors_.required(
              properties.key(key.text()).child("default"),
              Text("this property is in x-kubernetes-list-map-keys, so it must have a default or "
                   "be a required property"));
        if ((*property)["nullable"].is_true())
          errors_.forbidden(properties.key(key.text()).child("nullable"),
                            Text("this property is in x-kubernetes-list-map-keys, so it cannot be nullable"));
      }
      if (!known.insert(key.text()).second)
        errors_.invalid(path.child(kMapKeys), keys, Text("must not contain duplicate entries"));
    }
  }

  /// The texts of a rule, but for its expressions.
  void check_rule(const Value& row, const Value& schema, const Path& path) {
    const std::string_view rule = row["rule"].text(), message = row["message"].text();
    if (is_blank(rule))
      errors_.required(path.child("rule"), Text("rule is not specified"));
    else if (!message.empty() && is_blank(message))
      errors_.invalid(path.child("message"), message, Text("must be non-empty if specified"));
    else if (has_line_breaks(trimmed(message)))
      errors_.invalid(path.child("message"), message, Text("must not contain line breaks"));
    else if (has_line_breaks(trimmed(rule)) && is_blank(message))
      errors_.required(path.child("message"), Text("message must be specified if rule contains line breaks"));
    const std::string_view expression = row["messageExpression"].text();
    if (!expression.empty() && is_blank(expression))
      errors_.required(path.child("messageExpression"),
                       Text("messageExpression must be non-empty if specified"));
    if (row["reason"].is_string() && !validation::is_one_of(row["reason"].text(), kReasons))
      errors_.not_supported(path.child("reason"), row["reason"].text(), kReasons);
    const std::string_view field = row["fieldPath"].text();
    if (!field.empty() && is_blank(field))
      errors_.invalid(path.child("fieldPath"), field, Text("must be non-empty if specified"));
    if (has_line_breaks(field))
      errors_.invalid(path.child("fieldPath"), field, Text("must not contain line breaks"));
    if (!field.empty() && !is_field_of(schema, field))
      errors_.invalid(path.child("fieldPath"), field, Text("must be a valid path"));
  }

  Errors& errors_;
};

/// Checks the expressions of rules, with the place of the outermost list whose old elements the server cannot
/// match, if any.
class ExpressionChecker {
 public:
  explicit ExpressionChecker(Errors& errors) : errors_(errors) {}

  void check(const RuleNode& node, const Path& path, const Path* unmatched) {
    for (std::size_t i = 0; i < node.rules.size(); ++i)
      check(node.rules[i], path.child(kRules).at(i), unmatched);
    const Path properties = path.child("properties");
    for (const auto& [name, part] : node.properties) check(*part, properties.key(name), unmatched);
    if (node.others) check(*node.others, path.child("additionalProperties"), unmatched);
    if (!node.items) return;
    const bool has_keys = node.schema[kListType].text() == "map";
    check(*node.items, path.child("items"), unmatched == nullptr && !has_keys ? &path : unmatched);
  }

 private:
  static constexpr std::string_view kWrongType = "must evaluate to ";
  static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

  void check(const CompiledRule& rule, const Path& path, const Path* unmatched) {
    const Path at = path.child("rule");
    // The server shows the rule as its own struct here, which nobody reads: the value is left out.
    if (const std::string& error = rule.rule.error; !error.empty())
      return errors_.invalid_hidden(
          at, error.starts_with(kWrongType) ? "cel expression must evaluate to a bool" : first_line(error));
    if (const std::string& error = rule.message.error; !error.empty())
      errors_.invalid_hidden(
          path.child("messageExpression"),
          error.starts_with(kWrongType) ? "messageExpression must evaluate to a string" : first_line(error));
    const bool uses_old = rule.rule.program != nullptr && rule.rule.program->reads_old_self();
    if (uses_old && unmatched != nullptr)
      errors_.invalid(at, rule.row["rule"].text(),
                      Text("oldSelf cannot be used on the uncorrelatable portion of the schema within {}")
                          .with({unmatched->text()}));
    if (const Value& optional = rule.row["optionalOldSelf"]; !uses_old && optional.is_boolean())
      errors_.invalid(path.child("optionalOldSelf"), optional,
                      Text("may not be set if oldSelf is not used in rule"));
  }

  Errors& errors_;
};

}  // namespace

void check_keywords(const Value& schema, const Path& path, Errors& errors) {
  KeywordChecker(errors).check(schema, path, {.is_root = true});
}

void check_expressions(const Value& schema, const Path& path, int minor, Errors& errors) {
  if (const RuleNode* rules = rules_of(schema, minor)) ExpressionChecker(errors).check(*rules, path, nullptr);
}

}  // namespace fixpoint::apiserver::custom
