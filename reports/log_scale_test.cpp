#include "reports/log_scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace fixpoint::reports {
namespace {

using Numbers = std::vector<double>;

TEST(LogScale, EndsAtTheNextRoundNumbers) {
  const auto scale = log_scale_of(Numbers{3.4, 61, 1366.8});
  EXPECT_EQ(scale.low, 2);
  EXPECT_EQ(scale.high, 2000);
  EXPECT_EQ(scale.ticks, (Numbers{10, 100, 1000})) << "nine would touch";
  EXPECT_EQ(log_scale_of(Numbers{20, 180}).ticks, (Numbers{20, 50, 100, 200}));
}

TEST(LogScale, OfOneFigureOrNoneHasALength) {
  EXPECT_EQ(log_scale_of(Numbers{}).ticks, (Numbers{1, 2, 5, 10}));
  EXPECT_EQ(log_scale_of(Numbers{10}).low, 10);
  EXPECT_EQ(log_scale_of(Numbers{10}).high, 20);
  EXPECT_NEAR(log_scale_of(Numbers{0}).low, 0.01, 1e-12) << "nothing takes no time";
}

RC_GTEST_PROP(LogScale, HoldsAllFiguresBetweenRisingTicks, ()) {
  Numbers figures;
  for (const int hundredths :
       *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 2'000'000'000))))
    figures.push_back(hundredths / 100.0);
  const LogScale scale = log_scale_of(figures);
  RC_ASSERT(scale.low < scale.high);
  for (const double figure : figures)
    RC_ASSERT(std::max(figure, 0.01) > scale.low * (1 - 1e-9) && figure < scale.high * (1 + 1e-9));
  RC_ASSERT(!scale.ticks.empty() && scale.ticks.size() <= 8u);
  RC_ASSERT(scale.ticks.front() >= scale.low && scale.ticks.back() <= scale.high);
  RC_ASSERT(std::is_sorted(scale.ticks.begin(), scale.ticks.end(), std::less_equal<>()));
}

RC_GTEST_PROP(LogScale, TenTimesTheFiguresAreTenTimesTheScale, ()) {
  const double least = *rc::gen::inRange(1, 1000), most = least * *rc::gen::inRange(1, 5000);
  const LogScale one = log_scale_of(Numbers{least, most}), ten = log_scale_of(Numbers{10 * least, 10 * most});
  RC_ASSERT(std::abs(ten.low / one.low - 10) < 1e-9);
  RC_ASSERT(std::abs(ten.high / one.high - 10) < 1e-9);
}

}  // namespace
}  // namespace fixpoint::reports
