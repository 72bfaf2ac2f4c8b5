#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "harness/apiserver/cel/cel_value.h"

namespace fixpoint::apiserver::cel {

inline bool is_number(const Datum& value) {
  return value.is(Kind::integer) || value.is(Kind::unsigned_integer) || value.is(Kind::real);
}

/// Compares two numbers by value, whatever their types are; NaN compares with nothing.
std::partial_ordering compare_numbers(const Datum& a, const Datum& b);

/// `a OPERATION b` for two numbers, durations or timestamps of fitting types, or the error of the server
/// ("integer overflow", "division by zero", "no such overload").
Datum add_values(const Datum& a, const Datum& b);
Datum subtract_values(const Datum& a, const Datum& b);
Datum multiply_values(const Datum& a, const Datum& b);
Datum divide_values(const Datum& a, const Datum& b);
Datum modulo_values(const Datum& a, const Datum& b);
Datum negate_value(const Datum& a);

/// -1, 0 or 1, or an error if the two have no order.
Datum compare_values(const Datum& a, const Datum& b);

/// The index that a number is in a list, or the error.
std::optional<std::int64_t> index_of(const Datum& index, std::string& error);

/// The double if it is a whole number that fits.
std::optional<std::int64_t> lossless_integer(double value);

enum class RealFormat {
  shortest,  ///< as Go's %g: with an exponent if it is below -4 or above 5
  plain      ///< as strconv's 'f': never with an exponent
};
/// The shortest digits that read back as the same double.
std::string real_text(double value, RealFormat format = RealFormat::shortest);

}  // namespace fixpoint::apiserver::cel
