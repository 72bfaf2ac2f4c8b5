#pragma once

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The combined value, not yet decoded, of two members with one name, which Go decodes into the same field
/// one after the other. The later scalar wins; objects and maps are concatenated; lists are merged element by
/// element up to the length of the later one. A later null resets pointers, lists, maps, quantities and times
/// and leaves other fields unchanged.
document::Value merge_members(const Field& field, const document::Value& earlier,
                              const document::Value& later);

}  // namespace fixpoint::apiserver
