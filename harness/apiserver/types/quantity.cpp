#include "harness/apiserver/types/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "harness/apiserver/types/decimal.h"

namespace fixpoint::apiserver {

namespace {

using Format = Quantity::Format;

constexpr std::int32_t kNano = -9;
constexpr std::string_view kBinaryCap = "9223372036854775807";

struct Suffix {
  std::string_view text;
  int base;
  std::int32_t exponent;
};
constexpr Suffix kSuffixes[] = {
    {"", 10, 0},   {"m", 10, -3}, {"Mi", 2, 20}, {"Gi", 2, 30}, {"Ki", 2, 10}, {"k", 10, 3},
    {"M", 10, 6},  {"G", 10, 9},  {"u", 10, -6}, {"n", 10, -9}, {"Ti", 2, 40}, {"Pi", 2, 50},
    {"Ei", 2, 60}, {"T", 10, 12}, {"P", 10, 15}, {"E", 10, 18},
};

/// The parts of a quantity's text: sign, digits before the point without leading zeros, digits behind it,
/// suffix.
struct Parts {
  bool is_negative = false;
  std::string_view whole = {}, fraction = {}, suffix = {};
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view take_digits(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  return text.substr(begin, at - begin);
}

std::optional<Parts> take_apart(std::string_view text) {
  Parts parts;
  std::size_t at = 0;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) parts.is_negative = text[at++] == '-';
  while (at < text.size() && text[at] == '0') ++at;
  parts.whole = take_digits(text, at);
  if (parts.whole.empty()) parts.whole = "0";
  if (at < text.size() && text[at] == '.') parts.fraction = take_digits(text, ++at);
  const std::size_t suffix = at;
  constexpr std::string_view kLetters = "eEinumkKMGTP";
  while (at < text.size() && kLetters.find(text[at]) != std::string_view::npos) ++at;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  take_digits(text, at);
  if (at != text.size()) return std::nullopt;
  parts.suffix = text.substr(suffix);
  return parts;
}

struct Scale {
  Format format;
  std::int32_t exponent;
};

std::optional<Scale> interpret(std::string_view suffix) {
  for (const Suffix& known : kSuffixes) {
    if (known.text != suffix) continue;
    return Scale{known.base == 10 ? Format::decimal_si : Format::binary_si, known.exponent};
  }
  if (suffix.size() < 2 || (suffix[0] != 'e' && suffix[0] != 'E')) return std::nullopt;
  std::string_view digits = suffix.substr(1);
  if (digits[0] == '+') digits.remove_prefix(1);
  if (digits.empty() || (!is_digit(digits[0]) && (digits[0] != '-' || suffix[1] == '+'))) return std::nullopt;
  std::int64_t exponent = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return Scale{Format::decimal_exponent, static_cast<std::int32_t>(exponent)};
}

/// The number of further digits that the fast path accepts; negative if it accepts none.
int digits_left(const Parts& parts, const Scale& scale) {
  const int whole = static_cast<int>(std::min<std::size_t>(parts.whole.size(), 1000));
  const int fraction = static_cast<int>(std::min<std::size_t>(parts.fraction.size(), 1000));
  if (scale.format != Format::binary_si) return 18 - whole - fraction;
  return fraction > 0 ? -1 : 15 - whole - scale.exponent * 3 / 10 - 1;
}

std::int64_t read_digits(std::string_view a, std::string_view b) {
  std::int64_t value = 0;
  for (char c : a) value = value * 10 + (c - '0');
  for (char c : b) value = value * 10 + (c - '0');
  return value;
}

bool ends_in_thousands(const Parts& parts) {
  std::size_t zeros = 0;
  for (std::size_t i = parts.fraction.size(); i-- > 0 && parts.fraction[i] == '0';) ++zeros;
  if (zeros == parts.fraction.size()) {
    for (std::size_t i = parts.whole.size(); i-- > 0 && parts.whole[i] == '0';) ++zeros;
  }
  return zeros >= 3;
}

constexpr std::array<std::int64_t, 19> kPowers = [] {
  std::array<std::int64_t, 19> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

std::string_view suffix_of(int base, std::int64_t exponent) {
  for (const Suffix& known : kSuffixes) {
    if (known.base == base && known.exponent == exponent) return known.text;
  }
  return "";  // like the server, which omits an unknown suffix and so writes a wrong number
}

/// value · 10^up with a step of 1, 2, 3, 6 or 9 wraps; another is 0 when it does not fit (int64Amount's
/// AsScaledInt64 in k8s.io/apimachinery/pkg/api/resource/amount.go, positiveScaleInt64 in math.go).
std::int64_t scaled_up(std::int64_t value, std::int64_t up) {
  if (value == 0 || up > std::numeric_limits<std::int32_t>::max()) return value;  // the step wraps, too
  const bool is_one_step = up <= 3 || up == 6 || up == 9;
  if (is_one_step) {
    const auto factor = static_cast<std::uint64_t>(kPowers[static_cast<std::size_t>(up)]);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) * factor);
  }
  for (; up > 0; --up) {
    if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) return 0;
  }
  return value;
}

}  // namespace

