#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "harness/webhooks/webhook.h"

namespace fixpoint::external {

/// Stands between a run and the webhooks outside of it: makes no more calls once the run is over, and
/// measures the time of those that it makes. The times are no part of a run's events
/// (docs/judging.md#properties). Shared between threads.
class CallMonitor {
 public:
  /// `over` is asked before each call; a call that has begun takes its time.
  void stop_when(std::function<bool()> over) { over_ = std::move(over); }
  /// The longest that a call may take, whatever its webhook asks for; 0 for no such bound. While there is one
  /// nothing is timed.
  void bound_calls(int seconds_max) { seconds_max_ = seconds_max; }

  webhooks::Handler monitored(webhooks::Handler inner);

  /// Calls of this thread that were not made because the run was over.
  static std::uint64_t skipped_calls();
  /// Calls of this thread that were made.
  static std::uint64_t made();

  /// The durations of one webhook's calls.
  struct Timed {
    std::uint64_t calls = 0, timed_out = 0;
    int timeout_seconds = 0;    ///< of the latest call that timed out
    double seconds_budget = 0;  ///< of the call below
    double seconds = 0;  ///< the least of four equal calls that all were over budget; 0 when there is none
    int suspicions = 0;  ///< calls that were measured again
  };
  std::map<std::string, Timed> timed() const;

 private:
  bool is_over() const { return over_ && over_(); }
  webhooks::Answer timed_call(const webhooks::Handler& inner, const webhooks::Call& call);
  void measure_again(const webhooks::Handler& inner, const webhooks::Call& call, double seconds,
                     double budget);

  std::function<bool()> over_ = {};
  std::atomic<int> seconds_max_{0};
  mutable std::mutex mutex_;
  std::map<std::string, Timed> timed_ = {};
};

/// A line for each webhook that timed out or is over its budget, by name; empty when none is.
std::string account_of(const std::map<std::string, CallMonitor::Timed>& timed);

}  // namespace fixpoint::external
