#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "generators/sized_case.h"
#include "reports/run_record.h"

/// Measures the cost of a Case as it grows; reports/costs.h judges it.
namespace fixpoint::measure {

/// A way in which a Case grows, and the sizes at which it is measured.
struct CostAxis {
  std::string_view name;
  std::span<const std::int64_t> sizes;
  generators::CaseSize (*at)(std::int64_t size);
};
/// Returns the axes: containers up to 200, webhooks up to 20, kilobytes up to 1024.
std::span<const CostAxis> cost_axes();

/// The cost of one piece of work.
struct Took {
  double seconds = 0;
  double byte_seconds = 0;  ///< per byte read and written as JSON; 0: not measured
};

/// Examines a Case of that size: admission, validation and the cheap properties. Every call makes a new Case,
/// so that no earlier call helps.
Took examine_new_case(const generators::CaseSize& size);

/// Does one piece of work of a size and returns its cost.
using Stopwatch = std::function<Took(std::int64_t size)>;

/// The number of rounds in which an axis is measured, and when to stop.
struct CostRounds {
  std::uint64_t rounds = 1;
  /// Checked before each piece of work; returns true to stop, and then there are no rows.
  std::function<bool()> is_over = {};
};

/// Measures each size in so many rounds and keeps the best result. A round measures one size after the other,
/// some hundredths of a second each, so that a disturbance affects all sizes.
std::vector<reports::CostRow> measure_costs(std::string_view axis, std::span<const std::int64_t> sizes,
                                            const CostRounds& rounds, const Stopwatch& stopwatch);

/// Measures as measure_costs() does, and again, at most three times, while the curve has a steep step; the
/// best results count. A disturbance then disappears, and quadratic cost remains.
std::vector<reports::CostRow> measure_until_calm(std::string_view axis, std::span<const std::int64_t> sizes,
                                                 const CostRounds& rounds, const Stopwatch& stopwatch);

}  // namespace fixpoint::measure
