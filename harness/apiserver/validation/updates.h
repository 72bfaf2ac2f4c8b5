#pragma once

#include "harness/apiserver/validation/checks.h"

namespace fixpoint::apiserver::validation {

// What the validations of updates share.

/// The new Pod's metadata against the old one's, by both sets of rules, and the new Pod as a whole.
void check_update_common(Context& context, const Value& old);
/// The stored Pod as the internal type has it, with some resourceVersion.
Value stored_pod(const Value& old);
bool is_mirror(const Value& pod);
/// The QoS class of the stored Pod, as its status says it, is that of the new one's resources; else Invalid
/// at `path`.
void check_same_qos(Context& context, const Value& old, const Value& pod, const Path& path);

/// What a resize says of a Pod that differs otherwise, and says only when it has no other error.
inline constexpr std::string_view kResizesOnly = "nothing but resources may change";

}  // namespace fixpoint::apiserver::validation
