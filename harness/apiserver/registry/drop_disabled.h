#pragma once

#include "harness/document/value.h"

namespace fixpoint::apiserver::validation {

/// Takes out of a spec what a feature gate keeps off in that minor, unless the stored Pod uses it already
/// (null for a creation). The spec must be a normalised one.
void drop_disabled(document::Value& spec, const document::Value& old_spec, int minor);

}  // namespace fixpoint::apiserver::validation
