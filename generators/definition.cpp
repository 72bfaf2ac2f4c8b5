#include "generators/definition.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "generators/schema_values.h"
#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/custom/whole_object.h"

namespace fixpoint::generators {

namespace {

using document::Member;
using document::Value;
using runner::Choices;

constexpr int kDepthMax = 3;
constexpr const char* kRulesKey = "x-kubernetes-validations";

constexpr std::array kFormatNames{"date-time", "date",     "duration", "byte",          "email", "hostname",
                                  "ipv4",      "ipv6",     "cidr",     "uri",           "uuid",  "mac",
                                  "password",  "hexcolor", "unknown",  "k8s-short-name"};
constexpr std::array kPatternTexts{"^[a-z]+$", "^[a-z]([-a-z0-9]*[a-z0-9])?$", "a", "^([0-9]+)(Mi|Gi)?$",
                                   "^(a|b)?$"};
constexpr std::array kMembers{"size",  "mode", "name", "list",      "tags",
                              "inner", "a-b",  "c.d",  "namespace", "x_y"};

/// Rules by the type of the value that they are asked about. `x` stands for a scalar member.
struct RuleRow {
  const char* type;
  Value row;
};
const std::vector<RuleRow>& rule_rows() {
  static const std::vector<RuleRow> rows{
      {"string", {{"rule", "self != 'x'"}}},
      {"string", {{"rule", "self.size() < 12"}, {"message", "too long"}, {"reason", "FieldValueForbidden"}}},
      {"string", {{"rule", "self == oldSelf"}, {"message", "is immutable"}}},
      {"string",
       {{"rule", "self.startsWith('a') || self == ''"}, {"messageExpression", "'must start with a'"}}},
      {"integer", {{"rule", "self >= 0"}, {"message", "negative"}}},
      {"integer", {{"rule", "self != 7"}, {"reason", "FieldValueDuplicate"}}},
      {"integer", {{"rule", "self >= oldSelf"}, {"message", "only grows"}}},
      {"integer", {{"rule", "100 / self != 3"}}},
      {"integer",
       {{"rule", "oldSelf.hasValue() || self < 100"},
        {"optionalOldSelf", true},
        {"message", "first below 100"}}},
      {"number", {{"rule", "self < 1000.5"}}},
      {"boolean", {{"rule", "self || !self"}}},
      {"boolean", {{"rule", "self"}, {"reason", "FieldValueRequired"}}},
      {"array", {{"rule", "self.size() != 3"}, {"message", "three"}}},
      {"array", {{"rule", "size(self) >= size(oldSelf)"}}},
      {"map", {{"rule", "!('no' in self)"}}},
      {"map", {{"rule", "self.all(k, size(k) < 9)"}, {"message", "long key"}}}};
  return rows;
}

Value free_object() { return {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}}; }

Value embedded_object() {
  return {{"type", "object"},
          {"x-kubernetes-embedded-resource", true},
          {"x-kubernetes-preserve-unknown-fields", true}};
}

/// In a list that is no map no rule may name the old value.
Value without_transitions(Value schema, bool is_everywhere) {
  if (!is_everywhere) return schema;
  std::vector<Value> kept;
  for (const Value& row : schema[kRulesKey].elements())
    if (row["rule"].text().find("oldSelf") == std::string_view::npos) kept.push_back(row);
  schema.remove(kRulesKey);
  if (!kept.empty()) schema.set(kRulesKey, std::move(kept));
  for (const char* below : {"items", "additionalProperties"})
    if (schema[below].is_object()) schema.set(below, without_transitions(schema[below], true));
  const Value properties = schema["properties"];
  for (const Member& property : properties.members())
    schema.edit("properties").set(property.key.name(), without_transitions(property.value, true));
  return schema;
}

/// additionalProperties have no default of their own.
Value without_defaults(Value schema) {
  schema.remove("default");
  return schema;
}

/// Within anyOf and the like there are no types.
void combine(Choices& choices, Value& schema, const std::vector<std::string>& names) {
  std::vector<Value> ways;
  for (const std::string& name : names) ways.push_back(Value{{"required", Value::list({name})}});
  if (ways.empty()) return;
  constexpr std::array kKeywords{"anyOf", "oneOf", "allOf"};
  if (choices.one_in(4)) return schema.set("not", choices.pick(ways));
  schema.set(choices.pick(kKeywords), std::move(ways));
}

void add_member_rule(Choices& choices, Value& schema) {
  for (const Member& property : schema["properties"].members()) {
    const std::string_view name = property.key.text(), type = property.value["type"].text();
    if (name.find_first_of("-.") != std::string_view::npos || name == "namespace") continue;
    if (type != "integer" && type != "string") continue;
    const std::string path = "self." + std::string(name);
    Value row{{"rule", "!has(" + path + ") || " + path + (type == "integer" ? " != 1" : " != string(0)")}};
    if (type == "string" && property.value["format"].is_string()) continue;
    if (choices.coin()) row.set("fieldPath", "." + std::string(name));
    schema.edit(kRulesKey).push_back(std::move(row));
    return;
  }
}

void add_rule(Choices& choices, Value& schema) {
  std::string type(schema["type"].text());
  if (type == "object") type = schema["additionalProperties"].is_object() ? "map" : "";
  // Texts with a format have another type in rules.
  if (schema["format"].is_string() && type == "string") return;
  std::vector<const Value*> rows;
  for (const RuleRow& row : rule_rows())
    if (row.type == type) rows.push_back(&row.row);
  if (!rows.empty()) schema.edit(kRulesKey).push_back(*choices.pick(rows));
}

void add_default(Choices& choices, Value& schema) {
  const Value value = draw_schema_value(choices, schema, {.depth_max = 2});
  const Value whole{{"type", "object"}, {"properties", {{"spec", schema}}}}, object{{"spec", value}};
  const bool is_pruned = apiserver::custom::pruned(object, whole) == object;
  if (is_pruned && !value.is_null() && apiserver::custom::is_valid(object, whole, apiserver::kNewestMinor))
    schema.set("default", value);
}

/// Draws a structural schema. Lists, maps and texts are short, so that rules stay cheap.
class Drawer {
 public:
  explicit Drawer(Choices& choices) : choices_(choices) {}

