#include "harness/apiserver/plugins/amounts.h"

#include <cstdint>
#include <string>

#include "harness/apiserver/types/quantity.h"

namespace fixpoint::apiserver::plugins {

namespace {

using document::Member;
using document::Value;

/// A quantity as the server writes it after decoding. An unreadable one is kept; no cluster stores such an
/// object.
Value canonical(const Value& sent, Amounts amounts) {
  constexpr std::int32_t kMilli = -3;
  if (amounts == Amounts::rounded_up_to_milli) {
    if (auto quantity = Quantity::parse(sent.text()); quantity && quantity->round_up(kMilli))
      return quantity->canonical();
  }
  std::string buffer;
  const auto text = canonical_quantity(sent.text(), buffer);
  return text ? Value(*text) : sent;
}

}  // namespace

void add_missing(Value& into, const Value& from, Amounts amounts) {
  for (const Member& member : from.members()) {
    if (into.find(member.key.name()) == nullptr)
      into.set(member.key.name(), canonical(member.value, amounts));
  }
}

}  // namespace fixpoint::apiserver::plugins
