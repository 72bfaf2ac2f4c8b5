#include "harness/apiserver/custom/rule_types.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "harness/apiserver/custom/correlation.h"
#include "harness/apiserver/custom/durations.h"
#include "harness/apiserver/decoding/string_formats.h"
#include "harness/document/base64.h"
#include "harness/document/go_print.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::custom {

namespace {

using cel::Datum;
using cel::TypeKind;
using cel::TypePtr;
using document::Member;
using document::Name;
using document::Value;

/// Words of CEL, which an expression cannot use as names of members.
constexpr std::array<std::string_view, 20> kReserved{
    "true", "false", "null", "in",     "as",      "break",     "const", "continue", "else", "for",
    "function", "if", "import", "let", "loop", "package", "namespace", "return", "var", "void"};

/// The schema of what every resource has (WithTypeAndObjectMeta): its metadata have names alone.
const Value& resource_properties() {
  static const Value text{{"type", "string"}};
  static const Value all{{"apiVersion", text},
                         {"kind", text},
                         {"metadata",
                          {{"type", "object"}, {"properties", {{"name", text}, {"generateName", text}}}}}};
  return all;
}

/// Calls a function with each specified member of an object: its name, and its schema.
template <class Function>
void for_each_property(const Value& schema, bool is_resource, Function function) {
  if (is_resource) {
    for (const Member& property : resource_properties().members())
      function(property.key.name(), property.value);
  }
  for (const Member& property : schema["properties"].members()) {
    const bool is_known = is_resource && resource_properties().find(property.key.name()) != nullptr;
    if (!is_known) function(property.key.name(), property.value);
  }
}

class Declarer {
 public:
  explicit Declarer(cel::SelfTypes& into) : into_(into) {}

  /// Null for what has no type, such as a value that may be anything.
  TypePtr type_of(const Value& schema, bool is_resource, const std::string& name) {
    if (schema["x-kubernetes-int-or-string"].is_true()) return cel::read_type("dyn");
    const std::string_view type = schema["type"].text();
    if (type == "boolean") return cel::read_type("bool");
    if (type == "integer") return cel::read_type("int");
    if (type == "number") return cel::read_type("double");
    if (type == "string") return cel::read_type(type_of_text(schema["format"].text()));
    if (type == "array") {
      const Value& items = schema["items"];
      const TypePtr element = type_of(items, items[kEmbeddedKey].is_true(), name + ".@idx");
      return element == nullptr ? nullptr : cel::list_type(element);
    }
    return type == "object" || is_resource ? object_type(schema, is_resource, name) : nullptr;
  }

 private:
  static const char* type_of_text(std::string_view format) {
    if (format == "byte") return "bytes";
    if (format == "duration") return "duration";
    return format == "date" || format == "date-time" || format == "datetime" ? "timestamp" : "string";
  }

  TypePtr object_type(const Value& schema, bool is_resource, const std::string& name) {
    if (const Value& others = schema["additionalProperties"]; others.is_object()) {
      const TypePtr value = type_of(others, others[kEmbeddedKey].is_true(), name + ".@elem");
      return value == nullptr ? nullptr : cel::map_type(cel::read_type("string"), value);
    }
    auto& fields = into_.objects[name];
    for_each_property(schema, is_resource, [&](const Name& key, const Value& property) {
      const std::string escaped = escaped_name(key.text);
      if (escaped.empty()) return;
      const TypePtr type = type_of(property, property[kEmbeddedKey].is_true(), name + "." + escaped);
      if (type != nullptr) fields[escaped] = type;
    });
    return cel::make_type(TypeKind::message, name);
  }