  Value object(int depth, std::size_t members) {
    Value schema{{"type", "object"}};
    Value& properties = schema.edit("properties");
    properties = Value::empty_object();
    for (std::size_t i = 0; i < members; ++i) properties.set(choices_.pick(kMembers), any(depth - 1));
    std::vector<std::string> names;
    for (const Member& property : properties.members()) names.emplace_back(property.key.text());
    for (const std::string& name : names)
      if (choices_.one_in(4)) schema.edit("required").push_back(name);
    if (choices_.one_in(6)) schema.set("x-kubernetes-preserve-unknown-fields", true);
    if (choices_.one_in(6)) schema.set("maxProperties", 4);
    if (choices_.one_in(4)) combine(choices_, schema, names);
    if (choices_.one_in(3)) add_member_rule(choices_, schema);
    return schema;
  }

 private:
  Value any(int depth) {
    Value schema = depth > 0 ? of_type(choices_.below(9), depth) : of_type(choices_.below(5), depth);
    if (choices_.one_in(6)) schema.set("nullable", true);
    if (choices_.one_in(3)) add_rule(choices_, schema);
    if (choices_.one_in(3)) add_default(choices_, schema);
    return schema;
  }

  Value of_type(std::uint64_t type, int depth) {
    switch (type) {
      case 0:
        return text();
      case 1:
        return integer();
      case 2:
        return number();
      case 3:
        return {{"type", "boolean"}};
      case 4:
        return int_or_string();
      case 5:
        return list(depth);
      case 6:
        return map(depth);
      case 7:
        return choices_.one_in(3) ? embedded_object() : free_object();
      default:
        return object(depth, 1 + choices_.below(3));
    }
  }

  Value text() {
    Value schema{{"type", "string"}, {"maxLength", choices_.between(3, 40)}};
    switch (choices_.below(5)) {
      case 0:
        schema.set("format", choices_.pick(kFormatNames));
        break;
      case 1:
        schema.set("pattern", choices_.pick(kPatternTexts));
        break;
      case 2:
        schema.set("enum", Value::list({"a", "b", ""}));
        break;
      case 3:
        schema.set("minLength", choices_.between(0, 3));
        break;
      default:
        break;
    }
    return schema;
  }

  Value integer() {
    Value schema{{"type", "integer"}};
    if (choices_.one_in(3)) schema.set("format", choices_.coin() ? "int32" : "int64");
    if (choices_.one_in(3)) schema.set("minimum", choices_.between(-1, 2));
    if (choices_.one_in(3)) schema.set("maximum", choices_.between(5, 100));
    if (choices_.one_in(6)) schema.set("multipleOf", choices_.between(1, 5));
    if (choices_.one_in(8)) schema.set("enum", Value::list({0, 1, 7}));
    return schema;
  }

