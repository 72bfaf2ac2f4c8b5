#include "harness/runner/clock.h"

#include <chrono>

namespace fixpoint::runner {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::optional<double> parse_duration(const std::string& text) {
  double number = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (bad != std::errc() || number < 0 || number > 1e9) return std::nullopt;
  const std::string unit(end, text.data() + text.size());
  if (unit == "s" || (unit.empty() && number == 0)) return number;
  if (unit == "ms") return number / 1000;
  if (unit == "m") return number * 60;
  if (unit == "h") return number * 3600;
  return std::nullopt;
}

}  // namespace fixpoint::runner
