#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fixpoint::apiserver {

/// A resource quantity as the API machinery keeps it: an exact decimal number and its format. Small
/// quantities are a 64-bit mantissa and a power of ten; larger ones keep their digits as text.
class Quantity {
 public:
  enum class Format : std::uint8_t { decimal_exponent, binary_si, decimal_si };

  Quantity() = default;  ///< zero
  explicit Quantity(std::int64_t value, Format format = Format::decimal_si)
      : value_(value), format_(format) {}
  /// Empty if the API server rejects the text. Amounts below one nano unit round up, binary ones are capped.
  static std::optional<Quantity> parse(std::string_view text);

  /// Returns true if the server writes the text that was parsed rather than the canonical one
  /// (docs/simulator.md#4-2).
  bool keeps_text() const { return keeps_text_; }
  /// The canonical text: no fraction, the greatest suffix that needs none.
  std::string canonical() const;

  int sign() const;
  bool is_zero() const { return sign() == 0; }
  /// A number less than, equal to or greater than 0, by value.
  friend int compare(const Quantity& a, const Quantity& b);
  friend bool operator==(const Quantity& a, const Quantity& b) { return compare(a, b) == 0; }

  /// Adds the other amount; a zero takes the other's format.
  Quantity& operator+=(const Quantity& other);
  void negate();
  /// The amount if it is a whole number that the server finds without arithmetic on long numbers (AsInt64).
  std::optional<std::int64_t> as_integer() const;
  /// The nearest double, or one beside it (AsApproximateFloat64).
  double approximate() const;
  /// Rounds away from zero to a multiple of 10^scale. Returns true if the text was rewritten, so that the
  /// parsed one is lost.
  bool round_up(std::int32_t scale);
  /// The amount in units of 10^scale, rounded away from zero, if it fits 64 bits; otherwise the result of the
  /// API machinery's ScaledValue: a wrapped number, or 0.
  std::int64_t scaled(std::int32_t scale) const;

 private:
  struct Digits;
  Digits digits() const;
  static Quantity of(const Digits& digits, Format format);

  std::int64_t value_ = 0;
  std::int32_t scale_ = 0;
  Format format_ = Format::decimal_si;
  bool keeps_text_ = false;
  bool is_negative_ = false;  ///< the sign of `big_`
  std::string big_ = {};      ///< the decimal digits of an amount that does not fit value_, else empty
};

/// The text that the API server writes for a quantity sent as `text`, or nothing if it rejects the text. The
/// result is a view of `text` if that is canonical, else of `buffer`.
std::optional<std::string_view> canonical_quantity(std::string_view text, std::string& buffer);

}  // namespace fixpoint::apiserver
