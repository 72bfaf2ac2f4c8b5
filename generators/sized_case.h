#pragma once

#include <cstdint>

#include "harness/cases/case.h"

namespace fixpoint::generators {

/// The wanted size of a Case.
struct CaseSize {
  std::int64_t containers = 3;  ///< at least 1
  std::int64_t webhooks = 3;
  std::int64_t kilobytes = 0;  ///< of the Pod as JSON, filled up with env and mounts; 0: a few of each
};

/// Returns a Case of that size that violates no property: the creation of a valid Pod, and webhooks in the
/// process with reinvocationPolicy IfNeeded. Each of them adds an annotation, and a variable to the first
/// container, once.
cases::Case sized_case(const CaseSize& size);

}  // namespace fixpoint::generators
