#include "harness/document/go_number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace fixpoint::document {

namespace {

/// The shortest digits that read back as the same number, and the power of ten of the first one.
template <class Float>
std::pair<std::string, int> shortest_digits(Float number) {
  std::array<char, 64> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific).ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = text.find('e');
  std::string digits(text.substr(0, e));
  std::erase(digits, '.');
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), end, exponent);
  return {digits, exponent};
}

/// Formats digits as Go does, `d.ddde±x` with at least `exponent_digits`, or as a plain decimal.
std::string lay_out(bool negative, const std::string& digits, int exponent, bool scientific,
                    std::size_t exponent_digits) {
  std::string out(negative ? 1 : 0, '-');
  const std::size_t power = static_cast<std::size_t>(std::abs(exponent));
  if (!scientific && exponent < 0) return out.append("0.").append(power - 1, '0').append(digits);
  const std::size_t whole = scientific ? 1 : power + 1;
  out.append(digits, 0, whole);
  if (digits.size() > whole) out.append(1, '.').append(digits, whole);
  if (digits.size() < whole) out.append(whole - digits.size(), '0');
  if (!scientific) return out;
  const std::string written = std::to_string(power);
  out.append(exponent < 0 ? "e-" : "e+");
  if (written.size() < exponent_digits) out.append(exponent_digits - written.size(), '0');
  return out.append(written);
}

/// A finite number as Go's `%v` writes it.
template <class Float>
std::string general_text(Float number) {
  const auto [digits, exponent] = shortest_digits(std::abs(number));
  const bool scientific = number != 0 && (exponent < -4 || exponent >= 6);
  return lay_out(std::signbit(number), digits, exponent, scientific, 2);
}

}  // namespace

std::string go_json_number(double number) {
  const auto [digits, exponent] = shortest_digits(std::abs(number));
  const bool scientific = number != 0 && (exponent < -6 || exponent >= 21);
  return lay_out(std::signbit(number), digits, exponent, scientific, 1);
}

std::string go_float_text(float number) { return general_text(number); }
std::string go_float_text(double number) { return general_text(number); }

}  // namespace fixpoint::document
