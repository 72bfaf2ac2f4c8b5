#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>

#include "harness/apiserver/cel/format.h"
#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/cel/meter.h"
#include "harness/apiserver/cel/numbers.h"
#include "harness/apiserver/cel/times.h"
#include "harness/document/server_text.h"
#include "harness/document/utf8.h"

namespace fixpoint::apiserver::cel {

namespace {

using Arguments = std::span<const Datum>;

constexpr int kDefaultPrecision = 6;
constexpr const char* kDuring = "error during formatting: ";

struct ClauseError {
  char letter;
  const char* message;
};
constexpr std::array kClauseErrors = {
    ClauseError{'s',
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, "
                "durations, "
                "and timestamps, was given "},
    ClauseError{'d', "decimal clause can only be used on integers, was given "},
    ClauseError{'f', "fixed-point clause can only be used on doubles, was given "},
    ClauseError{'e', "scientific clause can only be used on doubles, was given "},
    ClauseError{'b', "only integers and bools can be formatted as binary, was given "},
    ClauseError{'x', "only integers, byte buffers, and strings can be formatted as hex, was given "},
    ClauseError{'X', "only integers, byte buffers, and strings can be formatted as hex, was given "},
    ClauseError{'o', "octal clause can only be used on integers, was given "},
};

std::string in_base(const Datum& value, int base, bool is_upper) {
  std::array<char, 70> buffer{};
  const auto end =
      value.is(Kind::integer)
          ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), value.integer(), base)
          : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value.unsigned_integer(), base);
  std::string text(buffer.data(), end.ptr);
  if (is_upper)
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return text;
}

/// Cuts a text that has grown too long.
void check_size(const std::string& text) {
  if (text.size() > kValueBytesMax) spend_bytes(text.size());
}

std::string write_text(const Datum& value, std::string& into);

/// An element of a list or an entry of a map.
std::string write_member(const Datum& value, std::string& into) {
  spend_step();
  check_size(into);
  switch (value.kind()) {
    case Kind::real: {
      std::array<char, 400> buffer{};
      if (!std::isfinite(value.real())) {
        into += document::go_quoted(real_text(value.real()));
        return {};
      }
      std::snprintf(buffer.data(), buffer.size(), "%.*f", kDefaultPrecision, value.real());
      into += buffer.data();
      return {};
    }
    case Kind::text:
      into += document::go_quoted(value.text());
      return {};
    case Kind::bytes: {
      std::string text;
      const std::string error = write_text(value, text);
      into += "b" + document::go_quoted(text);
      return error;
    }
    case Kind::duration:
      into += "duration(" + document::go_quoted(duration_text(value.integer())) + ")";
      return {};
    case Kind::timestamp:
      into += "timestamp(" + document::go_quoted(timestamp_text(value.time())) + ")";
      return {};
    case Kind::optional:
    case Kind::opaque:
      return "no formatting function for " + std::string(type_name(value));
    default:
      return write_text(value, into);
  }
}

std::string write_map(const Datum& value, std::string& into) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto [key, of] = value.entry(i);
    std::string key_text, text;
    if (!key.is(Kind::text) && !key.is(Kind::boolean) && !key.is(Kind::integer) &&
        !key.is(Kind::unsigned_integer)) {
      return "no formatting function for map key of type " + std::string(type_name(key));
    }
    write_member(key, key_text);
    if (std::string error = write_member(of, text); !error.empty()) return error;
    entries.emplace_back(key_text, text);
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  into += "{";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    spend_bytes(entries[i].first.size() + entries[i].second.size());
    into += (i > 0 ? ", " : "") + entries[i].first + ":" + entries[i].second;
  }
  into += "}";
  return {};
}

std::string write_text(const Datum& value, std::string& into) {
  switch (value.kind()) {
    case Kind::null:
      into += "null";
      return {};
    case Kind::list:
      into += "[";
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (i > 0) into += ", ";
        if (std::string error = write_member(value.element(i), into); !error.empty()) return error;
      }
      into += "]";
      return {};
    case Kind::map:
      return write_map(value, into);
    case Kind::bytes:
      if (!document::is_utf8(value.text())) {
        return "could not convert argument \"invalid UTF-8 in bytes, cannot convert to string\" to string";
      }
      into += value.text();
      return {};
    case Kind::duration:
      into += duration_text(value.integer());
      return {};
    case Kind::optional:
    case Kind::opaque:
      return format_type_error('s', type_name(value));
    default:
      into += message_text(value);
      return {};
  }
}

