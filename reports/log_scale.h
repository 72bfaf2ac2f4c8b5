#pragma once

#include <span>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::reports {

/// A logarithmic axis. Both ends are one of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, …
struct LogScale {
  double low = 1, high = 10;
  std::vector<double> ticks = {};  ///< rising, within the ends, and few enough to be readable
};

/// Returns the narrowest scale that contains all figures. Figures below 0.01 count as 0.01: reports show no
/// smaller ones.
LogScale log_scale_of(std::span<const double> figures);

/// Returns the scale in the format of page.js.
document::Value write_scale(const LogScale& scale);

}  // namespace fixpoint::reports
