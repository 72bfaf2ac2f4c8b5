#include "harness/apiserver/policies/go_values.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

#include "harness/apiserver/cel/meter.h"
#include "harness/apiserver/cel/numbers.h"
#include "harness/apiserver/cel/opaque.h"
#include "harness/apiserver/cel/times.h"
#include "harness/apiserver/decoding/timestamp.h"
#include "harness/apiserver/policies/typed_walk.h"
#include "harness/document/go_number.h"
#include "harness/document/server_text.h"
#include "harness/document/utf8.h"

namespace fixpoint::apiserver::policies {

namespace {

using cel::Datum;
using cel::Kind;
using document::Error;
using document::Member;
using document::Result;
using document::Text;
using document::Value;

/// A time as Go prints it with %v.
std::string go_time(const cel::Time& time) {
  const Calendar date = calendar_of(time.seconds);
  char text[96];
  std::snprintf(text, sizeof text, "%04lld-%02d-%02d %02d:%02d:%02d", static_cast<long long>(date.year),
                date.month, date.day, date.hour, date.minute, date.second);
  std::string plain(text);
  if (time.nanoseconds != 0) {
    std::snprintf(text, sizeof text, ".%09d", static_cast<int>(time.nanoseconds));
    plain += text;
    while (plain.ends_with('0')) plain.pop_back();
  }
  return plain + " +0000 UTC";
}

Value foreign_bytes(std::string_view bytes) {
  std::string plain = "[", syntax = "[]uint8{";
  for (const char c : bytes) {
    const unsigned byte = static_cast<unsigned char>(c);
    char hex[8];
    std::snprintf(hex, sizeof hex, "0x%x", byte);
    plain.append(plain.size() > 1 ? " " : "").append(std::to_string(byte));
    syntax.append(syntax.back() == '{' ? "" : ", ").append(hex);
  }
  return foreign_value({plain + "]", syntax + "}", "[]uint8"});
}

Value foreign_time(const cel::Time& time) {
  constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};
  const Calendar date = calendar_of(time.seconds);
  std::string syntax = "time.Date(" + std::to_string(date.year) + ", time." + kMonths[date.month - 1];
  for (const int part : {date.day, date.hour, date.minute, date.second, static_cast<int>(time.nanoseconds)})
    syntax.append(", ").append(std::to_string(part));
  return foreign_value({go_time(time), syntax + ", time.UTC)", "time.Time"});
}

/// A value of CEL as Go prints it with %v: its String() for what has one.
std::string printed(const Datum& datum) {
  cel::spend_step();
  std::string text;
  switch (datum.kind()) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return datum.is_true() ? "true" : "false";
    case Kind::integer:
      return std::to_string(datum.integer());
    case Kind::unsigned_integer:
      return std::to_string(datum.unsigned_integer());
    case Kind::real:
      return cel::real_text(datum.real());
    case Kind::duration:
      return cel::go_duration(datum.integer());
    case Kind::timestamp:
      return go_time(datum.time());
    case Kind::list:
      for (std::size_t i = 0; i < datum.size(); ++i)
        text.append(text.empty() ? "" : ", ").append(printed(datum.element(i)));
      cel::spend_bytes(text.size());
      return "[" + text + "]";
    case Kind::map:
      for (std::size_t i = 0; i < datum.size(); ++i) {
        const auto [key, value] = datum.entry(i);
        text.append(text.empty() ? "" : ", ").append(printed(key)).append(": ").append(printed(value));
      }
      cel::spend_bytes(text.size());
      return "{" + text + "}";
    case Kind::opaque:
      return datum.opaque().text();
    default:
      return std::string(datum.text());
  }
}

/// A value of CEL as Go prints it with %#v; lists and maps in it are addresses there.
std::string syntax_of(const Datum& datum) {
  return datum.is(Kind::text) ? document::go_quoted(datum.text()) : printed(datum);
}

