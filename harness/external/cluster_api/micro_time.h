#pragma once

#include <cstdint>

#include "harness/document/value.h"

namespace fixpoint::external {

/// Returns a MicroTime of the API (2026-01-02T03:04:05.000006Z) from seconds since 1970 and nanoseconds
/// beyond; null if its year has more than four digits.
document::Value micro_time(std::int64_t seconds, std::int64_t nanoseconds);

}  // namespace fixpoint::external
