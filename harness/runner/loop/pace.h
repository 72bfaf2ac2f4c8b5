#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/properties/property.h"
#include "harness/runner/run_summary.h"

namespace fixpoint::runner {

/// The speed of webhooks outside this program. If they are slow, fewer properties are checked on each Case,
/// beginning with those that were decided least: the time of a run goes into calls, not into drawing Cases.
/// Shared between threads.
class Pace {
 public:
  /// A call that takes longer, in seconds, is slow: checking all properties on a Case takes about two dozen.
  static constexpr double kSecondsOfASlowCall = 1e-3;
  /// The number of calls to the outside after which a Case of a slow webhook is checked only for what needs
  /// no more of them.
  static constexpr std::uint64_t kCallsOfASlowCase = 8;

  /// Without `adapts` no webhook counts as slow, so that the properties checked in a run depend on its seed
  /// alone.
  explicit Pace(bool adapts) : adapts_(adapts) {}

  /// Adds a Case that made so many calls to the outside, in so many seconds.
  void take(double seconds, std::uint64_t calls);
  /// Returns true while calls are slow, and before the first one was made.
  bool is_slow() const;
  /// Returns the rate of so many threads: "90 ms a call, 22 calls a Case: 30 Cases in a minute"; empty unless
  /// calls are slow.
  std::string text(std::uint64_t threads) const;
  /// Returns the number of Cases of the next round, at most `usual`: few if the first finding would wait for
  /// many calls, at least one for each thread.
  std::uint64_t cases_of_a_round(std::uint64_t usual, std::uint64_t threads) const;

 private:
  const bool adapts_;
  mutable std::mutex mutex_;
  double seconds_ = 0;
  std::uint64_t calls_ = 0, cases_ = 0;
};

/// For each kind of objects, the properties of Cases in some order.
using PropertyOrders = std::map<std::string, std::vector<const properties::Property*>>;

/// Returns the properties for each kind of the run, those first that were decided least on its objects; equal
/// ones keep their order.
PropertyOrders least_decided_first(std::span<const properties::Property* const> properties,
                                   const RunSummary& summary);

/// Returns the order for objects of the kind, or the usual one as long as none is known.
std::span<const properties::Property* const> order_of(const PropertyOrders& orders, const std::string& kind,
                                                      std::span<const properties::Property* const> usual);

}  // namespace fixpoint::runner
