#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::measure {

/// The latency that `bench` measured on Pods of one size: calls of one webhook, or whole admissions through a
/// chain. In microseconds.
struct BenchFigure {
  std::string injector = {};            ///< the webhook that is called; empty for a chain
  std::vector<std::string> chain = {};  ///< its members in the order of their calls
  std::int64_t pod_bytes = 0;
  std::int64_t calls = 0;          ///< number of measured calls; for a chain, admissions
  std::int64_t patch_bytes = 0;    ///< of one call, median
  double calls_per_admission = 0;  ///< of a chain, mean
  double p50 = 0, p90 = 0, p99 = 0, max = 0;

  bool is_chain() const { return !chain.empty(); }
  /// Returns true for the same webhook or chain on Pods of the same size.
  bool is_of_same(const BenchFigure& other) const;
  /// "kserve/modelcar@0.20.0, 3 kB Pod"
  std::string name() const;
  bool operator==(const BenchFigure&) const = default;
};

/// Takes a sorted list of microseconds, not empty: the figure's percentiles, to a hundredth, and its calls.
void set_latency(BenchFigure& figure, const std::vector<double>& microseconds);

/// A file of `kind: BenchBaseline`: figures to compare others with. Written in their order; read strictly, an
/// error names the pointer.
document::Value write_baseline(const std::vector<BenchFigure>& figures);
document::Result<std::vector<BenchFigure>> read_baseline(const document::Value& document);
/// The same from a file.
document::Result<std::vector<BenchFigure>> read_baseline_file(const std::string& path);

/// A figure beside that of the baseline.
struct BenchJudgement {
  BenchFigure figure = {};
  std::optional<BenchFigure> base = {};  ///< empty if the baseline has no such figure
  double tolerance = 1.5;

  double ratio() const { return base ? figure.p50 / base->p50 : 0; }
  bool is_slower() const { return base && ratio() > tolerance; }
};

/// The webhooks that answered no call of any figure with an operation of a patch: what was measured is not
/// what they are there for.
std::vector<std::string> without_a_patch(const std::vector<BenchFigure>& figures);

/// The figure of this kind in a baseline.
std::optional<BenchFigure> find_figure(const std::vector<BenchFigure>& baseline, const BenchFigure& figure);

/// A figure that is slower than the baseline allows, and how it is measured.
struct SlowFigure {
  BenchJudgement row = {};
  std::function<document::Result<BenchFigure>()> measure = {};
};
/// Measures those that are slower than the baseline allows up to three times again, all of them in turn
/// before one has its next time, and the best counts: a busy machine is no regression, and a moment is over
/// when its turn comes again. Before each round `rest` is called; it says whether to go on.
std::optional<document::Error> measure_again(std::vector<SlowFigure>& slow,
                                             const std::function<bool()>& rest);

/// How a table is printed.
struct BenchTable {
  bool has_baseline = false;
  std::int64_t calls_asked = 0;  ///< figures that rest on fewer say so
};
std::string bench_head(const BenchTable& table);
/// Above the rows of a chain: its members.
std::string chain_line(const BenchFigure& figure);
std::string bench_row(const BenchTable& table, const BenchJudgement& row);
/// The same for a figure that is to be measured again, and what stands above those that were.
std::string bench_row_for_now(const BenchTable& table, const BenchJudgement& row);
std::string again_line();
/// The line that names a figure which became slower.
std::string slower_line(const BenchJudgement& row);
/// So many figures of the baseline were not measured.
std::string unasked_line(std::size_t count);
/// The event of a row (reports/schemas/events.json); `with_baseline` adds what the baseline says of it.
document::Value bench_event(const BenchJudgement& row, bool with_baseline);

}  // namespace fixpoint::measure
