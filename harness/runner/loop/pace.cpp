#include "harness/runner/loop/pace.h"

#include <algorithm>
#include <cstdio>
#include <string>

namespace fixpoint::runner {

void Pace::take(double seconds, std::uint64_t calls) {
  if (!adapts_ || calls == 0) return;
  const std::lock_guard lock(mutex_);
  ++cases_;
  seconds_ += seconds;
  calls_ += calls;
}

bool Pace::is_slow() const {
  if (!adapts_) return false;
  const std::lock_guard lock(mutex_);
  return calls_ == 0 || seconds_ > kSecondsOfASlowCall * static_cast<double>(calls_);
}

std::string Pace::text(std::uint64_t threads) const {
  if (!is_slow()) return {};
  const std::lock_guard lock(mutex_);
  if (calls_ == 0 || seconds_ <= 0) return {};
  constexpr double kMilliseconds = 1000, kMinute = 60;
  char text[96];
  std::snprintf(text, sizeof text, "%.0f ms a call, %.0f calls a Case: %.0f Cases in a minute",
                kMilliseconds * seconds_ / static_cast<double>(calls_),
                static_cast<double>(calls_) / static_cast<double>(cases_),
                kMinute * static_cast<double>(threads) * static_cast<double>(cases_) / seconds_);
  return text;
}

std::uint64_t Pace::cases_of_a_round(std::uint64_t usual, std::uint64_t threads) const {
  constexpr double kSecondsOfARound = 0.5;
  if (!is_slow()) return usual;
  const std::lock_guard lock(mutex_);
  if (cases_ == 0) return std::min(usual, threads);
  const double a_second = static_cast<double>(threads) * static_cast<double>(cases_) / seconds_;
  const auto wanted = static_cast<std::uint64_t>(kSecondsOfARound * a_second);
  return std::clamp(wanted, std::min(usual, threads), usual);
}

PropertyOrders least_decided_first(std::span<const properties::Property* const> properties,
                                   const RunSummary& summary) {
  PropertyOrders orders;
  for (const auto& [kind, counts] : summary.kinds) {
    const auto decided = [&](const properties::Property* property) -> std::uint64_t {
      const auto found = counts.properties.find(std::string(property->name));
      return found == counts.properties.end() ? 0 : found->second.held + found->second.violated;
    };
    auto& ordered = orders[kind];
    ordered.assign(properties.begin(), properties.end());
    std::ranges::stable_sort(ordered, {}, decided);
  }
  return orders;
}

std::span<const properties::Property* const> order_of(const PropertyOrders& orders, const std::string& kind,
                                                      std::span<const properties::Property* const> usual) {
  const auto order = orders.find(kind);
  return order == orders.end() ? usual : order->second;
}

}  // namespace fixpoint::runner
