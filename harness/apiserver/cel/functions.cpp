#include "harness/apiserver/cel/functions.h"

#include <map>

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

std::string message_text(const Datum& value) {
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
    case Kind::bytes: {
      std::string text;
      for (char c : value.text()) {
        text += (text.empty() ? "" : " ") + std::to_string(static_cast<unsigned char>(c));
      }
      return "[" + text + "]";
    }
    case Kind::duration:
      return "{" + go_duration(value.integer()) + "}";
    case Kind::optional:
      return value.held() == nullptr ? "optional.none()" : "optional(" + message_text(*value.held()) + ")";
    case Kind::list: {
      std::string text;
      for (std::size_t i = 0; i < value.size(); ++i)
        text += (i > 0 ? ", " : "") + message_text(value.element(i));
      return "[" + text + "]";
    }
    case Kind::map: {
      std::string text;
      for (std::size_t i = 0; i < value.size(); ++i) {
        const auto [key, of] = value.entry(i);
        text += (i > 0 ? ", " : "") + message_text(key) + ": " + message_text(of);
      }
      return "{" + text + "}";
    }
    case Kind::timestamp:
      return timestamp_text(value.time());
    case Kind::opaque:
      return value.opaque().text();
    default:
      return std::string(value.text());
  }
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
