#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "harness/properties/property.h"
#include "harness/runner/run_summary.h"

namespace fixpoint::runner {

/// How fast the webhooks outside this program answer. Of a slow one each Case asks less, and first what was
/// asked least: its calls, not the drawing of Cases, are what a run has to spend. Shared between threads.
class Pace {
 public:
  /// Above this a call is slow, in seconds: a Case that asks everything makes about two dozen.
  static constexpr double kSecondsOfASlowCall = 1e-3;
  /// After so many calls outside, the properties of a Case of a slow webhook end.
  static constexpr std::uint64_t kCallsOfASlowCase = 8;

  /// Without `adapts` no webhook is slow: what a run asks then depends on its seed alone.
  explicit Pace(bool adapts) : adapts_(adapts) {}

  /// Takes a Case that made so many calls to the outside, in seconds.
  void take(double seconds, std::uint64_t calls);
  /// Returns true while calls take long, and before the first one was made.
  bool is_slow() const;
  /// How many Cases the next round has, of at most `usual`: few where the first finding would wait for many
  /// calls, at least one for each thread.
  std::uint64_t cases_of_a_round(std::uint64_t usual, std::uint64_t threads) const;

 private:
  const bool adapts_;
  mutable std::mutex mutex_;
  double seconds_ = 0;
  std::uint64_t calls_ = 0, cases_ = 0;
};

/// The properties, those first that were decided least; equal ones as they stand.
std::vector<const properties::Property*> least_decided_first(
    std::span<const properties::Property* const> properties, const RunSummary& summary);

}  // namespace fixpoint::runner
