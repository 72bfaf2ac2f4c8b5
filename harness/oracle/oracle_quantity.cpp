#include "harness/oracle/oracle_quantity.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

namespace {

constexpr int kNano = -9, kMilli = -3, kExponentMax = 4000;

struct Suffix {
  std::string_view text;
  std::string_view notation;
  int power;  ///< of 10, or of 1024 for binary suffixes
};
constexpr auto kSuffixes = std::to_array<Suffix>({{"n", "", -9},
                                                  {"u", "", -6},
                                                  {"m", "", -3},
                                                  {"", "", 0},
                                                  {"k", "", 3},
                                                  {"M", "", 6},
                                                  {"G", "", 9},
                                                  {"T", "", 12},
                                                  {"P", "", 15},
                                                  {"E", "", 18},
                                                  {"Ki", "i", 1},
                                                  {"Mi", "i", 2},
                                                  {"Gi", "i", 3},
                                                  {"Ti", "i", 4},
                                                  {"Pi", "i", 5},
                                                  {"Ei", "i", 6}});

void strip(std::string& digits) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

int compare_digits(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

/// Returns a + b or, for a >= b, a - b.
std::string combine(std::string a, std::string b, int sign) {
  const std::size_t size = std::max(a.size(), b.size()) + 1;
  a.insert(0, size - a.size(), '0');
  b.insert(0, size - b.size(), '0');
  int carry = 0;
  for (std::size_t i = size; i-- > 0;) {
    const int digit = (a[i] - '0') + sign * (b[i] - '0') + carry;
    carry = digit < 0 ? -1 : digit / 10;
    a[i] = static_cast<char>('0' + (digit + 10) % 10);
  }
  strip(a);
  return a;
}

std::string times(const std::string& digits, int factor) {
  std::string result = digits;
  int carry = 0;
  for (std::size_t i = result.size(); i-- > 0; carry /= 10) {
    carry += (result[i] - '0') * factor;
    result[i] = static_cast<char>('0' + carry % 10);
  }
  if (carry > 0) result.insert(0, std::to_string(carry));
  strip(result);
  return result;
}

/// Divides `digits` by a number in place and returns the remainder.
int divide(std::string& digits, int by) {
  int rest = 0;
  for (char& digit : digits) {
    rest = rest * 10 + (digit - '0');
    digit = static_cast<char>('0' + rest / by);
    rest %= by;
  }
  strip(digits);
  return rest;
}

/// Gives both amounts the lower one of their exponents.
void align(Amount& a, Amount& b) {
  for (Amount* each : {&a, &b}) {
    const int low = std::min(a.exponent, b.exponent);
    if (each->is_zero()) {
      each->exponent = low;
    } else if (each->exponent > low) {
      each->digits.append(static_cast<std::size_t>(each->exponent - low), '0');
      each->exponent = low;
    }
  }
}

/// Rounds up to a multiple of 10^exponent, away from zero; returns true if that changed the amount.
bool round_up(Amount& amount, int exponent) {
  if (amount.exponent >= exponent || amount.is_zero()) return false;
  const auto cut = static_cast<std::size_t>(exponent - amount.exponent);
  if (amount.digits.size() < cut) amount.digits.insert(0, cut - amount.digits.size(), '0');
  const std::string rest = amount.digits.substr(amount.digits.size() - cut);
  amount.digits = "0" + amount.digits.substr(0, amount.digits.size() - cut);
  strip(amount.digits);
  amount.exponent = exponent;
  const bool changed = rest.find_first_not_of('0') != std::string::npos;
  if (changed) amount.digits = combine(amount.digits, "1", 1);
  return changed;
}

struct Parts {
  bool negative = false;
  std::string whole = "0", fraction = {}, suffix = {}, notation = {};
  int power = 0;
};

bool read_suffix(Parts& parts) {
  for (const Suffix& known : kSuffixes) {
    if (known.text != parts.suffix) continue;
    parts.notation = known.notation;
    parts.power = known.power;
    return true;
  }
  if (parts.suffix[0] != 'e' && parts.suffix[0] != 'E') return false;
  const std::string digits = parts.suffix.substr(1);
  const std::size_t first = digits.find_first_of("0123456789");
  if (first == std::string::npos || first > 1 || digits.size() - first > 4) return false;
  if (digits.find_first_not_of("0123456789", first) != std::string::npos) return false;
  parts.notation = "e";
  parts.power = std::atoi(digits.c_str());
  if (std::abs(parts.power) > kExponentMax) throw Unsupported("an exponent of four digits");
  return true;
}

std::optional<Parts> take_apart(std::string_view text) {
  if (text.empty()) return std::nullopt;
  Parts parts;
  const auto digits_from = [&](std::size_t from) {
    return std::min(text.find_first_not_of("0123456789", from), text.size());
  };
  std::size_t begin = text[0] == '-' || text[0] == '+' ? 1 : 0;
  parts.negative = text[0] == '-';
  std::size_t end = digits_from(begin);
  parts.whole = "0" + std::string(text.substr(begin, end - begin));
  strip(parts.whole);
  if (end < text.size() && text[end] == '.') {
    begin = end + 1;
    end = digits_from(begin);
    parts.fraction = text.substr(begin, end - begin);
  }
  parts.suffix = text.substr(end);
  if (!read_suffix(parts)) return std::nullopt;
  return parts;
}

/// Returns true if the server's int64 arithmetic can hold the quantity: at most 18 digits and nothing below
/// nano; a binary one must be whole and small.
bool is_short(const Parts& parts) {
  const int whole = static_cast<int>(parts.whole.size()), fraction = static_cast<int>(parts.fraction.size());
  if (parts.notation != "i") return whole + fraction <= 18 && parts.power - fraction >= kNano;
  return fraction == 0 && whole + parts.power * 3 + 1 <= 15;
}

bool keeps_text(const Parts& parts) {
  if (!is_short(parts)) return false;
  if (parts.notation == "i") {
    std::string whole = parts.whole;
    return divide(whole, 8) != 0;
  }
  const int exponent = parts.power - static_cast<int>(parts.fraction.size());
  const std::string shifted = parts.whole + parts.fraction;
  return exponent % 3 == 0 && shifted[0] != '0' && !shifted.ends_with("000");
}

struct Parsed {
  Parts parts;
  Amount amount;
};

std::optional<Parsed> parse(std::string_view text) {
  auto parts = take_apart(text);
  if (!parts) return std::nullopt;
  Amount amount{parts->negative, parts->whole + parts->fraction, -static_cast<int>(parts->fraction.size())};
  strip(amount.digits);
  if (parts->notation != "i") amount.exponent += parts->power;
  for (int i = 0; parts->notation == "i" && i < parts->power; ++i) amount.digits = times(amount.digits, 1024);
  round_up(amount, kNano);
  if (!is_short(*parts) && parts->notation == "i") {
    const Amount cap{amount.negative, "9223372036854775807", 0}, one{false, "1", 0};
    Amount size = amount;
    size.negative = false;
    if (Amount{false, cap.digits, 0} < size) amount = cap;
    if (!size.is_zero() && size < one) parts->notation = "";
  }
  if (amount.is_zero()) amount.negative = false;
  return Parsed{*parts, amount};
}

}  // namespace

int Amount::compare(const Amount& other) const {
  if (negative != other.negative) return negative ? -1 : 1;
  Amount a = *this, b = other;
  align(a, b);
  return negative ? compare_digits(b.digits, a.digits) : compare_digits(a.digits, b.digits);
}

Amount Amount::plus(const Amount& other) const {
  Amount a = *this, b = other;
  align(a, b);
  if (a.negative == b.negative) return {a.negative, combine(a.digits, b.digits, 1), a.exponent};
  if (compare_digits(a.digits, b.digits) < 0) std::swap(a, b);
  Amount result{a.negative, combine(a.digits, b.digits, -1), a.exponent};
  if (result.is_zero()) result.negative = false;
  return result;
}

bool Amount::is_whole() const {
  Amount copy = *this;
  return !round_up(copy, 0);
}

std::optional<Amount> parse_amount(std::string_view text) {
  const auto parsed = parse(text);
  if (!parsed) return std::nullopt;
  return parsed->amount;
}

std::string notation_of(std::string_view text) {
  const auto parsed = parse(text);
  return parsed ? parsed->parts.notation : "";
}

std::string amount_text(const Amount& amount, std::string_view notation) {
  if (amount.is_zero()) return "0";
  Amount left = amount;
  const Amount kilo{false, "1024", 0}, size{false, left.digits, left.exponent};
  const std::string sign = left.negative ? "-" : "";
  if (notation == "i" && !(size < kilo) && left.is_whole()) {
    round_up(left, 0);
    left.digits.append(static_cast<std::size_t>(left.exponent), '0');
    int power = 0;
    for (std::string half = left.digits; divide(half, 1024) == 0 && power < 6; ++power) left.digits = half;
    for (const Suffix& known : kSuffixes) {
      if (known.power == power && (power == 0 ? known.text.empty() : known.notation == "i"))
        return sign + left.digits + std::string(known.text);
    }
  }
  while (left.digits.size() > 1 && left.digits.back() == '0') {
    left.digits.pop_back();
    ++left.exponent;
  }
  for (; left.exponent % 3 != 0; --left.exponent) left.digits += '0';
  if (notation == "e")
    return sign + left.digits + (left.exponent == 0 ? "" : "e" + std::to_string(left.exponent));
  for (const Suffix& known : kSuffixes) {
    if (known.notation.empty() && known.power == left.exponent)
      return sign + left.digits + std::string(known.text);
  }
  return sign + left.digits;
}

std::optional<std::string> quantity_text(std::string_view sent, bool to_milli) {
  auto parsed = parse(sent);
  if (!parsed) return std::nullopt;
  if (to_milli && round_up(parsed->amount, kMilli))
    return amount_text(parsed->amount, parsed->parts.notation);
  if (keeps_text(parsed->parts)) return std::string(sent);
  return amount_text(parsed->amount, parsed->parts.notation);
}

}  // namespace fixpoint::oracle
