#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/document/result.h"
#include "harness/measure/latency_figures.h"

namespace fixpoint::measure {

/// Every figure is measured with at least three calls, however slow they are.
inline constexpr std::uint64_t kCallsMin = 3, kCallsMax = 10'000'000;

/// The loop that Google Benchmark repeats for one figure, and how often.
struct TimedCalls {
  /// Makes one call or admission. Returns its duration in seconds; an error if that is no latency.
  std::function<document::Result<double>()> call;
  std::uint64_t calls_max = 2000;
  double seconds_max = 0;  ///< 0: no bound. At least kCallsMin calls are made, however slow they are
  std::function<bool()> is_over = [] { return false; };  ///< checked between calls; true ends with an error
  /// Completes a figure whose latency is known.
  std::function<void(BenchFigure&)> complete = [](BenchFigure&) {};
};

/// Measures figures with Google Benchmark: each is registered at run time under its name, and timed by the
/// durations of its calls. The library's repetition is fixed: one call that is not counted says how many
/// calls the time allows.
class GoogleBenchmark {
 public:
  GoogleBenchmark();
  ~GoogleBenchmark();
  GoogleBenchmark(const GoogleBenchmark&) = delete;
  GoogleBenchmark& operator=(const GoogleBenchmark&) = delete;

  /// Returns the figure with its latency. An error of a call, or "interrupted".
  document::Result<BenchFigure> measure(BenchFigure figure, const TimedCalls& timed);

  /// Returns the best measurement of each figure in Google Benchmark's JSON format: `real_time` is the mean
  /// in microseconds; counters are p50, p90, p99, max, pod_bytes and patch_bytes or calls_per_admission.
  std::string json() const;

 private:
  struct Hidden;
  std::unique_ptr<Hidden> hidden_;
};

}  // namespace fixpoint::measure
