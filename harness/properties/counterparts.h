#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::properties {

using document::Value;
using HaveOneKey = std::function<bool(const Value&, const Value&)>;

/// Returns how much two elements of one key have in common: the number of their members that are equal, and
/// more than any number of members if they are equal as a whole.
std::size_t likeness(const Value& a, const Value& b);

/// Returns for each element of `list` the index of its counterpart in `other`, or the size of `other` if it
/// has none: an element of the same key. Where a key is there more than once, elements that are equal belong
/// together, then those that are most alike, then those that come first.
std::vector<std::size_t> counterparts(const Value& list, const Value& other, const HaveOneKey& have_one_key);

}  // namespace fixpoint::properties
