#include "harness/oracle/oracle_cel_value.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "harness/oracle/oracle_schema.h"

namespace fixpoint::oracle {

namespace {

using Is = CelValue::Is;

constexpr std::int64_t kSecond = 1'000'000'000;

bool is_number(const CelValue& value) {
  return value.is == Is::integer || value.is == Is::natural || value.is == Is::real;
}

double real_of(const CelValue& value) {
  if (value.is == Is::integer) return static_cast<double>(value.integer);
  if (value.is == Is::natural) return static_cast<double>(value.natural);
  return value.real;
}

template <typename Value>
CelOrder ordered(const Value& a, const Value& b) {
  return a < b ? CelOrder::less : b < a ? CelOrder::greater : CelOrder::same;
}

/// Integers are compared exactly, and with doubles as doubles.
std::optional<CelOrder> numbers_ordered(const CelValue& a, const CelValue& b) {
  if (a.is == Is::real || b.is == Is::real) {
    if (std::isnan(real_of(a)) || std::isnan(real_of(b))) return std::nullopt;
    return ordered(real_of(a), real_of(b));
  }
  if (a.is == b.is)
    return a.is == Is::integer ? ordered(a.integer, b.integer) : ordered(a.natural, b.natural);
  if (a.is == Is::integer)
    return a.integer < 0 ? CelOrder::less : ordered(static_cast<std::uint64_t>(a.integer), b.natural);
  return b.integer < 0 ? CelOrder::greater : ordered(a.natural, static_cast<std::uint64_t>(b.integer));
}

std::string with_fraction(std::string text, std::int64_t nanoseconds) {
  if (nanoseconds == 0) return text;
  std::string digits = std::to_string(nanoseconds);
  digits.insert(0, 9 - digits.size(), '0');
  return text + "." + digits.erase(digits.find_last_not_of('0') + 1);
}

const CelValue* value_at(const CelEntries& entries, const CelValue& key) {
  for (const auto& [other, value] : entries)
    if (cel_is_equal(other, key)) return &value;
  return nullptr;
}

bool same_entries(const CelEntries& a, const CelEntries& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [key, value] : a) {
    const CelValue* other = value_at(b, key);
    if (other == nullptr || !cel_is_equal(value, *other)) return false;
  }
  return true;
}

bool same_elements(const CelList& a, const CelList& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!cel_is_equal(a[i], b[i])) return false;
  return true;
}

}  // namespace

CelValue cel_boolean(bool truth) { return {.is = Is::boolean, .truth = truth}; }
CelValue cel_integer(std::int64_t integer) { return {.is = Is::integer, .integer = integer}; }
CelValue cel_natural(std::uint64_t natural) { return {.is = Is::natural, .natural = natural}; }
CelValue cel_real(double real) { return {.is = Is::real, .real = real}; }
CelValue cel_text(std::string text) { return {.is = Is::text, .text = std::move(text)}; }
CelValue cel_bytes(std::string bytes) { return {.is = Is::bytes, .text = std::move(bytes)}; }
CelValue cel_type(std::string name) { return {.is = Is::type, .text = std::move(name)}; }
CelValue cel_list(CelList elements) {
  return {.is = Is::list, .elements = std::make_shared<const CelList>(std::move(elements))};
}
CelValue cel_map(CelEntries entries) {
  return {.is = Is::map, .entries = std::make_shared<const CelEntries>(std::move(entries))};
}
CelValue cel_none() { return {.is = Is::optional, .elements = std::make_shared<const CelList>()}; }
CelValue cel_some(CelValue value) {
  return {.is = Is::optional, .elements = std::make_shared<const CelList>(1, std::move(value))};
}
CelValue cel_duration(std::int64_t nanoseconds) { return {.is = Is::duration, .integer = nanoseconds}; }
CelValue cel_time(std::int64_t seconds, int nanoseconds) {
  return {.is = Is::time, .integer = seconds, .nanoseconds = nanoseconds};
}
CelValue cel_quantity(Amount amount, std::string text) {
  return {.is = Is::quantity, .text = std::move(text), .amount = std::move(amount)};
}

