#pragma once

#include <cstddef>

#include "harness/apiserver/types/field.h"
#include "harness/document/name.h"

namespace fixpoint::apiserver {

/// The member of that name that `minor` knows; nullptr if none.
inline const Field* search_field(const Type& type, const document::Name& name, int minor) {
  for (std::size_t at = name.hash % Type::kSlots; type.slots[at] != 0; at = (at + 1) % Type::kSlots) {
    const Field& field = type.fields[type.slots[at] - 1u];
    if (field.name == name && field.known_in(minor)) return &field;
  }
  return nullptr;
}

/// The same, but tries the position `hint` first.
inline const Field* find_field(const Type& type, const document::Name& name, int minor,
                               std::size_t hint = 0) {
  if (hint < type.fields.size() && type.hashes[hint] == name.hash) {
    const Field& field = type.fields[hint];
    if (field.name == name && field.known_in(minor)) return &field;
  }
  return search_field(type, name, minor);
}

}  // namespace fixpoint::apiserver
