#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/run_record.h"

/// What a Case costs as it grows. The cost of twice as much may double: it is judged by the exponent e of
/// cost ~ size^e between neighbouring sizes, which is below 1 while what every Case costs prevails, 1 for a
/// straight line and 2 where every part is compared with every other. A large Pod leaves the caches of the
/// machine, the sooner the busier it is, and every byte costs several times as much: what reading and writing
/// it as JSON needs more for a byte is taken off the growth.
namespace fixpoint::reports {

/// Above it a step counts as quadratic: far enough from 1 for the noise of a clock, and below 2.
inline constexpr double kGrowthMax = 1.6;

struct CostPoint {
  std::int64_t size = 1;
  double microseconds = 0;       ///< of one Case
  double per_unit = 0;           ///< the same for one container, webhook or kilobyte
  double byte_nanoseconds = 0;   ///< of JSON; 0: not measured
  std::optional<double> growth;  ///< e since the size before; none for the first
  bool is_steep() const { return growth && *growth > kGrowthMax; }
};
struct CostCurve {
  std::string axis = {};
  std::vector<CostPoint> points = {};  ///< by size
};

/// One curve for each axis, in the order in which they are met. Of a size that was measured more than once
/// the best counts: a busy machine only ever adds. Sizes and microseconds are above 0.
std::vector<CostCurve> curves_of(std::span<const CostRow> rows);
/// Whether a step of any of them grows faster than the Case.
bool has_steep_step(std::span<const CostCurve> curves);

/// "no step grows faster than the Case", "2 quadratic steps"
std::string verdict_of(std::span<const CostCurve> curves);
/// A table for each axis, and a line for each quadratic step, or one that there is none.
std::string costs_text(std::span<const CostCurve> curves);
/// The lines of quadratic steps alone.
std::string steep_text(std::span<const CostCurve> curves);

/// A section of a page with a chart and a table for each curve, whose figures go into the page's data; empty
/// without curves.
std::string costs_section(std::span<const CostCurve> curves, document::Value& data);
/// A page of nothing else.
std::string write_costs_html(std::span<const CostCurve> curves, const std::string& version);

}  // namespace fixpoint::reports
