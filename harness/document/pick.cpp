#include "harness/document/pick.h"

namespace fixpoint::document {

void detail::pick_into(const Value* found[], const Value& object, const PickTable& table) noexcept {
  for (const Member& member : object.members()) {
    const std::uint8_t place = table.slots[table.slot_of(member.key.hash())];
    if (place != 0 && member.key.is(table.names[place - 1u])) found[place - 1u] = &member.value;
  }
}

}  // namespace fixpoint::document
