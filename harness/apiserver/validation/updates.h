#pragma once

#include "harness/apiserver/validation/checks.h"

namespace fixpoint::apiserver::validation {

// Checks shared by the validations of updates.

/// Checks the new Pod's metadata against the old one's, by both sets of rules, and the new Pod as a whole.
void check_update_common(Context& context, const Value& old);
/// The stored Pod in the internal type's form, with a placeholder resourceVersion.
Value stored_pod(const Value& old);
bool is_mirror(const Value& pod);
/// Reports Invalid at `path` if the resources of the new Pod give another QoS class than the one in the
/// stored Pod's status.
void check_same_qos(Context& context, const Value& old, const Value& pod, const Path& path);

/// The text of a resize for a Pod with other changes.
inline constexpr Text kResizesOnly("only cpu and memory resources are mutable");

}  // namespace fixpoint::apiserver::validation
