#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/cel/numbers.h"
#include "harness/apiserver/cel/opaque.h"
#include "harness/apiserver/cel/times.h"
#include "harness/document/lower_case.h"
#include "harness/document/utf8.h"

namespace fixpoint::apiserver::cel {

namespace {

using Arguments = std::span<const Datum>;

Datum overload_failure() { return Datum::error("no such overload"); }

/// The error of a function whose first argument does not have it; strings and times have methods and
/// say less.
Datum trait_failure(const Datum& value, const char* function) {
  if (value.is(Kind::text) || value.is(Kind::duration) || value.is(Kind::timestamp))
    return overload_failure();
  return Datum::error(std::string("no such overload: ") + function);
}

Datum call_not(Arguments a, const CallContext&) {
  return a[0].is(Kind::boolean) ? Datum::of(!a[0].is_true()) : overload_failure();
}
Datum call_not_strictly_false(Arguments a, const CallContext&) {
  return a[0].is(Kind::boolean) ? a[0] : Datum::of(true);
}
Datum call_negate(Arguments a, const CallContext&) { return negate_value(a[0]); }
Datum call_add(Arguments a, const CallContext&) { return add_values(a[0], a[1]); }
Datum call_subtract(Arguments a, const CallContext&) { return subtract_values(a[0], a[1]); }
Datum call_multiply(Arguments a, const CallContext&) { return multiply_values(a[0], a[1]); }
Datum call_divide(Arguments a, const CallContext&) { return divide_values(a[0], a[1]); }
Datum call_modulo(Arguments a, const CallContext&) { return modulo_values(a[0], a[1]); }

bool has_order(const Datum& value) {
  switch (value.kind()) {
    case Kind::boolean:
    case Kind::integer:
    case Kind::unsigned_integer:
    case Kind::real:
    case Kind::text:
    case Kind::bytes:
    case Kind::duration:
    case Kind::timestamp:
      return true;
    default:
      return false;
  }
}

/// `<` and the like: true for the orders that `is_wanted` says.
Datum ordered(Arguments a, const char* function, bool (*is_wanted)(std::int64_t)) {
  if (!has_order(a[0])) return trait_failure(a[0], function);
  const Datum order = compare_values(a[0], a[1]);
  return order.is(Kind::integer) ? Datum::of(is_wanted(order.integer())) : order;
}
Datum call_less(Arguments a, const CallContext&) {
  return ordered(a, "_<_", [](std::int64_t order) { return order < 0; });
}
Datum call_less_or_equal(Arguments a, const CallContext&) {
  return ordered(a, "_<=_", [](std::int64_t order) { return order <= 0; });
}
Datum call_greater(Arguments a, const CallContext&) {
  return ordered(a, "_>_", [](std::int64_t order) { return order > 0; });
}
Datum call_greater_or_equal(Arguments a, const CallContext&) {
  return ordered(a, "_>=_", [](std::int64_t order) { return order >= 0; });
}

Datum call_in(Arguments a, const CallContext&) {
  if (a[1].is(Kind::map)) {
    Datum value;
    return Datum::of(a[1].find(a[0], value));
  }
  if (!a[1].is(Kind::list)) return overload_failure();
  for (std::size_t i = 0; i < a[1].size(); ++i) {
    if (equal(a[0], a[1].element(i))) return Datum::of(true);
  }
  return Datum::of(false);
}

Datum call_size(Arguments a, const CallContext&) {
  switch (a[0].kind()) {
    case Kind::text:
      return Datum::of(static_cast<std::int64_t>(document::rune_count(a[0].text())));
    case Kind::bytes:
      return Datum::of(static_cast<std::int64_t>(a[0].text().size()));
    case Kind::list:
    case Kind::map:
      return Datum::of(static_cast<std::int64_t>(a[0].size()));
    case Kind::opaque:
      if (a[0].opaque().type_name().substr(0, 4) == "net.") {
        return Datum::of(static_cast<std::int64_t>(opaque_size(a[0].opaque())));
      }
      [[fallthrough]];
    default:
      return trait_failure(a[0], "size");
  }
}

Datum call_type(Arguments a, const CallContext&) {
  const std::string_view tag = a[0].is(Kind::opaque) ? a[0].opaque().tag() : std::string_view();
  // The server answers the type of the types for what a mutation makes.
  if (tag == "object" || tag == "patch") return Datum::type("type");
  return Datum::type(type_name(a[0]));
}
Datum call_same(Arguments a, const CallContext&) { return a[0]; }

Datum conversion_failure(const Datum& from, const char* to) {
  return Datum::error("type conversion error from '" + std::string(type_name(from)) + "' to '" + to + "'");
}

bool is_go_true(std::string_view text) {
  return text == "1" || text == "t" || text == "T" || text == "true" || text == "TRUE" || text == "True";
}
bool is_go_false(std::string_view text) {
  return text == "0" || text == "f" || text == "F" || text == "false" || text == "FALSE" || text == "False";
}
Datum call_bool_of_text(Arguments a, const CallContext&) {
  if (is_go_true(a[0].text())) return Datum::of(true);
  if (is_go_false(a[0].text())) return Datum::of(false);
  return conversion_failure(a[0], "bool");
}

Datum call_bytes_of_text(Arguments a, const CallContext&) { return Datum::bytes(a[0].text()); }

Datum call_double_of_number(Arguments a, const CallContext&) {
  if (a[0].is(Kind::integer)) return Datum::of(static_cast<double>(a[0].integer()));
  return Datum::of(static_cast<double>(a[0].unsigned_integer()));
}

/// A number as Go's strconv.ParseFloat reads it: decimal or hexadecimal with `p`, underscores between digits.
bool read_go_double(std::string_view text, double& into) {
  std::string lower = document::lower_case(text);
  const bool has_sign = !lower.empty() && (lower[0] == '-' || lower[0] == '+');
  const std::string magnitude = lower.substr(has_sign ? 1 : 0);
  const double sign = has_sign && lower[0] == '-' ? -1 : 1;
  if (magnitude == "inf" || magnitude == "infinity") return into = sign * HUGE_VAL, true;
  if (lower == "nan") return into = NAN, true;
  const bool is_hex = magnitude.substr(0, 2) == "0x";
  std::string digits = is_hex ? magnitude.substr(2) : magnitude;
  for (std::size_t i = digits.find('_'); i != std::string::npos; i = digits.find('_', i)) {
    const bool follows = i > 0 && std::isxdigit(static_cast<unsigned char>(digits[i - 1]));
    const bool leads = i + 1 < digits.size() && std::isxdigit(static_cast<unsigned char>(digits[i + 1]));
    if (!leads || !(follows || is_hex)) return false;
    digits.erase(i, 1);
  }
  if (digits.empty() || digits[0] == '-' || digits[0] == '+' || digits[0] == 'i' || digits[0] == 'n')
    return false;
  if (is_hex && digits.find('p') == std::string::npos) return false;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), into,
                                           is_hex ? std::chars_format::hex : std::chars_format::general);
  if (end != digits.data() + digits.size()) return false;
  if (code == std::errc::result_out_of_range) {
    into = std::strtod(digits.c_str(), nullptr);
    if (std::isinf(into)) return false;
  } else if (code != std::errc()) {
    return false;
  }
  into *= sign;
  return true;
}
Datum call_double_of_text(Arguments a, const CallContext&) {
  double value = 0;
  return read_go_double(a[0].text(), value) ? Datum::of(value) : conversion_failure(a[0], "double");
}

