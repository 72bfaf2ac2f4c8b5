#include <cmath>
#include <limits>

#include "harness/oracle/oracle_cel.h"

namespace fixpoint::oracle {

namespace {

using Is = CelValue::Is;

__extension__ using Wide = __int128;

constexpr std::int64_t kNanoseconds = 1'000'000'000;
constexpr std::int64_t kFirstSecond = -62'135'596'800, kLastSecond = 253'402'300'799;

/// Integers of 64 bits, and an error where the result is none.
template <typename Number>
Number computed(char sign, Number a, Number b) {
  Wide result = 0;
  if ((sign == '/' || sign == '%') && b == 0)
    throw CelFailed(sign == '/' ? "division by zero" : "modulus by zero");
  const Wide left = a, right = b;
  switch (sign) {
    case '+':
      result = left + right;
      break;
    case '-':
      result = left - right;
      break;
    case '*':
      result = left * right;
      break;
    case '/':
      result = left / right;
      break;
    default:
      // The quotient overflows, and with it the remainder that the processor finds beside it.
      if (left / right > std::numeric_limits<Number>::max()) throw CelFailed("integer overflow");
      result = left % right;
      break;
  }
  if (result < std::numeric_limits<Number>::min() || result > std::numeric_limits<Number>::max())
    throw CelFailed("integer overflow");
  return static_cast<Number>(result);
}

double computed(char sign, double a, double b) {
  switch (sign) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    default:
      throw CelFailed("no such overload");
  }
}

CelValue moved(const CelValue& time, Wide by) {
  const Wide total = static_cast<Wide>(time.integer) * kNanoseconds + time.nanoseconds + by;
  Wide seconds = total / kNanoseconds, rest = total % kNanoseconds;
  if (rest < 0) {
    rest += kNanoseconds;
    --seconds;
  }
  if (seconds < kFirstSecond || seconds > kLastSecond) throw CelFailed("timestamp overflow");
  return cel_time(static_cast<std::int64_t>(seconds), static_cast<int>(rest));
}

CelValue between(const CelValue& a, const CelValue& b) {
  const Wide nanoseconds =
      (static_cast<Wide>(a.integer) - b.integer) * kNanoseconds + a.nanoseconds - b.nanoseconds;
  if (nanoseconds < std::numeric_limits<std::int64_t>::min() ||
      nanoseconds > std::numeric_limits<std::int64_t>::max())
    throw CelFailed("integer overflow");
  return cel_duration(static_cast<std::int64_t>(nanoseconds));
}

}  // namespace

CelValue cel_arithmetic(const std::string& sign, const CelValue& a, const CelValue& b) {
  const char c = sign[0];
  if (a.is == Is::time && b.is == Is::duration && (c == '+' || c == '-'))
    return moved(a, c == '+' ? b.integer : -static_cast<Wide>(b.integer));
  if (a.is == Is::duration && b.is == Is::time && c == '+') return moved(b, a.integer);
  if (a.is != b.is) throw CelFailed("no such overload");
  if (a.is == Is::integer) return cel_integer(computed(c, a.integer, b.integer));
  if (a.is == Is::natural) return cel_natural(computed(c, a.natural, b.natural));
  if (a.is == Is::real) return cel_real(computed(c, a.real, b.real));
  if (a.is == Is::duration && (c == '+' || c == '-')) return cel_duration(computed(c, a.integer, b.integer));
  if (a.is == Is::time && c == '-') return between(a, b);
  if (c == '+' && a.is == Is::text) return cel_text(a.text + b.text);
  if (c == '+' && a.is == Is::bytes) return cel_bytes(a.text + b.text);
  if (c == '+' && a.is == Is::list) {
    // A sum with an empty list is the other one.
    if (a.elements->empty()) return b;
    if (b.elements->empty()) return a;
    CelList all = *a.elements;
    all.insert(all.end(), b.elements->begin(), b.elements->end());
    CelValue sum = cel_list(std::move(all));
    sum.is_joined = true;
    return sum;
  }
  throw CelFailed("no such overload");
}

CelValue cel_negative(const CelValue& value) {
  if (value.is == Is::real) return cel_real(-value.real);
  if (value.is == Is::integer) return cel_integer(computed('-', std::int64_t{0}, value.integer));
  if (value.is == Is::duration) return cel_duration(computed('-', std::int64_t{0}, value.integer));
  throw CelFailed("no such overload");
}

}  // namespace fixpoint::oracle