/// An integer as Go prints it with %q: a character.
std::string quoted_character(std::int64_t number) {
  switch (number) {
    case '\'':
      return "'\\''";
    case '\\':
      return "'\\\\'";
    case '\a':
      return "'\\a'";
    case '\b':
      return "'\\b'";
    case '\f':
      return "'\\f'";
    case '\n':
      return "'\\n'";
    case '\r':
      return "'\\r'";
    case '\t':
      return "'\\t'";
    case '\v':
      return "'\\v'";
    default:
      break;
  }
  char text[16];
  if (number >= 0 && (number < 0x20 || number == 0x7F)) {
    std::snprintf(text, sizeof text, "'\\x%02x'", static_cast<unsigned>(number));
    return text;
  }
  if (number >= 0x20 && number < 0x7F) return std::string("'") + static_cast<char>(number) + "'";
  return "'\xEF\xBF\xBD'";
}

/// Why Go has no map with this key.
std::string problem_of_key(const Datum& key) {
  const auto wrong = [&](const std::string& shown, std::string_view type) {
    return Text("map key {} is of type {}, not string").with({shown, type});
  };
  switch (key.kind()) {
    case Kind::integer:
      return wrong(quoted_character(key.integer()), "types.Int");
    case Kind::unsigned_integer:
      return wrong(quoted_character(key.integer()), "types.Uint");
    case Kind::boolean:
      return wrong("%!q(types.Bool=" + printed(key) + ")", "types.Bool");
    case Kind::real:
      return wrong("%!q(types.Double=" + printed(key) + ")", "types.Double");
    case Kind::opaque: {
      // Kubernetes' own types, which print themselves: kubernetes.Quantity is cel.Quantity in Go.
      const std::string_view type = key.opaque().type_name();
      return wrong(document::go_quoted(printed(key)), "cel." + std::string(type.substr(type.rfind('.') + 1)));
    }
    default:
      return {};
  }
}

/// The text of a key; a key that has none was or will be refused.
std::string text_of_key(const Datum& key) {
  return key.is(Kind::opaque) ? std::string() : std::string(key.text());
}

class GoValues {
 public:
  /// The members of an object; a field with a map that Go cannot have is a problem.
  Value members_of(const cel::ObjectBox& object, std::string& problem) {
    std::vector<Member> members;
    for (const auto& [name, datum] : object.fields) {
      std::string why;
      members.push_back({name, field(datum, why)});
      if (!why.empty() && problem.empty())
        problem = Text("fail to convert field {}: {}").with({document::go_quoted(name), why});
    }
    return members;
  }

 private:
  /// The value of a field: a list or a map of it is one of Go.
  Value field(const Datum& datum, std::string& problem) {
    if (datum.is_view()) return native(datum);
    if (datum.is(Kind::list)) {
      std::vector<Value> elements;
      for (std::size_t i = 0; i < datum.size(); ++i) elements.push_back(native(datum.element(i)));
      return elements;
    }
    if (!datum.is(Kind::map)) return native(datum);
    std::vector<Member> members;
    for (std::size_t i = 0; i < datum.size(); ++i) {
      const auto [key, value] = datum.entry(i);
      if (problem.empty()) problem = problem_of_key(key);
      members.push_back({text_of_key(key), native(value)});
    }
    return members;
  }

