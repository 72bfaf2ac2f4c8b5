#include <array>
#include <cmath>

#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/types/quantity.h"

namespace fixpoint::apiserver::cel {

namespace {

using Arguments = std::span<const Datum>;

/// The server's error for a text that is no quantity.
constexpr const char* kNoQuantity =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
constexpr const char* kBadSuffix = "unable to parse quantity's suffix";

struct QuantityBox : OpaqueBox {
  QuantityBox(Quantity of, bool of_sum) : quantity(std::move(of)), is_sum(of_sum) {}
  std::string_view type_name() const override { return "kubernetes.Quantity"; }
  std::string_view tag() const override { return "quantity"; }
  std::string text() const override { return quantity.canonical(); }
  bool equals(const OpaqueBox& other) const override {
    return quantity == static_cast<const QuantityBox&>(other).quantity;
  }
  bool is_never_equal() const override { return is_sum; }
  Quantity quantity;
  bool is_sum;  ///< a result of add or sub, which the server keeps in another way
};

const Quantity& quantity_of(const Datum& value) {
  return static_cast<const QuantityBox&>(value.opaque()).quantity;
}
Datum quantity_value(Quantity quantity, bool is_sum) {
  return Datum::of(new QuantityBox(std::move(quantity), is_sum));
}

/// Returns true if the text is a number followed by letters: then only its suffix is wrong.
bool has_number(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  std::size_t digits = 0;
  while (digits < text.size() && ((text[digits] >= '0' && text[digits] <= '9') || text[digits] == '.'))
    ++digits;
  const std::string_view suffix = text.substr(digits);
  const std::size_t letters = suffix.find_first_not_of("eEinumkKMGTP");
  if (letters == std::string_view::npos) return true;
  std::string_view rest = suffix.substr(letters);
  if (rest[0] == '-' || rest[0] == '+') rest.remove_prefix(1);
  return rest.find_first_not_of("0123456789") == std::string_view::npos;
}

Datum call_quantity(Arguments a, const CallContext&) {
  if (auto quantity = Quantity::parse(a[0].text())) return quantity_value(std::move(*quantity), false);
  return Datum::error(!a[0].text().empty() && has_number(a[0].text()) ? kBadSuffix : kNoQuantity);
}
Datum call_is_quantity(Arguments a, const CallContext&) {
  return Datum::of(Quantity::parse(a[0].text()).has_value());
}
Datum call_quantity_sign(Arguments a, const CallContext&) {
  return Datum::of(std::int64_t{quantity_of(a[0]).sign()});
}

int order_of(Arguments a) {
  const int order = compare(quantity_of(a[0]), quantity_of(a[1]));
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}
Datum call_quantity_greater(Arguments a, const CallContext&) { return Datum::of(order_of(a) > 0); }
Datum call_quantity_less(Arguments a, const CallContext&) { return Datum::of(order_of(a) < 0); }
Datum call_quantity_compare(Arguments a, const CallContext&) { return Datum::of(std::int64_t{order_of(a)}); }

Datum call_quantity_float(Arguments a, const CallContext&) {
  return Datum::of(quantity_of(a[0]).approximate());
}
Datum call_quantity_is_integer(Arguments a, const CallContext&) {
  return Datum::of(quantity_of(a[0]).as_integer().has_value());
}
Datum call_quantity_integer(Arguments a, const CallContext&) {
  const auto value = quantity_of(a[0]).as_integer();
  return value ? Datum::of(*value) : Datum::error("cannot convert value to integer");
}

Quantity operand_of(const Datum& value) {
  return value.is(Kind::integer) ? Quantity(value.integer(), Quantity::Format::decimal_exponent)
                                 : quantity_of(value);
}
Datum call_quantity_add(Arguments a, const CallContext&) {
  Quantity sum = quantity_of(a[0]);
  sum += operand_of(a[1]);
  return quantity_value(std::move(sum), true);
}
Datum call_quantity_subtract(Arguments a, const CallContext&) {
  Quantity difference = quantity_of(a[0]);
  Quantity other = operand_of(a[1]);
  other.negate();
  difference += other;
  return quantity_value(std::move(difference), true);
}

constexpr std::array kQuantityBindings = {
    Binding{"string_to_quantity", call_quantity},
    Binding{"is_quantity_string", call_is_quantity},
    Binding{"quantity_sign", call_quantity_sign},
    Binding{"quantity_is_greater_than", call_quantity_greater},
    Binding{"quantity_is_less_than", call_quantity_less},
    Binding{"quantity_compare_to", call_quantity_compare},
    Binding{"quantity_get_float", call_quantity_float},
    Binding{"quantity_get_int", call_quantity_integer},
    Binding{"quantity_is_integer", call_quantity_is_integer},
    Binding{"quantity_add", call_quantity_add},
    Binding{"quantity_add_int", call_quantity_add},
    Binding{"quantity_sub", call_quantity_subtract},
    Binding{"quantity_sub_int", call_quantity_subtract},
};

}  // namespace

std::span<const Binding> quantity_bindings() { return kQuantityBindings; }

}  // namespace fixpoint::apiserver::cel
