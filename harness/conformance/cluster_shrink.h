#pragma once

#include <cstddef>

#include "harness/conformance/cluster_comparison.h"
#include "harness/document/result.h"

namespace fixpoint::conformance {

/// The smallest request found that still disagrees: all questions of a round are asked at once.
document::Result<Disagreement> shrink_disagreement(const Disagreement& found, const Ask& ask,
                                                   std::size_t asks_max);

}  // namespace fixpoint::conformance
