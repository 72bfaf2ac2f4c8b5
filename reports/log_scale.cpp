#include "reports/log_scale.h"

#include <algorithm>
#include <cmath>

#include "reports/text.h"

namespace fixpoint::reports {

namespace {

constexpr double kLeast = 0.01;
constexpr std::size_t kTicksMax = 8;  ///< more ticks would touch in a small panel
constexpr int kSteps = 3;             ///< the steps in a power of ten: 1, 2 and 5

/// Returns the number on a step: 1 on step 0, 20 on step 4, 0.5 on step -1.
double at_step(int step) {
  const int power = step >= 0 ? step / kSteps : -((-step + kSteps - 1) / kSteps);
  constexpr double kLeading[kSteps] = {1, 2, 5};
  return kLeading[step - power * kSteps] * std::pow(10, power);
}

/// Returns the last step that is not above the figure.
int step_below(double figure) {
  int step = kSteps * static_cast<int>(std::floor(std::log10(figure))) - 1;
  while (at_step(step + 1) <= figure) ++step;
  return step;
}

}  // namespace

LogScale log_scale_of(std::span<const double> figures) {
  if (figures.empty()) return {.ticks = {1, 2, 5, 10}};
  const auto [least, most] = std::minmax_element(figures.begin(), figures.end());
  const int first = step_below(std::max(kLeast, *least));
  int last = step_below(std::max(kLeast, *most));
  if (at_step(last) < *most || last == first) ++last;
  LogScale scale{.low = at_step(first), .high = at_step(last)};
  for (const int each : {1, kSteps, 2 * kSteps, 4 * kSteps}) {
    scale.ticks.clear();
    for (int step = first; step <= last; ++step)
      if (step % each == 0) scale.ticks.push_back(at_step(step));
    if (scale.ticks.size() <= kTicksMax) break;
  }
  return scale;
}

document::Value write_scale(const LogScale& scale) {
  document::Value ticks = document::Value::empty_list();
  for (const double tick : scale.ticks) ticks.push_back(hundredths(tick));
  return {{"low", hundredths(scale.low)}, {"high", hundredths(scale.high)}, {"ticks", std::move(ticks)}};
}

}  // namespace fixpoint::reports
