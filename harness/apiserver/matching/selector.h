#pragma once

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Returns true if a label selector (metav1.LabelSelector; null and {} select everything) selects a map of
/// labels (null is an empty one). An unknown operator, values for an operator that takes none, and keys or
/// values that no label can have are errors as in LabelSelectorAsSelector.
document::Result<bool> selects(const document::Value& selector, const document::Value& labels);

}  // namespace fixpoint::apiserver
