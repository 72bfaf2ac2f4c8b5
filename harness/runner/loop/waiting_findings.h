#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/runner/loop/round.h"

namespace fixpoint::runner {

/// A violation of a Case that was counted, and of which no finding was made yet.
struct WaitingFinding {
  std::shared_ptr<const Round> round;
  std::size_t slot;       ///< of the Case in its round
  std::size_t violation;  ///< of the Case
};

/// The findings that wait to be shrunk, counted by the threads that find them, and the time that they need.
class WaitingFindings {
 public:
  explicit WaitingFindings(const std::set<std::string>& met) : met_(met), added_(met) {}

  void meet(const std::string& print);
  void shrunk(double seconds);
  double seconds_needed() const;

  /// Adds what the Case violates and none before it did; returns how many there are.
  std::size_t add(const std::shared_ptr<const Round>& round, std::size_t slot);
  /// Takes the next one. Differences by chance come first, since they explain others; then those of the
  /// property of which fewest were taken, in the order of their Cases: a user who waits, and a run that ends,
  /// have something of everything.
  std::optional<WaitingFinding> next();

 private:
  static constexpr double kSecondsOfTheFirst = 0.1;  ///< before one was measured

  mutable std::mutex mutex_;
  std::set<std::string> met_;
  std::uint64_t count_ = 0, measured_ = 0;
  double seconds_ = 0;
  std::set<std::string> added_;
  std::vector<WaitingFinding> waiting_ = {};
  std::map<std::string_view, std::uint64_t> taken_ = {};  ///< by property
};

}  // namespace fixpoint::runner
