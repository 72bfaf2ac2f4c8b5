#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fixpoint::oracle {

/// A Kubernetes quantity as an exact decimal: digits × 10^exponent, with the digits as text.
struct Amount {
  bool negative = false;
  std::string digits = "0";  ///< without leading zeros
  int exponent = 0;
  bool operator==(const Amount& other) const { return compare(other) == 0; }
  bool operator<(const Amount& other) const { return compare(other) < 0; }
  int compare(const Amount& other) const;
  Amount plus(const Amount& other) const;
  bool is_whole() const;
  bool is_zero() const { return digits == "0"; }
  /// Returns true if it is a whole multiple of the other, which is whole and positive.
  bool is_multiple_of(const Amount& other) const;
};

/// The result of resource.ParseQuantity for a text (docs/simulator.md#4-2); empty if it is rejected.
std::optional<Amount> parse_amount(std::string_view text);
/// The text that the API server writes for it: the client's own where Quantity keeps it, else the canonical
/// form; nothing when it cannot be parsed. With `to_milli` after rounding up to milli units.
std::optional<std::string> quantity_text(std::string_view sent, bool to_milli = false);
/// The canonical text of a sum that began with a quantity in this notation: "", "i" for binary, "e".
std::string amount_text(const Amount& amount, std::string_view notation);
/// The notation of a quantity's suffix.
std::string notation_of(std::string_view text);

}  // namespace fixpoint::oracle