struct Quantity::Digits : Decimal {};

Quantity::Digits Quantity::digits() const {
  return {big_.empty() ? make_decimal(value_, scale_) : Decimal{big_, scale_, is_negative_}};
}

Quantity Quantity::of(const Digits& digits, Format format) {
  Quantity result;
  result.format_ = format;
  result.is_negative_ = digits.is_negative;
  result.scale_ = static_cast<std::int32_t>(digits.exponent);
  if (digits.digits.size() > 18) {
    result.big_ = digits.digits;
  } else {
    result.value_ = read_digits(digits.digits, {});
    if (digits.is_negative) result.value_ = -result.value_;
  }
  return result;
}

std::optional<Quantity> Quantity::parse(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto parts = take_apart(text);
  if (!parts) return std::nullopt;
  const auto scale = interpret(parts->suffix);
  if (!scale) return std::nullopt;

  const bool is_binary = scale->format == Format::binary_si;
  const auto fraction_digits = static_cast<std::int64_t>(parts->fraction.size());
  const std::int64_t exponent = (is_binary ? 0 : scale->exponent) - fraction_digits;
  if (digits_left(*parts, *scale) >= 0 && exponent >= kNano) {
    Quantity result;
    const std::int64_t value = read_digits(parts->whole, parts->fraction);
    result.value_ = is_binary ? value << scale->exponent : value;
    if (parts->is_negative) result.value_ = -result.value_;
    result.scale_ = static_cast<std::int32_t>(exponent);
    result.format_ = scale->format;
    result.keeps_text_ = is_binary
                             ? (value & 7) != 0
                             : exponent % 3 == 0 && parts->whole[0] != '0' && !ends_in_thousands(*parts);
    return result;
  }

  Digits number{
      make_decimal(std::string(parts->whole).append(parts->fraction), exponent, parts->is_negative)};
  Format format = scale->format;
  if (is_binary) {
    for (int i = 0; i < scale->exponent; i += 10) multiply(number, 1024);
  }
  round_away(number, kNano);
  if (is_binary) {
    const bool is_negative = std::exchange(number.is_negative, false);
    const Decimal cap = make_decimal(kBinaryCap, 0, false);
    if (compare(number, cap) > 0) number = Digits{cap};
    if (!number.digits.empty() && compare(number, make_decimal(1, 0)) < 0) format = Format::decimal_si;
    number.is_negative = is_negative && !number.digits.empty();
  }
  return of(number, format);
}

int Quantity::sign() const {
  if (!big_.empty()) return is_negative_ ? -1 : 1;
  return int{value_ > 0} - int{value_ < 0};
}

int compare(const Quantity& a, const Quantity& b) {
  if (a.big_.empty() && b.big_.empty()) {
    const std::int32_t low = std::min(a.scale_, b.scale_);
    const std::int64_t up_a = std::int64_t{a.scale_} - low, up_b = std::int64_t{b.scale_} - low;
    if (up_a <= 18 && up_b <= 18) {
      __extension__ typedef __int128 Wide;
      const Wide left = Wide{a.value_} * kPowers[static_cast<std::size_t>(up_a)];
      const Wide right = Wide{b.value_} * kPowers[static_cast<std::size_t>(up_b)];
      return int{left > right} - int{left < right};
    }
  }
  return compare(a.digits(), b.digits());
}

