#pragma once

#include <utility>

#include "harness/document/fields.h"
#include "harness/document/value.h"

namespace fixpoint::document {

/// A key of a published format that got another name. For one version both are written; readers take either.
struct RenamedKey {
  const char* now;
  const char* before = nullptr;  ///< nullptr for a key that never had another name
};

/// Returns the name to read the member by: the former one if the object has only that. Both count as known.
inline const char* key_in(Fields& fields, const RenamedKey& key) {
  const bool has_before = key.before != nullptr && fields.has(key.before);
  return fields.has(key.now) || !has_before ? key.now : key.before;
}
/// Returns the member under either name; null if the object has none.
inline const Value& get(const Value& object, const RenamedKey& key) {
  const Value* value = object.find(key.now);
  return value != nullptr || key.before == nullptr ? object[Name(key.now)] : object[Name(key.before)];
}
/// Writes the member under both names.
inline void set(Value& object, const RenamedKey& key, const Value& value) {
  object.set(key.now, value);
  if (key.before != nullptr) object.set(key.before, value);
}

}  // namespace fixpoint::document
