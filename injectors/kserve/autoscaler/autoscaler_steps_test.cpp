#include "injectors/kserve/autoscaler/autoscaler_steps.h"

#include <gtest/gtest.h>

#include "injectors/kserve/autoscaler/component.h"

namespace fixpoint::injectors::kserve::autoscaler {
namespace {

using cases::reconcile_step;
using reconcile::StepResult;

/// Runs these steps with a reconciler that makes no requests.
std::vector<StepResult> run(std::vector<cases::Step> steps) {
  const reconcile::Reconciler nothing{
      [](const reconcile::Objects&, const Value&) { return reconcile::Reconciled{}; }, autoscaler_steps()};
  return run_sequence({.steps = std::move(steps)}, nothing);
}

TEST(AutoscalerSteps, AUserActsOnTheComponentsName) {
  const cases::Step create{"user", "create"}, update{"user", "update"}, remove{"user", "delete"};
  const cases::Step named = reconcile_step({{"name", "m"}, {"namespace", "n"}});
  const std::vector<StepResult> results = run({update, create, create, update, remove, named});
  EXPECT_TRUE(results[0].after.all.empty());
  ASSERT_NE(results[1].after.find("HorizontalPodAutoscaler", "n", "m"), nullptr);
  EXPECT_TRUE(results[1].after.all == results[2].after.all);
  EXPECT_EQ(results[3].after.all.front()["spec"]["maxReplicas"].integer(), 10);
  EXPECT_TRUE(results[4].after.all.empty());
}

TEST(AutoscalerSteps, WhatWasSetIsPutIntoTheComponent) {
  const cases::Step own = reconcile_step({{"annotations", {{kClassAnnotation, "keda"}}}});
  const std::vector<StepResult> results =
      run({own, {"set", "external"}, own, {"set", "absent"}, own, {"stop", true}, own, {"stop", false}, own});
  EXPECT_EQ(class_of(results[0].desired), "keda");
  EXPECT_EQ(class_of(results[2].desired), "external");
  EXPECT_EQ(class_of(results[4].desired), "hpa");
  EXPECT_EQ(results[6].desired["annotations"][kStopAnnotation].text(), "true");
  EXPECT_EQ(results[8].desired["annotations"][kStopAnnotation].text(), "false");
  EXPECT_FALSE(results[1].is_reconcile());
  EXPECT_EQ(results[0].desired["name"].text(), "model-predictor");
}

}  // namespace
}  // namespace fixpoint::injectors::kserve::autoscaler
