#pragma once

#include <functional>
#include <string>
#include <string_view>
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

/// Returns the paths of the changes of which each alone leads to an error.
std::vector<std::string> changes_that_lead_to(const std::function<bool(const document::Value&)>& has_error,
                                              const std::vector<SingleChange>& changes);

/// Returns the paths of the changes of which each alone leads to an error at `field`, which none of them
/// touches: with hostNetwork set, the server names a port of the user's. Nothing if a change lies in the
/// field or around it, which the server's path tells best, or if no change alone leads to the error.
std::vector<std::string> changes_behind(std::string_view field, const std::vector<SingleChange>& changes,
                                        const std::function<bool(const document::Value&)>& has_error);

}  // namespace fixpoint::properties
