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
  std::int64_t calls_asked = 0;                          ///< figures that rest on fewer say so
  std::function<bool()> is_over = [] { return false; };  ///< ends the run with what it has
};

/// Hears of each figure as soon as it stands.
struct LatencyObserver {
  std::function<void(const std::string&)> line;       ///< a line of the table, for a person
  std::function<void(const document::Value&)> event;  ///< the same figure as an event
};

/// The outcome of a run over all rows.
struct LatencyRun {
  std::vector<BenchFigure> figures = {};  ///< in the order of the rows; of those measured again the best
  std::size_t slow = 0;                   ///< of these, how many were to be measured again
  bool is_over = false;                   ///< ended before all rows were measured
  bool has_slower = false;                ///< a figure is slower than the baseline allows
  std::optional<document::Error> problem = {};  ///< a call failed, which ended the run
};

/// Measures row after row and at the end again those that are slower than the baseline allows. When the run
/// is over early, those have no verdict; their events are told as they are.
LatencyRun measure_rows(const std::vector<LatencyRow>& rows, const LatencyRunOptions& options,
                        const LatencyObserver& observer);

}  // namespace fixpoint::measure
