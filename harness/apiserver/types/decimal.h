#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fixpoint::apiserver {

/// ± digits · 10^exponent, exact. `digits` has no leading zeros; empty is zero.
struct Decimal {
  std::string digits = {};
  std::int64_t exponent = 0;
  bool is_negative = false;
};

Decimal make_decimal(std::string_view digits, std::int64_t exponent, bool is_negative);
Decimal make_decimal(std::int64_t value, std::int64_t exponent);
/// -1, 0 or 1.
int compare(const Decimal& a, const Decimal& b);
/// If the two are more than 10,000 digits apart, the smaller one is dropped.
Decimal add(const Decimal& a, const Decimal& b);
/// Multiplies by a small factor, up to 2^32.
void multiply(Decimal& number, std::uint32_t factor);
/// Divides the digits by `divisor` if there is no remainder; returns true if so.
bool divide_evenly(std::string& digits, std::uint32_t divisor);
/// Rounds away from zero to a multiple of 10^exponent; returns true if the value changed.
bool round_away(Decimal& number, std::int64_t exponent);

}  // namespace fixpoint::apiserver
