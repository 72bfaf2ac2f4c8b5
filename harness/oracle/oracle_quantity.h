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
};

/// Parses a text as resource.ParseQuantity does (docs/simulator.md#4-2); empty if it is rejected.
std::optional<Amount> parse_amount(std::string_view text);
/// Returns the text that the API server writes for a quantity: the client's own where Quantity keeps it,
/// otherwise the canonical form; nothing if it cannot be parsed. `to_milli` first rounds up to milli units.
std::optional<std::string> quantity_text(std::string_view sent, bool to_milli = false);
/// Returns the canonical text of a sum whose first quantity has this notation: "" for decimal, "i" for
/// binary, "e" for an exponent.
std::string amount_text(const Amount& amount, std::string_view notation);
/// Returns the notation of a quantity's suffix.
std::string notation_of(std::string_view text);

}  // namespace fixpoint::oracle