/// A number in a format text of Go, as golang.org/x/text/internal/format reads it: nothing if it is too
/// large, with which the text has no verb.
std::optional<std::uint32_t> go_number(std::int64_t number) {
  constexpr std::uint32_t kLarge = 1'000'000;
  std::uint32_t read = 0;
  for (const char digit : std::to_string(number)) {
    if (read > kLarge) return std::nullopt;
    read = read * 10 + static_cast<std::uint32_t>(digit - '0');
  }
  return read;
}
constexpr const char* kNoVerb = "%!(NOVERB)";

/// A comma each three digits, as English has it.
void group_digits(std::string& text) {
  const std::size_t end = std::min(text.find('.'), text.size()), start = text[0] == '-' ? 1 : 0;
  for (std::size_t i = end; i > start + 3; i -= 3) text.insert(i - 3, ",");
}

/// The server keeps the least number of digits behind the point in 8 bits and the greatest in 16, signed: a
/// negative one is none (golang.org/x/text/message initDecimal).
std::string fixed_text(double number, std::uint32_t precision) {
  const auto least = static_cast<std::uint8_t>(precision);
  const auto greatest = static_cast<std::int16_t>(static_cast<std::uint16_t>(precision));
  std::string text;
  if (greatest < 0) {
    text = real_text(number, RealFormat::plain);
  } else {
    const int size = std::snprintf(nullptr, 0, "%.*f", int{greatest}, number);
    text.resize(static_cast<std::size_t>(size) + 1);
    std::snprintf(text.data(), text.size(), "%.*f", int{greatest}, number);
    text.pop_back();
  }
  if (text.find('.') == std::string::npos) text += '.';
  const std::size_t shortest = text.find('.') + 1 + least;
  while (text.size() > shortest && text.back() == '0') text.pop_back();
  if (text.size() < shortest) text.append(shortest - text.size(), '0');
  if (text.back() == '.') text.pop_back();
  group_digits(text);
  return text;
}

std::string scientific_text(double number) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*e", kDefaultPrecision, number);
  const std::string text = buffer.data();
  const std::size_t at = text.find('e');
  constexpr std::array<const char*, 10> kRaised = {"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                                   "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string out = text.substr(0, at) + "\u00D710" + (text[at + 1] == '-' ? "\u207B" : "");
  for (char digit : text.substr(at + 2)) out += kRaised[static_cast<std::size_t>(digit - '0')];
  return out;
}

/// The server takes the precision of `%e` for a width, which it keeps in 16 bits
/// (cel-go/ext/formatting.go Scientific).
std::string in_width(const std::string& text, std::uint32_t width) {
  const std::size_t wanted = static_cast<std::uint16_t>(width), has = document::rune_count(text);
  return wanted > has ? std::string(wanted - has, ' ') + text : text;
}

std::string write_double(const Datum& value, const FormatClause& clause, std::string& into) {
  double number = 0;
  if (value.is(Kind::real)) {
    number = value.real();
  } else if (value.is(Kind::text) &&
             (value.text() == "NaN" || value.text() == "Infinity" || value.text() == "-Infinity")) {
    number = value.text() == "NaN" ? NAN : value.text() == "Infinity" ? HUGE_VAL : -HUGE_VAL;
  } else {
    return format_type_error(clause.letter, type_name(value));
  }
  if (number == 0) number = 0;  // without its sign
  const auto precision = go_number(clause.precision < 0 ? kDefaultPrecision : clause.precision);
  if (!precision) return into += kNoVerb, std::string();
  const bool is_scientific = clause.letter == 'e';
  std::string text;
  if (std::isfinite(number))
    text = is_scientific ? scientific_text(number) : fixed_text(number, *precision);
  else
    text = std::isnan(number) ? "NaN" : number > 0 ? "∞" : "-∞";
  into += is_scientific ? in_width(text, *precision) : text;
  return {};
}