CelValue cel_of(const Json& document) {
  if (document.is_null()) return {};
  if (document.is_boolean()) return cel_boolean(document.get<bool>());
  if (document.is_string()) return cel_text(document.get<std::string>());
  if (document.is_number_unsigned() &&
      document.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
    return cel_real(static_cast<double>(document.get<std::uint64_t>()));
  if (document.is_number_integer()) return cel_integer(document.get<std::int64_t>());
  if (document.is_binary()) return cel_real(std::strtod(number_text(document).c_str(), nullptr));
  CelValue value;
  if (document.is_array()) {
    CelList elements;
    for (const Json& element : document) elements.push_back(cel_of(element));
    value = cel_list(std::move(elements));
  } else {
    CelEntries entries;
    for (const auto& [key, member] : document.items()) entries.emplace_back(cel_text(key), cel_of(member));
    value = cel_map(std::move(entries));
  }
  value.from_document = true;
  return value;
}

std::string cel_type_name(const CelValue& value) {
  switch (value.is) {
    case Is::null:
      return "null_type";
    case Is::boolean:
      return "bool";
    case Is::integer:
      return "int";
    case Is::natural:
      return "uint";
    case Is::real:
      return "double";
    case Is::text:
      return "string";
    case Is::bytes:
      return "bytes";
    case Is::list:
      return "list";
    case Is::map:
      return "map";
    case Is::type:
      return "type";
    case Is::duration:
      return "google.protobuf.Duration";
    case Is::time:
      return "google.protobuf.Timestamp";
    case Is::optional:
      return "optional_type";
    case Is::object:
      return "type";  // as the server answers
    case Is::quantity:
      return "kubernetes.Quantity";
    case Is::question:
      throw Unsupported("the type of an authorizer");
  }
  return "";
}

bool cel_is_equal(const CelValue& a, const CelValue& b) {
  if (is_number(a) && is_number(b)) return numbers_ordered(a, b) == CelOrder::same;
  if (a.is != b.is) return false;
  switch (a.is) {
    case Is::boolean:
      return a.truth == b.truth;
    case Is::text:
    case Is::bytes:
    case Is::type:
      return a.text == b.text;
    case Is::duration:
      return a.integer == b.integer;
    case Is::time:
      return a.integer == b.integer && a.nanoseconds == b.nanoseconds;
    case Is::quantity:
      if (a.text.empty()) throw CelFailed("no such overload");  // the server has none for sums
      return a.amount == b.amount;
    case Is::question:
      return false;  // the server finds no two of them equal
    case Is::list:
    case Is::optional:
      return same_elements(*a.elements, *b.elements);
    case Is::map:
      return same_entries(*a.entries, *b.entries);
    case Is::object:
      return a.text == b.text && same_entries(*a.entries, *b.entries);
    default:
      return true;
  }
}

CelOrder cel_order(const CelValue& a, const CelValue& b) {
  if (is_number(a) && is_number(b)) {
    if (const auto order = numbers_ordered(a, b)) return *order;
    throw CelFailed("not-a-number has no order");
  }
  if (a.is == b.is) {
    if (a.is == Is::boolean) return ordered(a.truth, b.truth);
    if (a.is == Is::text || a.is == Is::bytes) return ordered(a.text, b.text);
    if (a.is == Is::duration) return ordered(a.integer, b.integer);
    if (a.is == Is::time)
      return ordered(std::pair(a.integer, a.nanoseconds), std::pair(b.integer, b.nanoseconds));
  }
  throw CelFailed("no such overload");
}

std::string cel_real_text(double real) {
  if (std::isnan(real)) return "NaN";
  if (std::isinf(real)) return real < 0 ? "-Inf" : "+Inf";
  const double size = std::abs(real);
  const bool is_plain = size == 0 || (size >= 1e-4 && size < 1e6);
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, real,
                                 is_plain ? std::chars_format::fixed : std::chars_format::scientific);
  return {text, end.ptr};
}

std::string cel_time_text(const CelValue& time) {
  using namespace std::chrono;
  const sys_seconds moment{seconds(time.integer)};
  const auto days = floor<std::chrono::days>(moment);
  const year_month_day date(days);
  const hh_mm_ss clock(moment - days);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d", int{date.year()}, unsigned{date.month()},
                unsigned{date.day()}, static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()));
  return with_fraction(text, time.nanoseconds) + "Z";
}

std::string cel_duration_text(const CelValue& duration) {
  const std::int64_t whole = duration.integer / kSecond, rest = std::abs(duration.integer % kSecond);
  const std::string sign = duration.integer < 0 && whole == 0 ? "-" : "";
  return with_fraction(sign + std::to_string(whole), rest) + "s";
}

CelValue cel_read_time(const std::string& text) {
  using namespace std::chrono;
  if (!text.ends_with('Z')) throw Unsupported("a time in a zone");
  try {
    std::string fraction;
    const std::string utc = time_text(text, fraction);
    const auto number = [&](std::size_t from, std::size_t length) {
      return std::stoi(utc.substr(from, length));
    };
    const year_month_day date{year{number(0, 4)}, month{static_cast<unsigned>(number(5, 2))},
                              day{static_cast<unsigned>(number(8, 2))}};
    const auto moment =
        sys_days(date) + hours(number(11, 2)) + minutes(number(14, 2)) + seconds(number(17, 2));
    fraction.resize(9, '0');
    return cel_time(duration_cast<seconds>(moment.time_since_epoch()).count(), std::stoi(fraction));
  } catch (const Undecodable&) {
    throw CelFailed("no timestamp");
  }
}

CelValue cel_read_duration(const std::string& text) {
  const char* place = text.c_str();
  const bool is_negative = *place == '-';
  if (*place == '-' || *place == '+') ++place;
  if (std::string_view(place) == "0") return cel_duration(0);
  if (*place == '\0') throw CelFailed("no duration");
  constexpr std::pair<std::string_view, std::int64_t> kUnits[] = {
      {"ns", 1},       {"us", 1000},          {"\xC2\xB5s", 1000}, {"\xCE\xBCs", 1000},
      {"ms", 1000000}, {"h", 3600 * kSecond}, {"m", 60 * kSecond}, {"s", kSecond}};
  long double total = 0;
  while (*place != '\0') {
    if (!(*place >= '0' && *place <= '9') && *place != '.') throw CelFailed("no duration");
    char* end = nullptr;
    const long double number = std::strtold(place, &end);
    if (end == place) throw CelFailed("no duration");
    std::size_t length = 0;
    for (const auto& [unit, size] : kUnits) {
      if (length > 0 || !std::string_view(end).starts_with(unit)) continue;
      total += number * static_cast<long double>(size);
      length = unit.size();
    }
    if (length == 0) throw CelFailed("no duration");
    place = end + length;
  }
  if (total > static_cast<long double>(std::numeric_limits<std::int64_t>::max()))
    throw CelFailed("no duration");
  const auto nanoseconds = static_cast<std::int64_t>(total);
  return cel_duration(is_negative ? -nanoseconds : nanoseconds);
}

std::vector<std::string> cel_characters(const std::string& text) {
  std::vector<std::string> characters;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (!continues || characters.empty()) characters.emplace_back();
    characters.back() += c;
  }
  return characters;
}

}  // namespace fixpoint::oracle
