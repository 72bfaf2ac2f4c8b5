#include "harness/runner/loop/run_time.h"

#include "harness/runner/loop/case_result.h"

namespace fixpoint::runner {

using cases::Case;

namespace {

constexpr double kNotYet = -1;
constexpr double kShareOfTheEnd = 1.0 / 3;  ///< of the run, for findings that wait

}  // namespace

thread_local bool Naming::is_here_ = false;

RunTime::RunTime(const RunOptions& options, const WaitingFindings& waiting)
    : options_(options),
      waiting_(waiting),
      start_(options.hooks.clock() - options.from.summary.seconds),
      over_since_(kNotYet) {}

bool RunTime::is_out_of_time() const {
  return options_.effort.seconds_max > 0 && elapsed() >= options_.effort.seconds_max;
}

bool RunTime::is_over_since(double seconds) const {
  if (!is_over()) return false;
  const double now = elapsed();
  double since = kNotYet;
  over_since_.compare_exchange_strong(since, now);
  return since != kNotYet && now - since >= seconds;
}

bool RunTime::drawing_is_over() const {
  const double all = options_.effort.seconds_max;
  if (all <= 0) return false;
  if (drawing_is_over_) return true;
  const double left = all - elapsed();
  const bool is_over = left <= all * kShareOfTheEnd && left <= waiting_.seconds_needed();
  if (is_over || left <= 0) drawing_is_over_ = true;
  return drawing_is_over_;
}

Reduce RunTime::bounded_reduce(bool& is_cut) const {
  if (!options_.drawing.reduce) return {};
  return [this, &is_cut, begin = elapsed()](Case value, const std::function<bool(const Case&)>& take) {
    const double bound = options_.effort.shrink_seconds_max;
    const Case original = value;
    options_.drawing.reduce(std::move(value), [&](const Case& candidate) {
      if (!keeps_subjects(options_.subjects, original, candidate)) return false;
      const bool is_late = bound > 0 && elapsed() - begin >= bound;
      if (!is_late && !is_over()) return take(candidate);
      is_cut = true;
      return false;
    });
  };
}

}  // namespace fixpoint::runner