  cel::SelfTypes& into_;
};

/// The error of Go's parser for a time with a small t or z, which the format admits and the parser does not.
std::string parse_problem(std::string_view text) {
  constexpr std::size_t kDate = 10, kSeconds = 19;
  const std::string whole = ": parsing time " + document::go_quoted(text);
  if (text.size() > kDate && text[kDate] != 'T')
    return whole + " as \"2006-01-02T15:04:05\": cannot parse " + document::go_quoted(text.substr(kDate)) +
           " as \"T\"";
  if (text.size() <= kSeconds) return {};
  std::string_view rest = text.substr(kSeconds);
  if (rest[0] == '.') rest.remove_prefix(std::min(rest.find_first_not_of("0123456789", 1), rest.size()));
  return whole + ": extra text: " + document::go_quoted(rest);
}

Datum value_of_text(std::string_view text, std::string_view format) {
  if (format == "byte") {
    const auto bytes = document::decode_base64(text);
    return bytes ? Datum::bytes(*bytes) : Datum::error("decode base64 fails");
  }
  if (format == "duration") {
    const auto duration = read_duration_format(text);
    return duration ? Datum::duration(*duration) : Datum::error("Invalid duration " + std::string(text));
  }
  if (format == "date" || format == "date-time" || format == "datetime") {
    const auto time = format == "date" ? read_date_format(text) : read_date_time_format(text);
    return time ? Datum::of(*time)
                : Datum::error("Invalid " + std::string(format) + " formatted string " + std::string(text) +
                               parse_problem(text));
  }
  return Datum::of(text);
}

/// The error of a value with another type than its schema says, which an update may keep.
Datum unfit(const Value& value, std::string_view wanted) {
  return Datum::error("invalid data, expected " + std::string(wanted) + ", got " +
                      std::string(document::go_type_name(value)));
}

Datum value_of_list(const Value& value, const Value& schema) {
  if (!value.is_array())
    return Datum::error("invalid data, expected an array for the provided schema with type=array");
  std::vector<Datum> elements;
  for (const Value& element : value.elements())
    elements.push_back(rule_value(element, schema["items"], false));
  const std::string_view list_type = schema["x-kubernetes-list-type"].text();
  if (list_type == "set") return Datum::set_of(std::move(elements));
  if (list_type != "map") return Datum::of(std::move(elements));
  std::vector<std::string> keys;
  for (const Value& key : schema["x-kubernetes-list-map-keys"].elements()) {
    // The server looks for the escaped name among the plain ones, so that it finds no other key than a plain
    // one.
    keys.emplace_back(escaped_name(key.text()) == key.text() ? key.text() : std::string_view());
  }
  return Datum::list_by_key(std::move(elements), std::move(keys));
}

Datum value_of_object(const Value& value, const Value& schema, bool is_resource) {
  std::vector<std::pair<Datum, Datum>> entries;
  if (const Value& others = schema["additionalProperties"]; others.is_object()) {
    for (const Member& member : value.members())
      entries.emplace_back(Datum::of(member.key.text()), rule_value(member.value, others, false));
    return Datum::of(std::move(entries));
  }
  for_each_property(schema, is_resource, [&](const Name& name, const Value& property) {
    const Value* member = value.find(name);
    if (member == nullptr) return;
    if (std::string escaped = escaped_name(name.text); !escaped.empty())
      entries.emplace_back(Datum::of(escaped), rule_value(*member, property, false));
  });
  return Datum::of(std::move(entries));
}

}  // namespace

std::string escaped_name(std::string_view name) {
  if (std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end())
    return "__" + std::string(name) + "__";
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return {};
  std::string escaped;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (c == '_' && i + 1 < name.size() && name[i + 1] == '_') {
      escaped += "__underscores__";
      ++i;
    } else if (is_plain || c == '_') {
      escaped += c;
    } else if (c == '.') {
      escaped += "__dot__";
    } else if (c == '-') {
      escaped += "__dash__";
    } else if (c == '/') {
      escaped += "__slash__";
    } else {
      return {};
    }
  }
  return escaped;
}

cel::SelfTypes self_types(const Value& schema, bool is_resource) {
  cel::SelfTypes types;
  types.self = Declarer(types).type_of(schema, is_resource, "selfType");
  return types;
}

Datum rule_value(const Value& value, const Value& schema, bool is_resource) {
  if (value.is_null()) return {};
  if (schema["x-kubernetes-int-or-string"].is_true()) {
    return value.is_string() || value.integer()
               ? Datum::of(value)
               : Datum::error("invalid data, expected XIntOrString value to be either a string or integer");
  }
  const std::string_view type = schema["type"].text();
  if (type == "object") {
    return value.is_object()
               ? value_of_object(value, schema, is_resource || schema[kEmbeddedKey].is_true())
               : Datum::error("invalid data, expected a map for the provided schema with type=object");
  }
  if (type == "array") return value_of_list(value, schema);
  if (type == "string")
    return value.is_string() ? value_of_text(value.text(), schema["format"].text()) : unfit(value, "string");
  if (type == "boolean") return value.is_boolean() ? Datum::of(value) : unfit(value, "bool");
  if (type == "number") {
    return value.is_number() ? Datum::of(value.real().value_or(0)) : unfit(value, "float");
  }
  if (type != "integer") return Datum::of(value);
  return value.integer() ? Datum::of(value) : unfit(value, "int");  // 1.0 is a float64
}

}  // namespace fixpoint::apiserver::custom
