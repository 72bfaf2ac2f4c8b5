#pragma once

#include <cstddef>

#include "harness/conformance/cluster_comparison.h"
#include "harness/document/result.h"

namespace fixpoint::conformance {

/// Returns the smallest request found that still disagrees. A round sends its requests together; `asks_max`
/// bounds the requests of all rounds.
document::Result<Disagreement> shrink_disagreement(const Disagreement& found, const Ask& ask,
                                                   std::size_t asks_max);

}  // namespace fixpoint::conformance