std::string write_clause(const Datum& value, const FormatClause& clause, std::string& into) {
  const bool is_integer = value.is(Kind::integer) || value.is(Kind::unsigned_integer);
  switch (clause.letter) {
    case 's':
      return write_text(value, into);
    case 'd':
      if (!is_integer) return format_type_error('d', type_name(value));
      into += message_text(value);
      return {};
    case 'f':
    case 'e':
      return write_double(value, clause, into);
    case 'b':
      if (value.is(Kind::boolean)) return into += value.is_true() ? "1" : "0", std::string();
      if (!is_integer) return format_type_error('b', type_name(value));
      into += in_base(value, 2, false);
      return {};
    case 'o':
      if (!is_integer) return format_type_error('o', type_name(value));
      into += in_base(value, 8, false);
      return {};
    default:
      break;
  }
  if (is_integer) return into += in_base(value, 16, clause.letter == 'X'), std::string();
  if (!value.is(Kind::text) && !value.is(Kind::bytes)) return format_type_error('x', type_name(value));
  for (char c : value.text()) {
    std::array<char, 3> code{};
    std::snprintf(code.data(), code.size(), clause.letter == 'X' ? "%02X" : "%02x",
                  static_cast<unsigned char>(c));
    into += code.data();
  }
  return {};
}

Datum call_format(Arguments a, const CallContext&) {
  std::string result;
  const Datum& values = a[1];
  const std::string error =
      walk_format(a[0].text(), values.size(), result,
                  [&](std::size_t index, const FormatClause& clause, std::string& into) {
                    const std::string problem = write_clause(values.element(index), clause, into);
                    check_size(into);
                    return problem.empty() ? problem : kDuring + problem;
                  });
  return error.empty() ? Datum::of(result) : Datum::error(error);
}

constexpr std::array kFormatBindings = {Binding{"string_format", call_format}};

}  // namespace

std::string format_type_error(char letter, std::string_view type) {
  for (const ClauseError& row : kClauseErrors) {
    if (row.letter == letter) return row.message + std::string(type);
  }
  return {};
}

std::string walk_format(
    std::string_view format, std::size_t arguments, std::string& result,
    const std::function<std::string(std::size_t, const FormatClause&, std::string&)>& write) {
  constexpr const char* kCouldNotParse = "could not parse formatting clause: ";
  std::size_t next = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      result += format[i];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      result += '%';
      ++i;
      continue;
    }
    if (next >= arguments) return "index " + std::to_string(next) + " out of range";
    if (++i >= format.size()) return "unexpected end of string";
    FormatClause clause;
    if (format[i] == '.') {
      const std::size_t start = ++i;
      while (i < format.size() && format[i] >= '0' && format[i] <= '9') ++i;
      const std::string parsing = std::string(kCouldNotParse) + "error while parsing precision: ";
      if (i >= format.size()) return parsing + "could not find end of precision specifier";
      const std::string_view digits = format.substr(start, i - start);
      const auto [end, code] =
          std::from_chars(digits.data(), digits.data() + digits.size(), clause.precision);
      if (digits.empty() || code != std::errc()) {
        return parsing + "error while converting precision to integer: strconv.Atoi: parsing \"" +
               std::string(digits) + "\": " + (digits.empty() ? "invalid syntax" : "value out of range");
      }
    }
    clause.letter = format[i];
    const bool is_known = std::any_of(kClauseErrors.begin(), kClauseErrors.end(),
                                      [&](const ClauseError& row) { return row.letter == clause.letter; });
    if (!is_known) {
      // A byte is a character of its own to the server.
      std::string letter;
      document::append_utf8(letter, static_cast<unsigned char>(clause.letter));
      return std::string(kCouldNotParse) + "unrecognized formatting clause \"" + letter + "\"";
    }
    if (std::string error = write(next++, clause, result); !error.empty()) return error;
  }
  return {};
}

std::span<const Binding> format_bindings() { return kFormatBindings; }

}  // namespace fixpoint::apiserver::cel
