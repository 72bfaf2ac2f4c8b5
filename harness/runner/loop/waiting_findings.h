#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>

namespace fixpoint::runner {

/// The findings that wait to be shrunk, counted by the threads that find them, and the time that they need.
class WaitingFindings {
 public:
  explicit WaitingFindings(const std::set<std::string>& met) : met_(met) {}

  void meet(const std::string& print) {
    const std::lock_guard lock(mutex_);
    if (met_.insert(print).second) ++count_;
  }
  void shrunk(double seconds) {
    const std::lock_guard lock(mutex_);
    if (count_ > 0) --count_;
    ++measured_;
    seconds_ += seconds;
  }
  double seconds_needed() const {
    const std::lock_guard lock(mutex_);
    const double each = measured_ == 0 ? kSecondsOfTheFirst : seconds_ / static_cast<double>(measured_);
    return each * static_cast<double>(count_);
  }

 private:
  static constexpr double kSecondsOfTheFirst = 0.1;  ///< before one was measured

  mutable std::mutex mutex_;
  std::set<std::string> met_;
  std::uint64_t count_ = 0, measured_ = 0;
  double seconds_ = 0;
};

}  // namespace fixpoint::runner
