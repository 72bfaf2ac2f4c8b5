#pragma once

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// What two members of one name amount to when Go decodes both into one field, one after the other, as a
/// value still to be decoded: scalars: the later; objects and maps: their members, one after the other; lists
/// element by element, as long as the later one. Null empties pointers, lists, maps, quantities and times and
/// is nothing to the rest.
document::Value merge_members(const Field& field, const document::Value& earlier,
                              const document::Value& later);

}  // namespace fixpoint::apiserver
