#pragma once

#include "harness/document/value.h"

namespace fixpoint::apiserver::validation {

/// Removes the fields of feature gates that are off in that minor, unless the stored Pod (null for a
/// creation) already uses them. The spec must have gone through the internal type.
void drop_disabled(document::Value& spec, const document::Value& old_spec, int minor);

}  // namespace fixpoint::apiserver::validation
