#pragma once

#include <string>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::properties {

/// One change of several that lead from a Pod to another.
struct SingleChange {
  std::string path;     ///< in the Pod after all changes; of what was removed, in the one before
  document::Value pod;  ///< the Pod before with this change alone
};

/// Returns the changes that lead from one Pod to another, one by one: a member, an element of a list whose
/// elements have names, else a whole list. At most kSingleChangesMax of them.
inline constexpr std::size_t kSingleChangesMax = 64;
std::vector<SingleChange> single_changes(const document::Value& before, const document::Value& after);

}  // namespace fixpoint::properties
