#include "harness/reconcile/run_sequence.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"

namespace fixpoint::reconcile {
namespace {

using cases::Reconcile;
using cases::SetClass;
using cases::SetStop;
using cases::UserDoes;

Value json(const char* text) { return document::read_json(text).value(); }

/// A reconciler that asks for one thing, whatever is stored.
Reconciler asking(Request::Verb verb, const char* object, bool dry_run = false) {
  return [request = Request{verb, json(object), dry_run}](const Objects&, const Value&) {
    return Reconciled{.requests = {request}};
  };
}
constexpr const char* kOwn = R"({"kind":"HorizontalPodAutoscaler","metadata":{"name":"model-predictor",
    "namespace":"default"},"spec":{"maxReplicas":2,"behavior":{}}})";
constexpr const char* kHeld = R"({"metadata":{"name":"model-predictor","finalizers":["a/b"]},
    "spec":{"maxReplicas":3}})";

std::vector<StepResult> run(const Reconciler& reconciler, std::vector<cases::Step> steps,
                            const char* initial = "null") {
  return run_sequence({.initial = json(initial), .steps = std::move(steps)}, reconciler);
}

TEST(RunSequence, TheServerDefaultsWhatIsStored) {
  const auto create = asking(Request::Verb::create, kOwn);
  const Value with = run(create, {Reconcile{}}).back().after.all.front()["spec"];
  EXPECT_EQ(with["minReplicas"].integer(), 1);
  EXPECT_EQ(with["metrics"].size(), 1u);
  EXPECT_EQ(with["behavior"]["scaleUp"]["policies"].size(), 2u);
  const Value without = run(create, {Reconcile{.server_defaults = false}}).back().after.all.front();
  EXPECT_EQ(without["spec"], json(kOwn)["spec"]);
}

TEST(RunSequence, WhatHasFinalizersWaitsForThem) {
  const auto remove = asking(Request::Verb::remove, kOwn);
  const std::vector<StepResult> results = run(remove, {Reconcile{}, Reconcile{}}, kHeld);
  EXPECT_FALSE(results[1].after.all.front()["metadata"]["deletionTimestamp"].is_null());
  EXPECT_TRUE(results[0].after.all == results[1].after.all) << "twice is once";
  const auto update = asking(Request::Verb::update, kOwn);
  EXPECT_EQ(run(update, {Reconcile{}}, kHeld).back().after.all.size(), 1u);
  EXPECT_TRUE(run(update, {UserDoes{UserDoes::Verb::remove}, Reconcile{}}, kHeld).back().after.all.empty())
      << "the last finalizer is gone, and so is the object";
}

TEST(RunSequence, ARequestTheServerRefusesIsAnError) {
  EXPECT_EQ(run(asking(Request::Verb::create, kOwn), {Reconcile{}}, kHeld).back().reconciled.error,
            "AlreadyExists");
  EXPECT_EQ(run(asking(Request::Verb::update, kOwn), {Reconcile{}}).back().reconciled.error, "NotFound");
  EXPECT_TRUE(run(asking(Request::Verb::create, kOwn, true), {Reconcile{}}).back().after.all.empty())
      << "a dry run stores nothing";
}

TEST(RunSequence, AUserActsOnTheComponentsName) {
  const auto nothing = [](const Objects&, const Value&) { return Reconciled{}; };
  const UserDoes create{UserDoes::Verb::create}, update{UserDoes::Verb::update},
      remove{UserDoes::Verb::remove};
  const Reconcile named{.desired = {{"name", "m"}, {"namespace", "n"}}};
  const std::vector<StepResult> results = run(nothing, {update, create, create, update, remove, named});
  EXPECT_TRUE(results[0].after.all.empty());
  ASSERT_NE(results[1].after.find("HorizontalPodAutoscaler", "n", "m"), nullptr);
  EXPECT_TRUE(results[1].after.all == results[2].after.all);
  EXPECT_EQ(results[3].after.all.front()["spec"]["maxReplicas"].integer(), 10);
  EXPECT_TRUE(results[4].after.all.empty());
}

TEST(RunSequence, WhatWasSetIsPutIntoTheComponent) {
  const auto nothing = [](const Objects&, const Value&) { return Reconciled{}; };
  const Reconcile own{.desired = {{"annotations", {{kClassAnnotation, "keda"}}}}};
  const std::vector<StepResult> results = run(
      nothing, {own, SetClass{"external"}, own, SetClass{}, own, SetStop{true}, own, SetStop{false}, own});
  EXPECT_EQ(results[0].autoscaler_class(), "keda");
  EXPECT_EQ(results[2].autoscaler_class(), "external");
  EXPECT_EQ(results[4].autoscaler_class(), "hpa");
  EXPECT_EQ(results[6].desired["annotations"][kStopAnnotation].text(), "true");
  EXPECT_EQ(results[8].desired["annotations"][kStopAnnotation].text(), "false");
  EXPECT_FALSE(results[1].is_reconcile());
  EXPECT_EQ(results[0].desired["name"].text(), "model-predictor");
}

}  // namespace
}  // namespace fixpoint::reconcile
