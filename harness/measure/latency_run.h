#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/measure/latency_figures.h"
#include "harness/measure/latency_rows.h"

namespace fixpoint::measure {

struct LatencyRunOptions {
  std::optional<std::vector<BenchFigure>> baseline = {};  ///< to judge the figures by
  double tolerance = BenchJudgement{}.tolerance;
  std::int64_t calls_asked = 0;                          ///< a figure from fewer calls says so
  std::function<bool()> is_over = [] { return false; };  ///< true ends the run with its results so far
};

/// Receives each figure as soon as it is final.
struct LatencyObserver {
  std::function<void(const std::string&)> line;       ///< a line of the table
  std::function<void(const document::Value&)> event;  ///< the same figure as an event
};

/// The result of a run over all rows.
struct LatencyRun {
  std::vector<BenchFigure> figures = {};        ///< in the order of the rows; the best measurement of each
  std::size_t slow = 0;                         ///< the number of figures that were to be measured again
  bool is_over = false;                         ///< ended before all rows were measured
  bool has_slower = false;                      ///< a figure is slower than the baseline allows
  std::optional<document::Error> problem = {};  ///< a call failed, which ended the run
};

/// Measures all rows, and then again those that are slower than the baseline allows. If the run ends early,
/// these have no verdict, and their events contain the figures measured first.
LatencyRun measure_rows(const std::vector<LatencyRow>& rows, const LatencyRunOptions& options,
                        const LatencyObserver& observer);

}  // namespace fixpoint::measure
