#pragma once

#include <span>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::reports {

/// A logarithmic axis. Both ends are one of 1, 2, 5, 10, 20, 50, … or a power of ten below 1.
struct LogScale {
  double low = 1, high = 10;
  std::vector<double> ticks = {};  ///< rising, within the ends: as many as can be read
};

/// The narrowest scale on which all figures have a place. A figure below a hundredth counts as one: reports
/// show no less.
LogScale log_scale_of(std::span<const double> figures);

/// As page.js takes it.
document::Value write_scale(const LogScale& scale);

}  // namespace fixpoint::reports