Datum call_int_of_double(Arguments a, const CallContext&) {
  const double value = a[0].real();
  if (!(value > -9223372036854775808.0 && value < 9223372036854775808.0))
    return Datum::error("integer overflow");
  return Datum::of(static_cast<std::int64_t>(value));
}
Datum call_int_of_duration(Arguments a, const CallContext&) { return Datum::of(a[0].integer()); }
Datum call_int_of_timestamp(Arguments a, const CallContext&) { return Datum::of(a[0].time().seconds); }
Datum call_int_of_uint(Arguments a, const CallContext&) {
  if (a[0].unsigned_integer() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return Datum::error("integer overflow");
  }
  return Datum::of(static_cast<std::int64_t>(a[0].unsigned_integer()));
}
Datum call_int_of_text(Arguments a, const CallContext&) {
  std::string_view text = a[0].text();
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool has_two_signs = text.size() != a[0].text().size() && !text.empty() && text.front() == '-';
  if (text.empty() || has_two_signs || end != text.data() + text.size() || code != std::errc()) {
    return conversion_failure(a[0], "int");
  }
  return Datum::of(value);
}

Datum call_uint_of_double(Arguments a, const CallContext&) {
  const double value = a[0].real();
  if (!(value >= 0 && value < 18446744073709551616.0)) return Datum::error("unsigned integer overflow");
  return Datum::of(static_cast<std::uint64_t>(value));
}
Datum call_uint_of_int(Arguments a, const CallContext&) {
  if (a[0].integer() < 0) return Datum::error("unsigned integer overflow");
  return Datum::of(static_cast<std::uint64_t>(a[0].integer()));
}
Datum call_uint_of_text(Arguments a, const CallContext&) {
  const std::string_view text = a[0].text();
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size() || code != std::errc())
    return conversion_failure(a[0], "uint");
  return Datum::of(value);
}

