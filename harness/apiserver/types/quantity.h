#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fixpoint::apiserver {

/// A resource quantity as the API machinery keeps it: an exact decimal number and the format it is written
/// in. Small ones are a 64-bit mantissa and a power of ten; what does not fit there keeps its digits.
class Quantity {
 public:
  enum class Format : std::uint8_t { decimal_exponent, binary_si, decimal_si };

  Quantity() = default;  ///< zero
  explicit Quantity(std::int64_t value) : value_(value) {}
  /// Nothing when the API server refuses the text. Amounts below one nano unit round up, binary ones are
  /// capped.
  static std::optional<Quantity> parse(std::string_view text);

  /// Returns true if the server writes the text that was parsed rather than the canonical one
  /// (docs/simulator.md#4-2).
  bool keeps_text() const { return keeps_text_; }
  /// The canonical text: no fraction, the greatest suffix that needs none.
  std::string canonical() const;

  int sign() const;
  bool is_zero() const { return sign() == 0; }
  /// Less than, equal to or greater than 0, by value.
  friend int compare(const Quantity& a, const Quantity& b);
  friend bool operator==(const Quantity& a, const Quantity& b) { return compare(a, b) == 0; }

  /// A zero takes over the other's format.
  Quantity& operator+=(const Quantity& other);
  /// Away from zero to a multiple of 10^scale; whether anything was written anew, so that a kept text is
  /// lost.
  bool round_up(std::int32_t scale);
  /// In units of 10^scale, rounded away from zero, as far as 64 bits hold that. Else it is what the API
  /// machinery's ScaledValue makes of it: a wrapped number, or 0.
  std::int64_t scaled(std::int32_t scale) const;

 private:
  struct Digits;
  Digits digits() const;
  static Quantity of(const Digits& digits, Format format);

  std::int64_t value_ = 0;
  std::int32_t scale_ = 0;
  Format format_ = Format::decimal_si;
  bool keeps_text_ = false;
  bool is_negative_ = false;  ///< of big ones
  std::string big_ = {};      ///< decimal digits of what does not fit value_; empty else
};

/// The text the API server writes for a quantity that was sent as `text`; nothing when it refuses it. A view
/// of `text` when that stays as it is, else of `buffer`.
std::optional<std::string_view> canonical_quantity(std::string_view text, std::string& buffer);

}  // namespace fixpoint::apiserver
