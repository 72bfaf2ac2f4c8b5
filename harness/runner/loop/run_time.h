#pragma once

#include <atomic>

#include "harness/runner/loop/run.h"
#include "harness/runner/loop/waiting_findings.h"

namespace fixpoint::runner {

/// While it lives, this thread makes findings of what it met: its calls end with RunTime::naming_is_over(),
/// those of other threads with the run.
class Naming {
 public:
  Naming() { is_here_ = true; }
  Naming(const Naming&) = delete;
  Naming& operator=(const Naming&) = delete;
  ~Naming() { is_here_ = false; }

  static bool is_here() { return is_here_; }

 private:
  static thread_local bool is_here_;
};

/// The time of a run: when drawing ends, and when what has begun is cut off. Any thread may ask.
class RunTime {
 public:
  /// Both must outlive it. The clock goes on where the run was left that `options` continues.
  RunTime(const RunOptions& options, const WaitingFindings& waiting);

  /// Seconds since the run began, without those between its processes.
  double elapsed() const { return options_.hooks.clock() - start_; }
  bool is_interrupted() const { return options_.hooks.interrupted && options_.hooks.interrupted(); }
  /// Returns true once the time is up, or somebody ended the run.
  bool is_over() const { return is_out_of_time() || is_interrupted(); }
  /// Returns true once the Cases in work are cut off, too: a moment after the end of the run.
  bool is_cut() const { return is_over_since(kGraceSeconds); }
  /// Returns true once no more causes are looked for (RunEffort::naming_seconds_max). A run that somebody
  /// ended is not held up.
  bool naming_is_over() const {
    return is_over_since(is_interrupted() ? kGraceSeconds : options_.effort.naming_seconds_max);
  }
  /// Returns true if drawing has ended, and from then on always: findings that wait need the rest of the
  /// time.
  bool drawing_is_over() const;
  /// Returns the drawing's reduction for one finding, within its time from now on and that of the run.
  /// `is_cut` becomes true if the clock ended it.
  Reduce bounded_reduce(bool& is_cut) const;

 private:
  static constexpr double kGraceSeconds = 0.25;

  bool is_out_of_time() const;
  bool is_over_since(double seconds) const;

  const RunOptions& options_;
  const WaitingFindings& waiting_;
  const double start_;
  mutable std::atomic<bool> drawing_is_over_{false};
  mutable std::atomic<double> over_since_;
};

}  // namespace fixpoint::runner
