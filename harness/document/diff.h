#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::document {

/// The JSON Patch (`add`, `remove` and `replace` only) from one document to the other, as
/// gomodules.xyz/jsonpatch/v2 makes it, the library behind controller-runtime's PatchResponseFromRaw. Lists
/// are compared by position: what is too much goes from the end, what is missing comes at the end, then the
/// elements that both have are compared. What changes its type is replaced. Numbers compare by their text,
/// strings by their content, of duplicate members the last counts. Go walks objects in random order; here it
/// is bytewise, removals after the rest.
///
/// apply_patch(before, diff(before, after)) gives `after`, when neither has duplicates and `after` is no
/// scalar. Subtrees that are the same() are not looked at.
Value diff(const Value& before, const Value& after);
/// Whether that patch has any operation.
bool differ(const Value& before, const Value& after);

/// One place where two documents differ: a scalar, or a whole member or element that only one of them has.
struct Change {
  std::string pointer;          ///< a JSON pointer
  std::optional<Value> before;  ///< none when added
  std::optional<Value> after;   ///< none when removed
};

/// The differences for a person to read, at most `changes_max` of them: objects by names, lists by position.
std::vector<Change> list_changes(const Value& before, const Value& after, std::size_t changes_max);

}  // namespace fixpoint::document
