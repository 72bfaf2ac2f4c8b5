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

/// Returns a Case of that size without any violation: a valid Pod that is created, and webhooks in process,
/// each of which adds an annotation and a variable to the first container once and has reinvocationPolicy
/// IfNeeded.
cases::Case sized_case(const CaseSize& size);

}  // namespace fixpoint::generators
