#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>

#include "harness/runner/loop/run.h"

namespace fixpoint::runner {

/// The report of a run so far. Findings are reported by one thread, in the order of the Cases; another one
/// may count Cases meanwhile, and whoever uses the summary beside it locks it.
class RunLog {
 public:
  /// Both must outlive it. It begins with the report of the run that `options` continues.
  RunLog(const RunOptions& options, Listener& listener);

  RunSummary& summary() { return summary_; }
  const RunSummary& summary() const { return summary_; }
  const std::set<std::string>& seen() const { return seen_; }
  /// Returns true at the first call with this fingerprint.
  bool is_first(const std::string& fingerprint) { return seen_.insert(fingerprint).second; }
  /// Returns true once a finding or an observation ended the run. Any thread may ask.
  bool has_enough() const { return has_enough_; }
  /// No other thread reads or writes the summary, or calls the listener, while it is held.
  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

  /// The findings from now on were met in the last of so many Cases.
  void met_after(std::uint64_t cases) { met_after_ = cases; }
  /// Returns what a finding of now says of its run.
  cases::Found where_found(std::int64_t shrinks, bool is_unfinished) const {
    return {.seed = options_.drawing.seed,
            .cases = static_cast<std::int64_t>(met_after_),
            .shrinks = shrinks,
            .unfinished = is_unfinished};
  }

  void found(const cases::Finding& finding) {
    const std::lock_guard lock(mutex_);
    summary_.findings.push_back(finding);
    listener_.found(finding);
    has_enough_ = has_enough_ || (options_.hooks.is_enough && options_.hooks.is_enough(finding));
  }
  /// Tells a finding in which no webhook under test has a part.
  void noted(const cases::Finding& finding) {
    const std::lock_guard lock(mutex_);
    summary_.notes.push_back(finding);
    listener_.noted(finding);
  }
  void observed(const properties::Observation& seen) {
    const std::lock_guard lock(mutex_);
    summary_.observe(seen);
    has_enough_ = has_enough_ || (options_.hooks.is_enough_to_see && options_.hooks.is_enough_to_see(seen));
  }

 private:
  const RunOptions& options_;
  Listener& listener_;
  std::mutex mutex_;
  RunSummary summary_;
  std::set<std::string> seen_;  ///< all fingerprints, reported or not
  std::uint64_t met_after_ = 0;
  std::atomic<bool> has_enough_ = false;
};

}  // namespace fixpoint::runner