  Value native(const Datum& datum) {
    cel::spend_step();
    cel::spend_bytes(2 * sizeof(Value));
    switch (datum.kind()) {
      case Kind::null:
        return foreign_value({"NULL_VALUE", "0", "structpb.NullValue"});
      case Kind::error:
        return {};
      case Kind::type:
      case Kind::text:
        return datum.text();
      case Kind::boolean:
        return datum.is_true();
      case Kind::integer:
        return datum.integer();
      case Kind::unsigned_integer: {
        char hex[32];
        std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(datum.unsigned_integer()));
        return foreign_value({std::to_string(datum.unsigned_integer()), hex, "uint64"});
      }
      case Kind::real:
        return real(datum.real());
      case Kind::bytes:
        return foreign_bytes(datum.text());
      case Kind::duration:
        return foreign_value(
            {cel::go_duration(datum.integer()), std::to_string(datum.integer()), "time.Duration"});
      case Kind::timestamp:
        return foreign_time(datum.time());
      case Kind::optional:
        return datum.held() == nullptr ? Value() : native(*datum.held());
      case Kind::list:
        return datum.is_view() ? view(datum) : list(datum);
      case Kind::map:
        return datum.is_view() ? view(datum) : map(datum);
      case Kind::opaque:
        return opaque(datum);
    }
    return {};
  }

  static Value real(double number) {
    if (std::isfinite(number)) return value_of_double(number);
    const std::string text = cel::real_text(number);
    return foreign_value({text, text, "float64"});
  }

  /// A value of a document stands here as it does there, with its nulls.
  Value view(const Datum& datum) {
    if (datum.is(Kind::null)) return {};
    if (datum.is(Kind::list)) {
      std::vector<Value> elements;
      for (std::size_t i = 0; i < datum.size(); ++i) elements.push_back(view(datum.element(i)));
      return elements;
    }
    if (!datum.is(Kind::map)) return native(datum);
    std::vector<Member> members;
    for (std::size_t i = 0; i < datum.size(); ++i) {
      const auto [key, value] = datum.entry(i);
      members.push_back({text_of_key(key), view(value)});
    }
    return members;
  }

  static Value list(const Datum& datum) {
    std::string plain, syntax;
    for (std::size_t i = 0; i < datum.size(); ++i) {
      plain.append(i == 0 ? "" : " ").append(printed(datum.element(i)));
      syntax.append(i == 0 ? "" : ", ").append(syntax_of(datum.element(i)));
    }
    cel::spend_bytes(plain.size() + syntax.size());
    return foreign_value({"[" + plain + "]", "[]ref.Val{" + syntax + "}", "[]ref.Val"});
  }
  static Value map(const Datum& datum) {
    std::string plain, syntax;
    for (std::size_t i = 0; i < datum.size(); ++i) {
      const auto [key, value] = datum.entry(i);
      plain.append(i == 0 ? "" : " ").append(printed(key)).append(":").append(printed(value));
      syntax.append(i == 0 ? "" : ", ").append(syntax_of(key)).append(":").append(syntax_of(value));
    }
    cel::spend_bytes(plain.size() + syntax.size());
    return foreign_value(
        {"map[" + plain + "]", "map[ref.Val]ref.Val{" + syntax + "}", "map[ref.Val]ref.Val"});
  }

  Value opaque(const Datum& datum) {
    const cel::ObjectBox* object = object_in(datum);
    if (object == nullptr) {
      const std::string text = datum.opaque().text();
      const std::string_view type = datum.opaque().type_name();
      return foreign_value(
          {text, text, type == "kubernetes.Quantity" ? "*resource.Quantity" : std::string(type)});
    }
    std::string problem;
    Value members = members_of(*object, problem);
    return problem.empty() ? members : foreign_value({problem, problem, "*errors.errorString"});
  }
};

}  // namespace

const cel::ObjectBox* object_in(const Datum& value) {
  const bool is_object = value.is(Kind::opaque) && value.opaque().tag() == "object";
  return is_object ? static_cast<const cel::ObjectBox*>(&value.opaque()) : nullptr;
}

Value value_of_double(double number) {
  return Value::number(document::go_json_number(number));
}

Result<Value> go_value_of(const Datum& object) {
  std::string problem;
  Value value = GoValues().members_of(*object_in(object), problem);
  if (!problem.empty()) return Error{Text("invalid return type: {}").with({"*dynamic.ObjectVal"})};
  return value;
}

}  // namespace fixpoint::apiserver::policies
