#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::document {

/// The JSON Patch (`add`, `remove` and `replace` only) from one document to the other, as made by
/// gomodules.xyz/jsonpatch/v2, the library behind controller-runtime's PatchResponseFromRaw. Lists are
/// compared by position: surplus elements are removed from the end, missing ones are added at the end, then
/// the common ones are compared. A value of another type is replaced. Numbers compare by their text, strings
/// by their content; of duplicate members the last one counts. Go visits the members of objects in random
/// order; here it is bytewise, removals last.
///
/// apply_patch(before, diff(before, after)) gives `after` if neither has duplicates and `after` is no scalar.
/// Subtrees that are the same() are skipped.
Value diff(const Value& before, const Value& after);
/// Returns true if that patch has any operation.
bool differ(const Value& before, const Value& after);

/// One difference between two documents: a scalar, or a whole member or element that only one of them has.
struct Change {
  std::string pointer;          ///< a JSON pointer
  std::optional<Value> before;  ///< absent for an addition
  std::optional<Value> after;   ///< absent for a removal
};

/// The differences for display, at most `changes_max` of them: objects compared by names, lists by position.
std::vector<Change> list_changes(const Value& before, const Value& after, std::size_t changes_max);

}  // namespace fixpoint::document