  Value number() {
    Value schema{{"type", "number"}};
    if (choices_.one_in(4)) schema.set("format", choices_.coin() ? "float" : "double");
    if (choices_.one_in(3)) {
      schema.set("minimum", choices_.between(0, 1));
      if (choices_.coin()) schema.set("exclusiveMinimum", true);
    }
    if (choices_.one_in(5)) schema.set("multipleOf", Value::number("0.5"));
    return schema;
  }

  Value int_or_string() {
    Value schema{{"x-kubernetes-int-or-string", true}};
    if (choices_.coin())
      schema.set("anyOf", Value::list({Value{{"type", "integer"}}, Value{{"type", "string"}}}));
    if (choices_.one_in(3)) schema.set("pattern", "^[0-9]+%?$");
    return schema;
  }

  Value list(int depth) {
    Value schema{{"type", "array"}, {"maxItems", choices_.between(2, 6)}};
    if (choices_.one_in(5)) schema.set("minItems", 1);
    switch (choices_.below(4)) {
      case 0:
        schema.set("x-kubernetes-list-type", "set");
        schema.set("items", {{"type", "string"}, {"maxLength", 16}});
        break;
      case 1: {
        Value items = object(depth - 1, choices_.below(3));
        items.remove("nullable");
        items.edit("properties").set("key", {{"type", "string"}, {"maxLength", 16}});
        if (items.edit("required").is_null() || !items["required"].is_array())
          items.set("required", Value::empty_list());
        items.edit("required").push_back("key");
        schema.set("x-kubernetes-list-type", "map");
        schema.set("x-kubernetes-list-map-keys", Value::list({"key"}));
        schema.set("items", without_transitions(std::move(items), false));
        break;
      }
      default:
        schema.set("items", without_transitions(any(depth - 1), true));
        if (choices_.one_in(3)) schema.set("x-kubernetes-list-type", "atomic");
    }
    return schema;
  }

  Value map(int depth) {
    return {{"type", "object"},
            {"maxProperties", choices_.between(1, 4)},
            {"additionalProperties", without_defaults(any(depth - 1))}};
  }

  Choices& choices_;
};

Value draw_whole_schema(Choices& choices) {
  Drawer drawer(choices);
  Value schema{{"type", "object"},
               {"properties",
                {{"spec", drawer.object(kDepthMax, 2 + choices.below(5))},
                 {"status", {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}}}}}};
  if (choices.coin()) {  // as controller-gen writes them
    for (const char* name : {"apiVersion", "kind"}) schema.edit("properties").set(name, {{"type", "string"}});
    schema.edit("properties").set("metadata", {{"type", "object"}});
  }
  return schema;
}

/// The paths of a scale: its replicas are the first integer of the spec, if there is one.
Value draw_scale(Choices& choices, const Value& schema) {
  std::string replicas = "replicas";
  for (const auto& [name, member] : schema["properties"]["spec"]["properties"].members()) {
    if (member["type"].text() != "integer" || name.text().find('-') != std::string_view::npos) continue;
    replicas = name.text();
    break;
  }
  Value scale{{"specReplicasPath", ".spec." + replicas}, {"statusReplicasPath", ".status.replicas"}};
  if (choices.one_in(3)) scale.set("labelSelectorPath", ".status.selector");
  return scale;
}

}  // namespace

Value draw_definition(Choices& choices) {
  const Value schema = draw_whole_schema(choices);
  Value version{
      {"name", "v1"}, {"served", true}, {"storage", true}, {"schema", {{"openAPIV3Schema", schema}}}};
  if (choices.coin()) version.edit("subresources").set("status", Value::empty_object());
  if (choices.one_in(3)) version.edit("subresources").set("scale", draw_scale(choices, schema));
  Value versions = Value::list({version});
  if (choices.one_in(3)) {
    version.set("name", "v1beta1");
    version.set("storage", false);
    if (choices.coin()) version.set("schema", {{"openAPIV3Schema", draw_whole_schema(choices)}});
    versions.push_back(version);
  }
  return {{"apiVersion", "apiextensions.k8s.io/v1"},
          {"kind", "CustomResourceDefinition"},
          {"metadata", {{"name", "widgets.example.io"}}},
          {"spec",
           {{"group", "example.io"},
            {"scope", "Namespaced"},
            {"names",
             {{"kind", "Widget"}, {"plural", "widgets"}, {"singular", "widget"}, {"listKind", "WidgetList"}}},
            {"versions", versions}}}};
}

}  // namespace fixpoint::generators
