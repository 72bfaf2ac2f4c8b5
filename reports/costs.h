#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/run_record.h"

/// The cost of a Case by its size. A Case of twice the size may cost twice as much: the cost is judged by the
/// exponent e of cost ~ size^e between neighbouring sizes. It is below 1 while the fixed cost of a Case
/// dominates, 1 for a straight line, and 2 if every part is compared with every other. A large Pod no longer
/// fits into the caches, especially on a busy machine, and then every byte costs several times as much: the
/// additional time for reading and writing it as JSON is subtracted from the growth.
namespace fixpoint::reports {

/// The exponent above which a step counts as quadratic: far enough from 1 for the noise of a clock, and below
/// 2.
inline constexpr double kGrowthMax = 1.6;

struct CostPoint {
  std::int64_t size = 1;
  double microseconds = 0;       ///< the cost of one Case
  double per_unit = 0;           ///< the cost of one container, webhook or kilobyte
  double byte_nanoseconds = 0;   ///< the cost of one byte of JSON; 0: not measured
  std::optional<double> growth;  ///< the exponent e since the previous size; none for the first
  bool is_steep() const { return growth && *growth > kGrowthMax; }
};
struct CostCurve {
  std::string axis = {};
  std::vector<CostPoint> points = {};  ///< sorted by size
};

/// Returns one curve for each axis, in the order of their first rows. If a size was measured more than once,
/// the lowest cost counts, because a busy machine only adds time. Sizes and microseconds are above 0.
std::vector<CostCurve> curves_of(std::span<const CostRow> rows);
/// Returns true if any step of the curves grows faster than the Case.
bool has_steep_step(std::span<const CostCurve> curves);

/// Returns "no step grows faster than the Case" or "2 quadratic steps".
std::string verdict_of(std::span<const CostCurve> curves);
/// Returns a table for each axis, and a line for each quadratic step, or one line that there is none.
std::string costs_text(std::span<const CostCurve> curves);
/// Returns only the lines of quadratic steps.
std::string steep_text(std::span<const CostCurve> curves);

/// Returns a section of a page with a chart and a table for each curve, and adds the figures to the page's
/// data. Empty if there are no curves.
std::string costs_section(std::span<const CostCurve> curves, document::Value& data);
/// Returns a page with that section alone.
std::string write_costs_html(std::span<const CostCurve> curves, const std::string& version);

}  // namespace fixpoint::reports
