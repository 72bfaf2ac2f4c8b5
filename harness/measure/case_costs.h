#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "generators/sized_case.h"
#include "reports/run_record.h"

/// Measures what a Case costs as it grows; reports/costs.h judges it.
namespace fixpoint::measure {

/// A way for a Case to grow, and the sizes that are measured of it.
struct CostAxis {
  std::string_view name;
  std::span<const std::int64_t> sizes;
  generators::CaseSize (*at)(std::int64_t size);
};
/// containers to 200, webhooks to 20, kilobytes to 1024
std::span<const CostAxis> cost_axes();

/// The cost of one piece of work.
struct Took {
  double seconds = 0;
  double byte_seconds = 0;  ///< per byte read and written as JSON; 0: not measured
};

/// One examination of a Case of that size: admission, validation and the cheap properties. The Case is new
/// each time, so that nothing of it is known from the time before.
Took examine_new_case(const generators::CaseSize& size);

/// Does one piece of work of some size.
using Stopwatch = std::function<Took(std::int64_t size)>;

/// How an axis is measured.
struct CostRounds {
  std::uint64_t rounds = 1;
  /// Checked between two pieces of work; returns true to stop, and then there are no rows.
  std::function<bool()> is_over = {};
};

/// The best of so many rounds for each size. A round takes the sizes in turn, so that a disturbance meets all
/// of them, and each for some hundredths of a second.
std::vector<reports::CostRow> measure_costs(std::string_view axis, std::span<const std::int64_t> sizes,
                                            const CostRounds& rounds, const Stopwatch& stopwatch);

/// The same; as long as a step is steep, everything is measured once more, at most three times, and the best
/// counts: a disturbance goes away, what is quadratic stays.
std::vector<reports::CostRow> measure_until_calm(std::string_view axis, std::span<const std::int64_t> sizes,
                                                 const CostRounds& rounds, const Stopwatch& stopwatch);

}  // namespace fixpoint::measure
