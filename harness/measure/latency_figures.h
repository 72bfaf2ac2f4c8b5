#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::measure {

/// The latency that `bench` measured on Pods of one size, in microseconds: of calls of one webhook, or of
/// whole admissions through a chain.
struct BenchFigure {
  std::string injector = {};            ///< the webhook that is called; empty for a chain
  std::vector<std::string> chain = {};  ///< its members in the order of their calls
  std::int64_t pod_bytes = 0;
  std::string example = {};        ///< the name of the example Pod; empty for a Pod of a given size
  std::int64_t calls = 0;          ///< number of measured calls; for a chain, admissions
  std::int64_t patch_bytes = 0;    ///< of one call, the median
  double calls_per_admission = 0;  ///< of a chain, the mean
  double p50 = 0, p90 = 0, p99 = 0, max = 0;

  bool is_chain() const { return !chain.empty(); }
  /// Returns true if `other` is of the same webhook or chain, on the same example or on Pods of the same
  /// size.
  bool is_of_same(const BenchFigure& other) const;
  /// Returns the name of the figure: "kserve/modelcar@0.20.0, 3 kB Pod", or "…, example web".
  std::string name() const;
  bool operator==(const BenchFigure&) const = default;
};

/// Sets the figure's percentiles, to a hundredth, and its calls from a sorted list of microseconds, which is
/// not empty.
void set_latency(BenchFigure& figure, const std::vector<double>& microseconds);

/// Writes and reads a file of `kind: BenchBaseline`: figures to compare others with, in their order. Reading
/// is strict, and an error names the pointer.
document::Value write_baseline(const std::vector<BenchFigure>& figures);
document::Result<std::vector<BenchFigure>> read_baseline(const document::Value& document);
/// Reads the same from a file.
document::Result<std::vector<BenchFigure>> read_baseline_file(const std::string& path);

/// A figure beside that of the baseline.
struct BenchJudgement {
  BenchFigure figure = {};
  std::optional<BenchFigure> base = {};  ///< empty if the baseline has no such figure
  double tolerance = 1.5;

  double ratio() const { return base ? figure.p50 / base->p50 : 0; }
  bool is_slower() const { return base && ratio() > tolerance; }
};

/// Returns the webhooks that answered no call of any figure with a patch: their figures do not measure the
/// work that they are made for.
std::vector<std::string> without_a_patch(const std::vector<BenchFigure>& figures);

/// Finds the figure of the same webhook or chain, and size of Pod, in a baseline.
std::optional<BenchFigure> find_figure(const std::vector<BenchFigure>& baseline, const BenchFigure& figure);

/// A figure that is slower than the baseline allows, and the function that measures it.
struct SlowFigure {
  BenchJudgement row = {};
  std::function<document::Result<BenchFigure>()> measure = {};
};
/// Measures up to three times again each figure that is slower than the baseline allows, and keeps the best
/// result: a busy machine is no regression. Each round measures every slow figure once, so that time passes
/// before a figure's next measurement. `rest` is called before each round, and returns false to stop.
std::optional<document::Error> measure_again(std::vector<SlowFigure>& slow,
                                             const std::function<bool()>& rest);

/// The properties of a whole table that its rows depend on.
struct BenchTable {
  bool has_baseline = false;
  std::int64_t calls_asked = 0;  ///< a figure from fewer calls says so
};
std::string bench_head(const BenchTable& table);
/// Returns the line above the rows of a chain, which names its members.
std::string chain_line(const BenchFigure& figure);
std::string bench_row(const BenchTable& table, const BenchJudgement& row);
/// Returns the row of a figure that will be measured again; again_line() is the heading of the rows measured
/// again.
std::string bench_row_for_now(const BenchTable& table, const BenchJudgement& row);
std::string again_line();
/// Returns the line that names a figure that became slower.
std::string slower_line(const BenchJudgement& row);
/// Returns the line that says how many figures of the baseline were not measured.
std::string unasked_line(std::size_t count);
/// Returns the event of a row (reports/schemas/events.json); `with_baseline` adds the baseline's latency and
/// the ratio.
document::Value bench_event(const BenchJudgement& row, bool with_baseline);

}  // namespace fixpoint::measure
