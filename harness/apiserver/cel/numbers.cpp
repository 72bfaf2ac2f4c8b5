#include "harness/apiserver/cel/numbers.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "harness/apiserver/cel/cel_boxes.h"
#include "harness/apiserver/cel/meter.h"
#include "harness/apiserver/cel/times.h"

namespace fixpoint::apiserver::cel {

namespace {

constexpr double kTwo63 = 9223372036854775808.0;
constexpr double kTwo64 = 18446744073709551616.0;

Datum no_overload() { return Datum::error("no such overload"); }

/// The error of an operator whose left side it is not defined for; for strings and times it is shorter.
Datum no_operator(const Datum& left, const char* name) {
  if (left.is(Kind::text) || left.is(Kind::duration) || left.is(Kind::timestamp)) return no_overload();
  return Datum::error(std::string("no such overload: ") + name);
}

std::partial_ordering of_sign(int sign) {
  return sign < 0   ? std::partial_ordering::less
         : sign > 0 ? std::partial_ordering::greater
                    : std::partial_ordering::equivalent;
}

/// The limits are those of the server: a double beyond an integer type's range is beyond all its values, and
/// within it the integer is rounded to a double.
std::partial_ordering compare_with_real(const Datum& a, double b) {
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (a.is(Kind::integer)) {
    if (b < -kTwo63) return std::partial_ordering::greater;
    if (b > kTwo63) return std::partial_ordering::less;
    return static_cast<double>(a.integer()) <=> b;
  }
  if (b < 0) return std::partial_ordering::greater;
  if (b > kTwo64) return std::partial_ordering::less;
  return static_cast<double>(a.unsigned_integer()) <=> b;
}

constexpr const char* kOverflow = "integer overflow";
constexpr const char* kUnsignedOverflow = "unsigned integer overflow";

}  // namespace

std::partial_ordering compare_numbers(const Datum& a, const Datum& b) {
  if (a.is(Kind::real) && b.is(Kind::real)) return a.real() <=> b.real();
  if (b.is(Kind::real)) return compare_with_real(a, b.real());
  if (a.is(Kind::real)) {
    const auto reversed = compare_with_real(b, a.real());
    if (reversed == std::partial_ordering::less) return std::partial_ordering::greater;
    if (reversed == std::partial_ordering::greater) return std::partial_ordering::less;
    return reversed;
  }
  if (a.kind() == b.kind()) {
    if (a.is(Kind::integer)) return a.integer() <=> b.integer();
    return a.unsigned_integer() <=> b.unsigned_integer();
  }
  const bool is_first = a.is(Kind::integer);
  const std::int64_t with_sign = is_first ? a.integer() : b.integer();
  const std::uint64_t without = is_first ? b.unsigned_integer() : a.unsigned_integer();
  int sign = -1;
  if (with_sign >= 0) {
    const auto value = static_cast<std::uint64_t>(with_sign);
    sign = value < without ? -1 : value > without ? 1 : 0;
  }
  return of_sign(is_first ? sign : -sign);
}

Datum add_values(const Datum& a, const Datum& b) {
  switch (a.kind()) {
    case Kind::integer: {
      if (!b.is(Kind::integer)) return no_overload();
      std::int64_t sum = 0;
      return __builtin_add_overflow(a.integer(), b.integer(), &sum) ? Datum::error(kOverflow)
                                                                    : Datum::of(sum);
    }
    case Kind::unsigned_integer: {
      if (!b.is(Kind::unsigned_integer)) return no_overload();
      std::uint64_t sum = 0;
      return __builtin_add_overflow(a.unsigned_integer(), b.unsigned_integer(), &sum)
                 ? Datum::error(kUnsignedOverflow)
                 : Datum::of(sum);
    }
    case Kind::real:
      return b.is(Kind::real) ? Datum::of(a.real() + b.real()) : no_overload();
    case Kind::text:
      if (b.is(Kind::text)) spend_bytes(a.text().size() + b.text().size());
      return b.is(Kind::text) ? Datum::of(std::string(a.text()).append(b.text())) : no_overload();
    case Kind::bytes:
      if (b.is(Kind::bytes)) spend_bytes(a.text().size() + b.text().size());
      return b.is(Kind::bytes) ? Datum::bytes(std::string(a.text()).append(b.text())) : no_overload();
    case Kind::duration:
      if (b.is(Kind::duration)) return add_durations(a.integer(), b.integer());
      return b.is(Kind::timestamp) ? add_to_time(b.time(), a.integer()) : no_overload();
    case Kind::timestamp:
      return b.is(Kind::duration) ? add_to_time(a.time(), b.integer()) : no_overload();
    case Kind::list: {
      if (!b.is(Kind::list)) return no_overload();
      if (const ListBox* list = a.unordered_list()) return add_to_unordered(*list, b);
      if (ListBox* growing = a.growing_list()) {
        for (std::size_t i = 0, size = b.size(); i < size; ++i) growing->add(b.element(i));
        return a;
      }
      if (a.size() == 0) return b;
      if (b.size() == 0) return a;
      spend_bytes((a.size() + b.size()) * sizeof(Datum));
      return Datum::joined(a, b);
    }
    default:
      return Datum::error("no such overload: _+_");
  }
}

Datum subtract_values(const Datum& a, const Datum& b) {
  switch (a.kind()) {
    case Kind::integer: {
      if (!b.is(Kind::integer)) return no_overload();
      std::int64_t difference = 0;
      return __builtin_sub_overflow(a.integer(), b.integer(), &difference) ? Datum::error(kOverflow)
                                                                           : Datum::of(difference);
    }
    case Kind::unsigned_integer: {
      if (!b.is(Kind::unsigned_integer)) return no_overload();
      std::uint64_t difference = 0;
      return __builtin_sub_overflow(a.unsigned_integer(), b.unsigned_integer(), &difference)
                 ? Datum::error(kUnsignedOverflow)
                 : Datum::of(difference);
    }
    case Kind::real:
      return b.is(Kind::real) ? Datum::of(a.real() - b.real()) : no_overload();
    case Kind::duration:
      return b.is(Kind::duration) ? subtract_durations(a.integer(), b.integer()) : no_overload();
    case Kind::timestamp:
      if (b.is(Kind::duration)) return subtract_from_time(a.time(), b.integer());
      return b.is(Kind::timestamp) ? subtract_times(a.time(), b.time()) : no_overload();
    default:
      return no_operator(a, "_-_");
  }
}

Datum multiply_values(const Datum& a, const Datum& b) {
  switch (a.kind()) {
    case Kind::integer: {
      if (!b.is(Kind::integer)) return no_overload();
      std::int64_t product = 0;
      return __builtin_mul_overflow(a.integer(), b.integer(), &product) ? Datum::error(kOverflow)
                                                                        : Datum::of(product);
    }
    case Kind::unsigned_integer: {
      if (!b.is(Kind::unsigned_integer)) return no_overload();
      std::uint64_t product = 0;
      return __builtin_mul_overflow(a.unsigned_integer(), b.unsigned_integer(), &product)
                 ? Datum::error(kUnsignedOverflow)
                 : Datum::of(product);
    }
    case Kind::real:
      return b.is(Kind::real) ? Datum::of(a.real() * b.real()) : no_overload();
    default:
      return no_operator(a, "_*_");
  }
}

Datum divide_values(const Datum& a, const Datum& b) {
  switch (a.kind()) {
    case Kind::integer:
      if (!b.is(Kind::integer)) return no_overload();
      if (b.integer() == 0) return Datum::error("division by zero");
      if (a.integer() == std::numeric_limits<std::int64_t>::min() && b.integer() == -1) {
        return Datum::error(kOverflow);
      }
      return Datum::of(a.integer() / b.integer());
    case Kind::unsigned_integer:
      if (!b.is(Kind::unsigned_integer)) return no_overload();
      if (b.unsigned_integer() == 0) return Datum::error("division by zero");
      return Datum::of(a.unsigned_integer() / b.unsigned_integer());
    case Kind::real:
      return b.is(Kind::real) ? Datum::of(a.real() / b.real()) : no_overload();
    default:
      return no_operator(a, "_/_");
  }
}

Datum modulo_values(const Datum& a, const Datum& b) {
  switch (a.kind()) {
    case Kind::integer:
      if (!b.is(Kind::integer)) return no_overload();
      if (b.integer() == 0) return Datum::error("modulus by zero");
      if (a.integer() == std::numeric_limits<std::int64_t>::min() && b.integer() == -1) {
        return Datum::error(kOverflow);
      }
      return Datum::of(a.integer() % b.integer());
    case Kind::unsigned_integer:
      if (!b.is(Kind::unsigned_integer)) return no_overload();
      if (b.unsigned_integer() == 0) return Datum::error("modulus by zero");
      return Datum::of(a.unsigned_integer() % b.unsigned_integer());
    default:
      return no_operator(a, "_%_");
  }
}

Datum negate_value(const Datum& a) {
  switch (a.kind()) {
    case Kind::integer:
    case Kind::duration:
      if (a.integer() == std::numeric_limits<std::int64_t>::min()) return Datum::error(kOverflow);
      return a.is(Kind::integer) ? Datum::of(-a.integer()) : Datum::duration(-a.integer());
    case Kind::real:
      return Datum::of(-a.real());
    case Kind::boolean:
      return no_overload();
    default:
      return no_operator(a, "-_");
  }
}

Datum compare_values(const Datum& a, const Datum& b) {
  if (is_number(a)) {
    const bool is_nan =
        (a.is(Kind::real) && std::isnan(a.real())) || (b.is(Kind::real) && std::isnan(b.real()));
    if (is_nan) return Datum::error("NaN values cannot be ordered");
    if (!is_number(b)) return no_overload();
    const auto order = compare_numbers(a, b);
    return Datum::of(std::int64_t{order < 0 ? -1 : order > 0 ? 1 : 0});
  }
  if (a.kind() != b.kind()) return no_overload();
  switch (a.kind()) {
    case Kind::boolean:
    case Kind::duration:
      return Datum::of(std::int64_t{a.integer() < b.integer() ? -1 : a.integer() > b.integer() ? 1 : 0});
    case Kind::text:
    case Kind::bytes: {
      const int order = a.text().compare(b.text());
      return Datum::of(std::int64_t{order < 0 ? -1 : order > 0 ? 1 : 0});
    }
    case Kind::timestamp: {
      const auto order = a.time() <=> b.time();
      return Datum::of(std::int64_t{order < 0 ? -1 : order > 0 ? 1 : 0});
    }
    default:
      return no_overload();
  }
}

std::optional<std::int64_t> lossless_integer(double value) {
  if (!(value >= -kTwo63 && value < kTwo63) || std::trunc(value) != value) return {};
  return static_cast<std::int64_t>(value);
}

std::optional<std::int64_t> index_of(const Datum& index, std::string& error) {
  if (index.is(Kind::integer)) return index.integer();
  if (index.is(Kind::real)) {
    if (const auto whole = lossless_integer(index.real())) return whole;
    error = "unsupported index value " + real_text(index.real()) + " in list";
  } else if (index.is(Kind::unsigned_integer)) {
    if (index.unsigned_integer() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return static_cast<std::int64_t>(index.unsigned_integer());
    }
    error = "unsupported index value " + std::to_string(index.unsigned_integer()) + " in list";
  } else {
    error = "unsupported index type '" + std::string(type_name(index)) + "' in list";
  }
  return {};
}

std::string real_text(double value, RealFormat format) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::array<char, 400> buffer{};
  const auto plain =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  const std::string fixed(buffer.data(), plain.ptr);
  if (format == RealFormat::plain) return fixed;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  const std::string scientific(buffer.data(), end.ptr);
  const std::size_t at = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(at + 1));
  // Go changes to an exponent below -4, and from 6 on if the digits are the shortest.
  return exponent < -4 || exponent >= 6 ? scientific : fixed;
}

}  // namespace fixpoint::apiserver::cel
