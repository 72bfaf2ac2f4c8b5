#include "harness/measure/latency_run.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "harness/runner/clock.h"

namespace fixpoint::measure {

namespace {

/// The least time between two measurements of a slow figure, so that a busy moment has passed.
constexpr double kRestSeconds = 1;

class RowByRow {
 public:
  RowByRow(const LatencyRunOptions& options, const LatencyObserver& observer)
      : options_(options),
        observer_(observer),
        baseline_(options.baseline.value_or(std::vector<BenchFigure>())),
        table_{.has_baseline = options.baseline.has_value(), .calls_asked = options.calls_asked} {}

  LatencyRun run(const std::vector<LatencyRow>& rows) {
    observer_.line(bench_head(table_));
    if (measure(rows)) {
      settle();
      conclude();
    } else if (run_.is_over) {
      for (const SlowFigure& one : slow_) observer_.event(bench_event(one.row, table_.has_baseline));
    }
    run_.slow = slow_.size();
    run_.has_slower = !slower_.empty();
    return std::move(run_);
  }

 private:
  /// Returns true if every row has its figure.
  bool measure(const std::vector<LatencyRow>& rows) {
    for (const LatencyRow& row : rows) {
      if (options_.is_over()) return stop({});
      auto figure = row.measure();
      if (!figure) return stop(figure.error());
      take(row, *std::move(figure));
    }
    const auto problem = measure_again(slow_, [&] { return rest(); });
    return problem || options_.is_over() ? stop(problem) : true;
  }

  bool stop(const std::optional<document::Error>& problem) {
    run_.is_over = options_.is_over();
    if (!run_.is_over) run_.problem = problem;
    return false;
  }

  bool rest() const {
    for (const double end = runner::now() + kRestSeconds; runner::now() < end && !options_.is_over();)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return !options_.is_over();
  }

  void take(const LatencyRow& row, BenchFigure figure) {
    run_.figures.push_back(figure);
    BenchJudgement judged{
        .figure = std::move(figure), .base = find_figure(baseline_, row.of), .tolerance = options_.tolerance};
    if (!judged.is_slower()) return tell(judged);
    tell_row(judged.figure, bench_row_for_now(table_, judged));
    slow_.push_back({std::move(judged), row.measure});
  }

  /// Reports the final figures of the rows that were slow at first.
  void settle() {
    if (!slow_.empty()) observer_.line(again_line());
    has_chain_ = false;
    for (const SlowFigure& one : slow_) {
      tell(one.row);
      if (one.row.is_slower()) slower_.push_back(slower_line(one.row));
      for (BenchFigure& figure : run_.figures) {
        if (figure.is_of_same(one.row.figure)) figure = one.row.figure;
      }
    }
  }

  void tell(const BenchJudgement& row) {
    observer_.event(bench_event(row, table_.has_baseline));
    tell_row(row.figure, bench_row(table_, row));
  }

  void tell_row(const BenchFigure& figure, const std::string& text) {
    if (figure.is_chain() && !std::exchange(has_chain_, true)) observer_.line(chain_line(figure));
    observer_.line(text);
  }

  void conclude() const {
    const auto unasked = std::count_if(baseline_.begin(), baseline_.end(), [&](const BenchFigure& known) {
      return !find_figure(run_.figures, known).has_value();
    });
    if (unasked > 0) observer_.line(unasked_line(static_cast<std::size_t>(unasked)));
    for (const std::string& line : slower_) observer_.line(line);
  }

  const LatencyRunOptions& options_;
  const LatencyObserver& observer_;
  const std::vector<BenchFigure> baseline_;
  const BenchTable table_;
  LatencyRun run_ = {};
  std::vector<SlowFigure> slow_ = {};
  std::vector<std::string> slower_ = {};
  bool has_chain_ = false;
};

}  // namespace

LatencyRun measure_rows(const std::vector<LatencyRow>& rows, const LatencyRunOptions& options,
                        const LatencyObserver& observer) {
  return RowByRow(options, observer).run(rows);
}

}  // namespace fixpoint::measure
