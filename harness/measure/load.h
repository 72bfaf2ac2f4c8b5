#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/measure/latency_figures.h"
#include "harness/measure/workload.h"

namespace fixpoint::measure {

/// The answers of a webhook that gets several requests at a time. Times are in microseconds, of whole calls.
struct LoadFigure {
  std::string webhook = {};  ///< <configuration>/<webhook>
  int connections = 1;
  std::uint64_t calls = 0;     ///< that came back, of whatever kind
  std::uint64_t errors = 0;    ///< calls without a usable answer, the timeouts not among them
  std::uint64_t timeouts = 0;  ///< calls that took longer than the webhook's timeoutSeconds
  double seconds = 0;
  BenchFigure latency = {};  ///< its percentiles alone; zeros if no call came back
  std::string first_error = {};
  double rate() const { return seconds > 0 ? static_cast<double>(calls) / seconds : 0; }
};

struct LoadBounds {
  int connections = 8;
  double seconds = 10;
  std::uint64_t calls_max = 0;  ///< 0: no bound
  std::function<bool()> is_over = [] { return false; };
};

/// Sends the same request over and over, `connections` at a time, until a bound is met.
LoadFigure measure_load(const Workload& work, std::size_t webhook, const document::Value& pod,
                        const LoadBounds& bounds);

}  // namespace fixpoint::measure
