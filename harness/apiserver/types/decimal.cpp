#include "harness/apiserver/types/decimal.h"

#include <algorithm>
#include <string>
#include <utility>

namespace fixpoint::apiserver {

namespace {

constexpr std::int64_t kDigitsApart = 10'000;

int compare_magnitude(const Decimal& a, const Decimal& b) {
  if (a.digits.empty() || b.digits.empty()) return int{!a.digits.empty()} - int{!b.digits.empty()};
  const std::int64_t a_top = a.exponent + static_cast<std::int64_t>(a.digits.size());
  const std::int64_t b_top = b.exponent + static_cast<std::int64_t>(b.digits.size());
  if (a_top != b_top) return a_top < b_top ? -1 : 1;
  for (std::size_t i = 0; i < std::max(a.digits.size(), b.digits.size()); ++i) {
    const char left = i < a.digits.size() ? a.digits[i] : '0',
               right = i < b.digits.size() ? b.digits[i] : '0';
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

std::string add_digits(std::string a, std::string b) {
  if (a.size() < b.size()) std::swap(a, b);
  int carry = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    char& digit = a[a.size() - 1 - i];
    const int sum = (digit - '0') + (i < b.size() ? b[b.size() - 1 - i] - '0' : 0) + carry;
    digit = static_cast<char>('0' + sum % 10);
    carry = sum / 10;
  }
  if (carry > 0) a.insert(0, 1, '1');
  return a;
}

/// a - b, where a is not the smaller.
std::string subtract_digits(std::string a, const std::string& b) {
  int borrow = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    char& digit = a[a.size() - 1 - i];
    int rest = (digit - '0') - (i < b.size() ? b[b.size() - 1 - i] - '0' : 0) - borrow;
    borrow = rest < 0 ? 1 : 0;
    if (rest < 0) rest += 10;
    digit = static_cast<char>('0' + rest);
  }
  return a;
}

}  // namespace

Decimal make_decimal(std::string_view digits, std::int64_t exponent, bool is_negative) {
  const auto begin = std::min(digits.find_first_not_of('0'), digits.size());
  return {std::string(digits.substr(begin)), exponent, is_negative && begin < digits.size()};
}

Decimal make_decimal(std::int64_t value, std::int64_t exponent) {
  const bool is_negative = value < 0;
  std::string digits = std::to_string(value);
  return make_decimal(std::string_view(digits).substr(is_negative ? 1 : 0), exponent, is_negative);
}

int compare(const Decimal& a, const Decimal& b) {
  if (a.is_negative != b.is_negative) return a.is_negative ? -1 : 1;
  const int order = compare_magnitude(a, b);
  return a.is_negative ? -order : order;
}

Decimal add(const Decimal& a, const Decimal& b) {
  if (a.digits.empty()) return b;
  if (b.digits.empty()) return a;
  const Decimal& high = a.exponent >= b.exponent ? a : b;
  const Decimal& low = a.exponent >= b.exponent ? b : a;
  if (high.exponent - low.exponent > kDigitsApart) return compare_magnitude(high, low) > 0 ? high : low;
  const Decimal raised{high.digits + std::string(static_cast<std::size_t>(high.exponent - low.exponent), '0'),
                       low.exponent, high.is_negative};
  if (raised.is_negative == low.is_negative) {
    return {add_digits(raised.digits, low.digits), low.exponent, low.is_negative};
  }
  const bool high_wins = compare_magnitude(raised, low) >= 0;
  const Decimal& winner = high_wins ? raised : low;
  const Decimal& loser = high_wins ? low : raised;
  return make_decimal(subtract_digits(winner.digits, loser.digits), low.exponent, winner.is_negative);
}

void multiply(Decimal& number, std::uint32_t factor) {
  std::uint64_t carry = 0;
  for (std::size_t i = number.digits.size(); i-- > 0;) {
    carry += static_cast<std::uint64_t>(number.digits[i] - '0') * factor;
    number.digits[i] = static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  if (carry > 0) number.digits.insert(0, std::to_string(carry));
}

bool divide_evenly(std::string& digits, std::uint32_t divisor) {
  std::string quotient;
  std::uint64_t rest = 0;
  for (char digit : digits) {
    rest = rest * 10 + static_cast<std::uint64_t>(digit - '0');
    const auto next = static_cast<char>('0' + rest / divisor);
    if (next != '0' || !quotient.empty()) quotient += next;
    rest %= divisor;
  }
  if (rest != 0) return false;
  digits = std::move(quotient);
  return true;
}

bool round_away(Decimal& number, std::int64_t exponent) {
  if (number.digits.empty() || number.exponent >= exponent) return false;
  const std::int64_t cut = exponent - number.exponent;
  const auto size = static_cast<std::int64_t>(number.digits.size());
  const std::size_t kept = cut >= size ? 0 : static_cast<std::size_t>(size - cut);
  const bool is_exact = number.digits.find_first_not_of('0', kept) == std::string::npos;
  number.digits.resize(kept);
  number.exponent = exponent;
  if (!is_exact) number.digits = add_digits(number.digits, "1");
  return !is_exact;
}

}  // namespace fixpoint::apiserver
