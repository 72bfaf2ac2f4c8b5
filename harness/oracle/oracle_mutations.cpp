#include "harness/oracle/oracle_mutations.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace fixpoint::oracle {

namespace {

using Is = CelValue::Is;

constexpr std::int64_t kExactIntegerMax = (std::int64_t{1} << 53) - 1;

bool is_made(const CelValue& value) {
  return (value.is == Is::list || value.is == Is::map) && !value.from_document;
}

/// Throws if the name of an object is not the path at which it stands.
void check_names(const CelValue& value, const std::string& path) {
  if (value.is == Is::object) {
    if (value.text != path) throw CelFailed("unexpected type name " + value.text);
    for (const auto& [name, field] : *value.entries) check_names(field, path + "." + name.text);
  } else if (is_made(value) && value.is == Is::list) {
    for (const CelValue& element : *value.elements) check_names(element, path);
  } else if (is_made(value)) {
    for (const auto& [key, element] : *value.entries) check_names(element, path);
  }
}

/// A double as JSON: a whole one below 1e21 is written without a fraction or an exponent.
Json json_of_real(double real) {
  const double size = std::abs(real);
  if (!std::isfinite(real)) {
    const std::string text = cel_real_text(real);
    return Json::binary({text.begin(), text.end()});
  }
  char text[400];
  const auto end = std::to_chars(
      text, text + sizeof text, real,
      size == 0 || (size >= 1e-6 && size < 1e21) ? std::chars_format::fixed : std::chars_format::scientific);
  const std::string written(text, end.ptr);
  if (written.size() < 19 && written.find_first_not_of("-0123456789") == std::string::npos && written != "-0")
    return Json::parse(written);
  return Json::binary({written.begin(), written.end()});
}

Json members_of_object(const CelValue& object);

/// A part of a document; nulls are documents here.
Json document_of(const CelValue& value) {
  if (value.is == Is::boolean) return value.truth;
  if (value.is == Is::integer) return value.integer;
  if (value.is == Is::real) return json_of_real(value.real);
  if (value.is == Is::text || value.is == Is::type) return value.text;
  if (value.is == Is::list) {
    Json list = Json::array();
    for (const CelValue& element : *value.elements) list.push_back(document_of(element));
    return list;
  }
  Json map = value.is == Is::map ? Json::object() : Json();
  if (value.is == Is::map)
    for (const auto& [key, element] : *value.entries) map[key.text] = document_of(element);
  return map;
}

/// A value as Go has it: no schema takes those of other kinds.
Json native_of(const CelValue& value) {
  switch (value.is) {
    case Is::boolean:
    case Is::integer:
    case Is::real:
    case Is::text:
    case Is::type:
      return document_of(value);
    case Is::optional:
      return value.has_value() ? native_of(value.held()) : Json();
    case Is::object:
      return members_of_object(value);
    case Is::list:
    case Is::map:
      if (value.from_document) return document_of(value);
      [[fallthrough]];
    default:
      throw CelFailed("a value that no schema takes");
  }
}

Json field_of(const CelValue& value) {
  if (!is_made(value)) return native_of(value);
  if (value.is == Is::list) {
    Json list = Json::array();
    for (const CelValue& element : *value.elements) list.push_back(native_of(element));
    return list;
  }
  Json map = Json::object();
  for (const auto& [key, element] : *value.entries) {
    if (key.is == Is::duration || key.is == Is::time || key.is == Is::bytes)
      throw Unsupported("a key that Go takes for a string");
    if (key.is != Is::text) throw CelFailed("a key that is no string");
    map[key.text] = native_of(element);
  }
  return map;
}

Json members_of_object(const CelValue& object) {
  Json members = Json::object();
  for (const auto& [name, field] : *object.entries) members[name.text] = field_of(field);
  return members;
}

Json base64_of(const std::string& bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j > bytes.size() ? '=' : kLetters[group >> (18 - 6 * j) & 0x3F];
  }
  return text;
}

/// A value in the JSON of protobuf's Value.
Json json_of(const CelValue& value) {
  switch (value.is) {
    case Is::null:
      return nullptr;
    case Is::boolean:
      return value.truth;
    case Is::integer:
      if (std::abs(value.integer) > kExactIntegerMax) return std::to_string(value.integer);
      return value.integer;
    case Is::natural:
      if (value.natural > static_cast<std::uint64_t>(kExactIntegerMax)) return std::to_string(value.natural);
      return value.natural;
    case Is::real:
      if (!std::isfinite(value.real)) throw CelFailed("a number that JSON does not have");
      return json_of_real(value.real);
    case Is::text:
      return value.text;
    case Is::bytes:
      return base64_of(value.text);
    case Is::time:
      return cel_time_text(value);
    case Is::duration:
      return cel_duration_text(value);
    case Is::optional:
      if (!value.has_value()) throw CelFailed("optional.none() dereference");
      return json_of(value.held());
    case Is::list: {
      Json list = Json::array();
      for (const CelValue& element : *value.elements) list.push_back(json_of(element));
      return list;
    }
    case Is::map:
    case Is::object: {
      Json map = Json::object();
      for (const auto& [key, element] : *value.entries) {
        if (key.is == Is::quantity) throw Unsupported("a quantity for the key of a map");
        if (key.is != Is::text) throw CelFailed("a key that is no string");
        map[key.text] = json_of(element);
      }
      return map;
    }
    default:
      throw CelFailed("a value that JSON does not have");
  }
}

bool holds_object(const CelValue& value, bool may_hold_one = false) {
  if (value.is == Is::object) return !may_hold_one;
  if (!is_made(value)) return false;
  if (value.is == Is::list) {
    for (const CelValue& element : *value.elements)
      if (holds_object(element, value.is_joined)) return true;
  } else {
    for (const auto& [key, element] : *value.entries)
      if (holds_object(element)) return true;
  }
  return false;
}

const CelValue* field_named(const CelValue& object, std::string_view name) {
  for (const auto& [key, value] : *object.entries)
    if (key.text == name) return &value;
  return nullptr;
}

}  // namespace

Json configuration_of(const CelValue& object) {
  if (object.is != Is::object) throw CelFailed("no Object");
  check_names(object, object.text);
  return members_of_object(object);
}

bool crashes_the_server(const CelValue& patches) {
  for (const CelValue& patch : *patches.elements) {
    const CelValue* value = patch.is == Is::object ? field_named(patch, "value") : nullptr;
    if (value != nullptr && is_made(*value) && holds_object(*value)) return true;
  }
  return false;
}

Json patch_of(const CelValue& patches) {
  Json operations = Json::array();
  for (const CelValue& patch : *patches.elements) {
    if (patch.is != Is::object || patch.text != "JSONPatch") throw CelFailed("no JSONPatch");
    Json operation{{"op", ""}, {"path", ""}};
    for (const char* name : {"op", "path", "from"}) {
      const CelValue* text = field_named(patch, name);
      if (text != nullptr && text->is != Is::text) throw CelFailed("no text");
      if (text != nullptr && (std::string_view(name) != "from" || !text->text.empty()))
        operation[name] = text->text;
    }
    if (const CelValue* value = field_named(patch, "value")) {
      if (value->is == Is::object) check_names(*value, value->text);
      operation["value"] = json_of(*value);
    }
    operations.push_back(std::move(operation));
  }
  return operations;
}

}  // namespace fixpoint::oracle
