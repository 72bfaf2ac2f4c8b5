#include "harness/apiserver/cel/functions.h"

#include <map>

#include "harness/apiserver/cel/meter.h"
#include "harness/apiserver/cel/numbers.h"
#include "harness/apiserver/cel/times.h"

namespace fixpoint::apiserver::cel {

namespace {

std::map<std::string_view, Function> all_bindings() {
  std::map<std::string_view, Function> all;
  for (const auto& table :
       {standard_bindings(), time_bindings(), string_bindings(), format_bindings(), list_bindings(),
        optional_bindings(), pattern_bindings(), quantity_bindings(), network_bindings(), url_bindings(),
        semver_bindings(), named_format_bindings(), authorizer_bindings()}) {
    for (const Binding& row : table) all.emplace(row.id, row.function);
  }
  return all;
}

}  // namespace

Function find_binding(std::string_view id) {
  static const std::map<std::string_view, Function> all = all_bindings();
  const auto found = all.find(id);
  return found == all.end() ? nullptr : found->second;
}

int pattern_argument(std::string_view function) {
  return function == "matches" || function == "find" || function == "findAll" ? 1 : -1;
}

namespace {

void append_text(const Datum& value, std::string& into);

void append_bytes(std::string_view bytes, std::string& into) {
  into += '[';
  for (std::size_t i = 0; i < bytes.size(); ++i)
    into.append(i > 0 ? " " : "").append(std::to_string(static_cast<unsigned char>(bytes[i])));
  into += ']';
}

void append_members(const Datum& value, std::string& into) {
  const bool is_list = value.is(Kind::list);
  into += is_list ? '[' : '{';
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (i > 0) into += ", ";
    if (is_list) {
      append_text(value.element(i), into);
    } else {
      const auto [key, of] = value.entry(i);
      append_text(key, into);
      into += ": ";
      append_text(of, into);
    }
  }
  into += is_list ? ']' : '}';
}

std::string scalar_text(const Datum& value) {
  switch (value.kind()) {
    case Kind::null:
      return "NULL_VALUE";
    case Kind::boolean:
      return value.is_true() ? "true" : "false";
    case Kind::integer:
      return std::to_string(value.integer());
    case Kind::unsigned_integer:
      return std::to_string(value.unsigned_integer());
    case Kind::real:
      return real_text(value.real());
    case Kind::duration:
      return "{" + go_duration(value.integer()) + "}";
    case Kind::timestamp:
      return timestamp_text(value.time());
    case Kind::opaque:
      return value.opaque().text();
    default:
      return std::string(value.text());
  }
}

/// A value may hold another one many times, so its text is counted while it grows.
void append_text(const Datum& value, std::string& into) {
  spend_step();
  if (into.size() > kValueBytesMax) spend_bytes(into.size());
  if (value.is(Kind::bytes)) return append_bytes(value.text(), into);
  if (value.is(Kind::list) || value.is(Kind::map)) return append_members(value, into);
  if (!value.is(Kind::optional)) {
    into += scalar_text(value);
    return;
  }
  if (value.held() == nullptr) {
    into += "optional.none()";
    return;
  }
  into += "optional(";
  append_text(*value.held(), into);
  into += ')';
}

}  // namespace

std::string message_text(const Datum& value) {
  std::string text;
  append_text(value, text);
  return text;
}

std::string go_type_name(const Datum& value) {
  switch (value.kind()) {
    case Kind::error:
      return "*types.Err";
    case Kind::null:
      return "types.Null";
    case Kind::boolean:
      return "types.Bool";
    case Kind::integer:
      return "types.Int";
    case Kind::unsigned_integer:
      return "types.Uint";
    case Kind::real:
      return "types.Double";
    case Kind::text:
      return "types.String";
    case Kind::bytes:
      return "types.Bytes";
    case Kind::duration:
      return "types.Duration";
    case Kind::timestamp:
      return "types.Timestamp";
    case Kind::type:
      return "*types.Type";
    case Kind::optional:
      return "*types.Optional";
    case Kind::list:
      return "*types.baseList";
    case Kind::map:
      return "*types.baseMap";
    default:
      return "ref.Val";
  }
}

Datum no_such_overload(std::string_view function, std::span<const Datum> arguments) {
  std::string text = "no such overload: " + std::string(function) + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].is_error()) return arguments[i];
    text += (i > 0 ? ", " : "") + std::string(type_name(arguments[i]));
  }
  return Datum::error(text + ")");
}

}  // namespace fixpoint::apiserver::cel