Quantity& Quantity::operator+=(const Quantity& other) {
  const Format format = is_zero() ? other.format_ : format_;
  std::int64_t sum = 0;
  if (big_.empty() && other.big_.empty() && scale_ == other.scale_ &&
      !__builtin_add_overflow(value_, other.value_, &sum)) {
    value_ = sum;
    format_ = format;
    keeps_text_ = false;
    return *this;
  }
  return *this = of(Digits{add(digits(), other.digits())}, format);
}

void Quantity::negate() {
  keeps_text_ = false;
  // The negation of the least integer is itself, as in Go.
  if (big_.empty() && value_ == std::numeric_limits<std::int64_t>::min()) return;
  value_ = -value_;
  is_negative_ = !is_negative_;
}

std::optional<std::int64_t> Quantity::as_integer() const {
  if (!big_.empty() || scale_ < 0) return std::nullopt;
  std::int64_t value = value_;
  for (std::int32_t i = 0; i < scale_ && value != 0; ++i) {
    if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) return std::nullopt;
  }
  return value;
}

double Quantity::approximate() const {
  const double base = big_.empty() ? static_cast<double>(value_) : std::strtod(big_.c_str(), nullptr);
  const double amount = scale_ == 0 ? base : base * std::pow(10.0, scale_);
  return !big_.empty() && is_negative_ ? -amount : amount;
}

bool Quantity::round_up(std::int32_t scale) {
  if (big_.empty() && scale_ >= scale) return false;
  Digits number = digits();
  round_away(number, scale);
  *this = of(number, format_);
  return true;
}

std::int64_t Quantity::scaled(std::int32_t scale) const {
  if (big_.empty() && scale_ > scale) return scaled_up(value_, std::int64_t{scale_} - scale);
  Decimal number = digits();
  round_away(number, scale);
  std::uint64_t result = 0;
  for (char digit : number.digits) result = result * 10 + static_cast<std::uint64_t>(digit - '0');
  for (std::int64_t i = number.exponent; i > scale && result != 0; --i) result *= 10;
  return static_cast<std::int64_t>(number.is_negative ? 0 - result : result);
}

std::string Quantity::canonical() const {
  if (is_zero()) return "0";
  Decimal number = digits();
  Format format = format_;
  if (format == Format::binary_si) {
    const Decimal magnitude{number.digits, number.exponent, false};
    Decimal whole = number;
    if (compare(magnitude, make_decimal(1024, 0)) < 0 || round_away(whole, 0)) {
      format = Format::decimal_si;
    } else {
      number = std::move(whole);
    }
  }
  std::string result = number.is_negative ? "-" : "";
  if (format == Format::binary_si) {
    number.digits.append(static_cast<std::size_t>(std::max<std::int64_t>(number.exponent, 0)), '0');
    std::int64_t times = 0;
    while (divide_evenly(number.digits, 1024)) ++times;
    return result.append(number.digits).append(suffix_of(2, times * 10));
  }
  while (number.digits.size() > 1 && number.digits.back() == '0') {
    number.digits.pop_back();
    ++number.exponent;
  }
  for (; number.exponent % 3 != 0; --number.exponent) number.digits += '0';
  result += number.digits;
  if (format == Format::decimal_si) return result.append(suffix_of(10, number.exponent));
  return number.exponent == 0 ? result : result.append("e").append(std::to_string(number.exponent));
}

std::optional<std::string_view> canonical_quantity(std::string_view text, std::string& buffer) {
  const auto quantity = Quantity::parse(text);
  if (!quantity) return std::nullopt;
  if (quantity->keeps_text()) return text;
  buffer = quantity->canonical();
  return buffer;
}

}  // namespace fixpoint::apiserver
