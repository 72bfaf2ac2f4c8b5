#include "harness/document/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "harness/document/go_number.h"
#include "harness/document/base64.h"
#include "harness/document/json.h"
#include "harness/document/utf8.h"

namespace fixpoint::document {

namespace {

using Type = YamlScalar::Type;

struct Word {
  std::string_view text;
  Type type;
  bool truth = false;
  double number = 0;
};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array kWords = {Word{"y", Type::boolean, true},
                               Word{"Y", Type::boolean, true},
                               Word{"yes", Type::boolean, true},
                               Word{"Yes", Type::boolean, true},
                               Word{"YES", Type::boolean, true},
                               Word{"true", Type::boolean, true},
                               Word{"True", Type::boolean, true},
                               Word{"TRUE", Type::boolean, true},
                               Word{"on", Type::boolean, true},
                               Word{"On", Type::boolean, true},
                               Word{"ON", Type::boolean, true},
                               Word{"n", Type::boolean},
                               Word{"N", Type::boolean},
                               Word{"no", Type::boolean},
                               Word{"No", Type::boolean},
                               Word{"NO", Type::boolean},
                               Word{"false", Type::boolean},
                               Word{"False", Type::boolean},
                               Word{"FALSE", Type::boolean},
                               Word{"off", Type::boolean},
                               Word{"Off", Type::boolean},
                               Word{"OFF", Type::boolean},
                               Word{"", Type::null},
                               Word{"~", Type::null},
                               Word{"null", Type::null},
                               Word{"Null", Type::null},
                               Word{"NULL", Type::null},
                               Word{".nan", Type::floating, false, kNan},
                               Word{".NaN", Type::floating, false, kNan},
                               Word{".NAN", Type::floating, false, kNan},
                               Word{".inf", Type::floating, false, kInfinity},
                               Word{".Inf", Type::floating, false, kInfinity},
                               Word{".INF", Type::floating, false, kInfinity},
                               Word{"+.inf", Type::floating, false, kInfinity},
                               Word{"+.Inf", Type::floating, false, kInfinity},
                               Word{"+.INF", Type::floating, false, kInfinity},
                               Word{"-.inf", Type::floating, false, -kInfinity},
                               Word{"-.Inf", Type::floating, false, -kInfinity},
                               Word{"-.INF", Type::floating, false, -kInfinity}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Parses as Go's strconv.ParseInt and then ParseUint, with 64 bits; returns decimal digits, or nothing.
std::optional<std::string> parse_digits(std::string_view digits, bool signless, bool negative, int base) {
  std::uint64_t magnitude = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (negative ? magnitude > kMax + 1 : !signless && magnitude > kMax) return std::nullopt;
  std::string decimal = std::to_string(magnitude);
  if (negative && magnitude != 0) decimal.insert(decimal.begin(), '-');
  return decimal;
}

/// The same with base 0: the prefixes 0x, 0o, 0b, and a mere 0 for octal numbers.
std::optional<std::string> parse_integer(std::string_view text) {
  const bool negative = text.starts_with('-'), signless = !negative && !text.starts_with('+');
  std::string_view digits = signless ? text : text.substr(1);
  const char letter = digits.size() > 2 && digits[0] == '0' ? static_cast<char>(digits[1] | 0x20) : '\0';
  const int base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
  if (base != 0) return parse_digits(digits.substr(2), signless, negative, base);
  const bool octal = digits.size() > 1 && digits[0] == '0';
  return parse_digits(octal ? digits.substr(1) : digits, signless, negative, octal ? 8 : 10);
}

/// In go-yaml, `0b-1` is -1: the text after the prefix is parsed as a number of its own.
std::optional<std::string> parse_odd_binary(std::string_view text) {
  if (!text.starts_with("0b-") && !text.starts_with("0b+")) return std::nullopt;
  return parse_digits(text.substr(3), false, text[2] == '-', 2);
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
bool looks_like_float(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    return i - begin;
  };
  const auto accept = [&](std::string_view any) {
    const bool found = i < text.size() && any.find(text[i]) != std::string_view::npos;
    i += found ? 1u : 0u;
    return found;
  };
  accept("+-");
  if (accept(".")) {
    if (digits() == 0) return false;
  } else {
    if (digits() == 0) return false;
    if (accept(".")) digits();
  }
  if (accept("eE")) {
    accept("+-");
    if (digits() == 0) return false;
  }
  return i == text.size();
}

/// Removes underscores between digits, which Go allows in numbers.
std::string without_separators(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool between = i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
    if (text[i] != '_' || !between) out += text[i];
  }
  return out;
}

/// Returns true if a decimal number is below one, judged by its first significant digit and its exponent.
bool is_small(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  const bool shrinks = e != std::string_view::npos && text[e + 1] == '-';
  const bool grows = e != std::string_view::npos && !shrinks;
  const std::size_t first = mantissa.find_first_of("123456789");
  return shrinks || (!grows && first > mantissa.find('.'));
}

/// Parses as Go's strconv.ParseFloat for decimal numbers; empty on overflow, zero on underflow.
std::optional<double> parse_float(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size() || problem == std::errc::invalid_argument) return std::nullopt;
  if (problem == std::errc::result_out_of_range) {
    if (!is_small(text)) return std::nullopt;
    number = 0;
  }
  return negative ? -number : number;
}

YamlScalar integer(std::string digits) { return {.type = Type::integer, .digits = std::move(digits)}; }
YamlScalar floating(double number) { return {.type = Type::floating, .number = number}; }

/// A number as a member name: as go-yaml writes it, in single precision.
std::string float_key(double number) {
  if (std::isnan(number)) return ".nan";
  const auto narrow = static_cast<float>(number);
  if (std::isinf(narrow)) return number < 0 ? "-.inf" : ".inf";
  return go_float_text(narrow);
}

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";
constexpr std::array<std::pair<std::string_view, Type>, 4> kTags = {
    {{"null", Type::null}, {"bool", Type::boolean}, {"int", Type::integer}, {"float", Type::floating}}};

/// Bytes as the content of a JSON string: malformed UTF-8 becomes U+FFFD.
std::string as_utf8(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = utf8_length(bytes, i);
    length == 0 ? append_utf8(out, kReplacement) : void(out.append(bytes, i, length));
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

Error misfit(std::string_view text, std::string_view what) {
  std::string message("\"");
  message.append(text.substr(0, 40)).append("\" is no ").append(what);
  return Error{std::move(message)};
}

Result<YamlScalar> resolve_scalar(std::string_view tag, std::string_view text) {
  if (tag == kPlainTag || tag.empty()) return resolve_plain_scalar(text);
  if (!tag.starts_with(kTagPrefix)) return YamlScalar{};
  const std::string_view name = tag.substr(kTagPrefix.size());
  const auto known =
      std::find_if(kTags.begin(), kTags.end(), [&](const auto& row) { return row.first == name; });
  if (known == kTags.end()) return YamlScalar{};
  YamlScalar scalar = resolve_plain_scalar(text);
  const bool is_int64 = scalar.type == Type::integer && Value::number(scalar.digits).integer().has_value();
  if (is_int64 && known->second == Type::floating) {
    return floating(parse_float(scalar.digits).value_or(0));
  }
  if (scalar.type != known->second) return misfit(text, name);
  return scalar;
}

}  // namespace

YamlScalar resolve_plain_scalar(std::string_view text) {
  constexpr std::string_view kBeginnings = "0123456789+-.yYnNtTfFoO~";
  if (!text.empty() && kBeginnings.find(text[0]) == std::string_view::npos) return {};
  for (const Word& word : kWords) {
    if (word.text == text) return {.type = word.type, .truth = word.truth, .number = word.number};
  }
  if (text[0] == '.') {
    const std::string digits = without_separators(text);
    const auto number = looks_like_float(digits) ? parse_float(digits) : std::nullopt;
    return number ? floating(*number) : YamlScalar{};
  }
  if (!is_digit(text[0]) && text[0] != '+' && text[0] != '-') return {};
  std::string plain(text);
  std::erase(plain, '_');
  if (auto digits = parse_integer(plain)) return integer(*std::move(digits));
  if (looks_like_float(plain)) {
    if (const auto number = parse_float(plain)) return floating(*number);
  }
  if (auto digits = parse_odd_binary(plain)) return integer(*std::move(digits));
  return {};
}

Result<Value> scalar_value(std::string_view tag, std::string_view text) {
  if (tag == kNumberTag) {
    auto number = read_json(text);
    if (!number.ok() || !number->is_number()) return misfit(text, "JSON number");
    return number;
  }
  if (tag == std::string(kTagPrefix) + "binary") {
    const auto bytes = decode_base64(text);
    if (!bytes) return misfit(text, "base64");
    return Value(as_utf8(*bytes));
  }
  const auto scalar = resolve_scalar(tag, text);
  if (!scalar) return scalar.error();
  switch (scalar->type) {
    case Type::null:
      return Value();
    case Type::boolean:
      return Value(scalar->truth);
    case Type::integer:
      return Value::number(scalar->digits);
    case Type::floating:
      if (!std::isfinite(scalar->number)) return misfit(text, "number of JSON");
      return Value::number(go_json_number(scalar->number));
    case Type::string:
      break;
  }
  return Value(text);
}

Result<std::string> scalar_key(std::string_view tag, std::string_view text) {
  if (tag == kNumberTag) return Error{"the tag !number does not fit a member's name"};
  if (tag == std::string(kTagPrefix) + "binary") {
    const auto bytes = decode_base64(text);
    if (!bytes) return misfit(text, "base64");
    return as_utf8(*bytes);
  }
  const auto scalar = resolve_scalar(tag, text);
  if (!scalar) return scalar.error();
  switch (scalar->type) {
    case Type::null:
      return Error{"null is no name of a member"};
    case Type::boolean:
      return std::string(scalar->truth ? "true" : "false");
    case Type::integer:
      // Go decodes numbers beyond int64 as another type, which its conversion to JSON rejects as a key.
      if (!Value::number(scalar->digits).integer()) return misfit(text, "name of a member: too large");
      return scalar->digits;
    case Type::floating:
      return float_key(scalar->number);
    case Type::string:
      break;
  }
  return std::string(text);
}

}  // namespace fixpoint::document
