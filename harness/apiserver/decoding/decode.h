#pragma once

#include <string_view>

#include "harness/apiserver/types/field.h"
#include "harness/apiserver/types/find_field.h"
#include "harness/cases/kind.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Decodes a Pod as the API server's type system does (docs/simulator.md#4-2) and returns its canonical v1
/// encoding. Unknown fields are gone, quantities, times and numbers canonical, null, absent and empty as Go
/// writes them, duplicates merged, members in declaration order, keys of maps sorted. apiVersion and kind
/// stay as they were sent, also when they are missing. Returns the same node when it is canonical already. An
/// error for a wrong type or value, and for another kind than Pod (kinds.h tells which). `minor` is
/// kOldestLibrary to kNewestMinor.
document::Result<document::Value> decode_pod(const document::Value& sent, int minor = kNewestMinor);

/// The same for another kind of the tables.
document::Result<document::Value> decode_kind(const cases::Kind& kind, const Type& type,
                                              const document::Value& sent, int minor);

/// The same for any type of the tables; apiVersion and kind are not checked.
document::Result<document::Value> decode_as(const Type& type, const document::Value& sent, int minor);

/// Sets a member at the position that the type gives it. The object must be canonical.
void put_member(document::Value& canonical, const Type& type, const document::Name& name,
                document::Value value);

/// The value of an absent field that is always written: "", 0, false, {} …; null for lists, maps and
/// pointers.
document::Value zero_of(const Field& field, int minor);
/// Returns true if Go writes the field when it has this (canonical) value.
bool is_written(const Field& field, const document::Value& value);

}  // namespace fixpoint::apiserver
