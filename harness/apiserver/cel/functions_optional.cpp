#include <array>

#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/cel/opaque.h"

namespace fixpoint::apiserver::cel {

namespace {

using Arguments = std::span<const Datum>;

bool is_zero(const Datum& value) {
  switch (value.kind()) {
    case Kind::null:
      return true;
    case Kind::boolean:
    case Kind::integer:
    case Kind::unsigned_integer:
    case Kind::duration:
      return value.integer() == 0;
    case Kind::real:
      return value.real() == 0;
    case Kind::text:
    case Kind::bytes:
      return value.text().empty();
    case Kind::list:
    case Kind::map:
      return value.size() == 0;
    case Kind::timestamp:
      return value.time().seconds == -62135596800 && value.time().nanoseconds == 0;
    case Kind::opaque:
      return value.opaque().tag() == "object" && static_cast<const ObjectBox&>(value.opaque()).fields.empty();
    default:
      return false;
  }
}

Datum call_some(Arguments a, const CallContext&) { return Datum::some(a[0]); }
Datum call_some_unless_zero(Arguments a, const CallContext&) {
  return is_zero(a[0]) ? Datum::none() : Datum::some(a[0]);
}
Datum call_none(Arguments, const CallContext&) { return Datum::none(); }
Datum call_value(Arguments a, const CallContext&) {
  return a[0].held() == nullptr ? Datum::error("optional.none() dereference") : *a[0].held();
}
Datum call_has_value(Arguments a, const CallContext&) { return Datum::of(a[0].held() != nullptr); }

Datum call_first(Arguments a, const CallContext&) {
  return a[0].size() == 0 ? Datum::none() : Datum::some(a[0].element(0));
}
Datum call_last(Arguments a, const CallContext&) {
  return a[0].size() == 0 ? Datum::none() : Datum::some(a[0].element(a[0].size() - 1));
}
Datum call_unwrap(Arguments a, const CallContext&) {
  std::vector<Datum> values;
  for (std::size_t i = 0; i < a[0].size(); ++i) {
    const Datum element = a[0].element(i);
    if (!element.is(Kind::optional))
      return Datum::error("value " + message_text(element) + " is not optional");
    if (element.held() != nullptr) values.push_back(*element.held());
  }
  return Datum::of(std::move(values));
}

constexpr std::array kOptionalBindings = {
    Binding{"optional_of", call_some},
    Binding{"optional_ofNonZeroValue", call_some_unless_zero},
    Binding{"optional_none", call_none},
    Binding{"optional_value", call_value},
    Binding{"optional_hasValue", call_has_value},
    Binding{"list_first", call_first},
    Binding{"list_last", call_last},
    Binding{"optional_unwrap", call_unwrap},
    Binding{"optional_unwrapOpt", call_unwrap},
};

}  // namespace

std::span<const Binding> optional_bindings() { return kOptionalBindings; }

}  // namespace fixpoint::apiserver::cel