Datum call_text_of(Arguments a, const CallContext&) {
  const Datum& value = a[0];
  switch (value.kind()) {
    case Kind::bytes:
      if (!document::is_utf8(value.text())) {
        return Datum::error("invalid UTF-8 in bytes, cannot convert to string");
      }
      return Datum::of(value.text());
    case Kind::duration:
      return Datum::of(duration_text(value.integer()));
    default:
      return Datum::of(message_text(value));
  }
}

Datum call_duration_of_int(Arguments a, const CallContext&) {
  return conversion_failure(a[0], "google.protobuf.Duration");
}
Datum call_duration_of_text(Arguments a, const CallContext&) {
  const auto value = read_duration(a[0].text());
  return value ? Datum::duration(*value) : conversion_failure(a[0], "google.protobuf.Duration");
}
Datum call_timestamp_of_int(Arguments a, const CallContext&) {
  const Time time{a[0].integer(), 0, 0};
  return is_in_range(time) ? Datum::of(time) : Datum::error("timestamp overflow");
}
Datum call_timestamp_of_text(Arguments a, const CallContext&) {
  const auto value = read_timestamp(a[0].text());
  if (!value) return conversion_failure(a[0], "google.protobuf.Timestamp");
  return is_in_range(*value) ? Datum::of(*value) : Datum::error("timestamp overflow");
}

bool have_texts(Arguments a) { return a[0].is(Kind::text) && a[1].is(Kind::text); }
Datum call_contains(Arguments a, const CallContext&) {
  if (!have_texts(a)) return overload_failure();
  return Datum::of(a[0].text().find(a[1].text()) != std::string_view::npos);
}
Datum call_ends_with(Arguments a, const CallContext&) {
  return have_texts(a) ? Datum::of(a[0].text().ends_with(a[1].text())) : overload_failure();
}
Datum call_starts_with(Arguments a, const CallContext&) {
  return have_texts(a) ? Datum::of(a[0].text().starts_with(a[1].text())) : overload_failure();
}

constexpr std::array kStandardBindings = {
    Binding{"!_", call_not},
    Binding{"@not_strictly_false", call_not_strictly_false},
    Binding{"-_", call_negate},
    Binding{"_+_", call_add},
    Binding{"_-_", call_subtract},
    Binding{"_*_", call_multiply},
    Binding{"_/_", call_divide},
    Binding{"_%_", call_modulo},
    Binding{"_<_", call_less},
    Binding{"_<=_", call_less_or_equal},
    Binding{"_>_", call_greater},
    Binding{"_>=_", call_greater_or_equal},
    Binding{"@in", call_in},
    Binding{"size", call_size},
    Binding{"type", call_type},
    Binding{"dyn", call_same},
    Binding{"bool_to_bool", call_same},
    Binding{"string_to_bool", call_bool_of_text},
    Binding{"bytes_to_bytes", call_same},
    Binding{"string_to_bytes", call_bytes_of_text},
    Binding{"double_to_double", call_same},
    Binding{"int64_to_double", call_double_of_number},
    Binding{"uint64_to_double", call_double_of_number},
    Binding{"string_to_double", call_double_of_text},
    Binding{"duration_to_duration", call_same},
    Binding{"int64_to_duration", call_duration_of_int},
    Binding{"string_to_duration", call_duration_of_text},
    Binding{"int64_to_int64", call_same},
    Binding{"double_to_int64", call_int_of_double},
    Binding{"duration_to_int64", call_int_of_duration},
    Binding{"string_to_int64", call_int_of_text},
    Binding{"timestamp_to_int64", call_int_of_timestamp},
    Binding{"uint64_to_int64", call_int_of_uint},
    Binding{"string_to_string", call_same},
    Binding{"bool_to_string", call_text_of},
    Binding{"bytes_to_string", call_text_of},
    Binding{"double_to_string", call_text_of},
    Binding{"duration_to_string", call_text_of},
    Binding{"int64_to_string", call_text_of},
    Binding{"timestamp_to_string", call_text_of},
    Binding{"uint64_to_string", call_text_of},
    Binding{"timestamp_to_timestamp", call_same},
    Binding{"int64_to_timestamp", call_timestamp_of_int},
    Binding{"string_to_timestamp", call_timestamp_of_text},
    Binding{"uint64_to_uint64", call_same},
    Binding{"double_to_uint64", call_uint_of_double},
    Binding{"int64_to_uint64", call_uint_of_int},
    Binding{"string_to_uint64", call_uint_of_text},
    Binding{"contains_string", call_contains},
    Binding{"ends_with_string", call_ends_with},
    Binding{"starts_with_string", call_starts_with},
};

}  // namespace

std::span<const Binding> standard_bindings() { return kStandardBindings; }

}  // namespace fixpoint::apiserver::cel
