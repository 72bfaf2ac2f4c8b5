#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "harness/document/limits.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::external {

/// Wraps the external webhooks of a run: makes no more calls once the run is over, and measures the duration
/// of each call. The durations are not part of a run's events (docs/judging.md#properties). Shared between
/// threads.
class CallMonitor {
 public:
  /// Calls `over` before each call, and makes no call once it returns true; a call that has begun is not
  /// interrupted.
  void stop_when(std::function<bool()> over) { over_ = std::move(over); }
  /// Sets the longest duration of a call, whatever timeout its webhook requests; 0 for no bound. While a
  /// bound is set, calls are not timed.
  void bound_calls(int seconds_max) { seconds_max_ = seconds_max; }
  /// Says the limit on every call (Limits::call_milliseconds_max), which may be below a webhook's timeout.
  void limit_calls(int milliseconds_max) { milliseconds_max_ = milliseconds_max; }

  /// Returns a handler that makes no more calls once the run is over.
  webhooks::Handler unless_over(webhooks::Handler inner) const;
  /// Returns a handler whose calls are measured, or bounded.
  webhooks::Handler timed(webhooks::Handler inner);
  /// Returns a handler with both.
  webhooks::Handler monitored(webhooks::Handler inner) { return unless_over(timed(std::move(inner))); }

  /// Returns the number of this thread's calls that were not made because the run was over, or for a pause.
  static std::uint64_t skipped_calls();
  /// As long as the result lives, this thread makes no calls.
  static std::shared_ptr<void> pause();
  /// Returns the number of this thread's calls that were made.
  static std::uint64_t made();

  /// The durations of one webhook's calls.
  struct Timed {
    std::uint64_t calls = 0, timed_out = 0;
    int timeout_milliseconds = 0;  ///< the timeout of the latest call that timed out
    double seconds_budget = 0;     ///< the budget of the call below
    double seconds = 0;  ///< the shortest of four equal calls that were all over budget; 0 if there is none
    int suspicions = 0;  ///< the number of calls that were measured again
  };
  std::map<std::string, Timed> timed() const;

 private:
  bool is_over() const { return over_ && over_(); }
  webhooks::Answer timed_call(const webhooks::Handler& inner, const webhooks::Call& call);
  void measure_again(const webhooks::Handler& inner, const webhooks::Call& call, double seconds,
                     double budget);

  std::function<bool()> over_ = {};
  std::atomic<int> seconds_max_{0};
  int milliseconds_max_ = Limits().call_milliseconds_max;
  mutable std::mutex mutex_;
  std::map<std::string, Timed> timed_ = {};
};

/// Returns a line for each webhook that timed out or is over its budget, sorted by name; empty if there is
/// none.
std::string account_of(const std::map<std::string, CallMonitor::Timed>& timed);
/// Returns a line with the number of calls that were made in so many seconds, and their rate; empty if none
/// was made. The rate of a handler that has nothing else to do is that of `bench load`.
std::string rate_of(const std::map<std::string, CallMonitor::Timed>& timed, double seconds);

}  // namespace fixpoint::external
