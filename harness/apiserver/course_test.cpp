#include "harness/apiserver/course.h"

#include <gtest/gtest.h>

#include "harness/apiserver/defaulting/default_autoscaler.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {
namespace {

using cases::Reconcile;
using cases::SetClass;
using cases::SetStop;
using cases::UserDoes;
using webhooks::Request;

Value json(const char* text) { return document::read_json(text).value(); }

/// A reconciler that asks for one thing, whatever is stored.
webhooks::Reconciler asking(Request::Verb verb, const char* object, bool dry_run = false) {
  return [request = Request{verb, json(object), dry_run}](const webhooks::Objects&, const Value&) {
    return webhooks::Reconciled{.requests = {request}};
  };
}
constexpr const char* kOwn = R"({"kind":"HorizontalPodAutoscaler","metadata":{"name":"model-predictor",
    "namespace":"default"},"spec":{"maxReplicas":2,"behavior":{}}})";
constexpr const char* kHeld = R"({"metadata":{"name":"model-predictor","finalizers":["a/b"]},
    "spec":{"maxReplicas":3}})";

Course run(const webhooks::Reconciler& reconciler, std::vector<cases::Step> steps,
           const char* initial = "null") {
  return run_sequence({.initial = json(initial), .steps = std::move(steps)}, reconciler);
}

TEST(Course, TheServerDefaultsWhatIsStored) {
  const auto create = asking(Request::Verb::create, kOwn);
  const Value with = run(create, {Reconcile{}}).turns.back().after.all.front()["spec"];
  EXPECT_EQ(with["minReplicas"].integer(), 1);
  EXPECT_EQ(with["metrics"].size(), 1u);
  EXPECT_EQ(with["behavior"]["scaleUp"]["policies"].size(), 2u);
  const Value without = run(create, {Reconcile{.server_defaults = false}}).turns.back().after.all.front();
  EXPECT_EQ(without["spec"], json(kOwn)["spec"]);
}

TEST(Course, WhatHasFinalizersWaitsForThem) {
  const auto remove = asking(Request::Verb::remove, kOwn);
  const Course course = run(remove, {Reconcile{}, Reconcile{}}, kHeld);
  EXPECT_FALSE(course.turns[1].after.all.front()["metadata"]["deletionTimestamp"].is_null());
  EXPECT_TRUE(course.turns[0].after.all == course.turns[1].after.all) << "twice is once";
  const auto update = asking(Request::Verb::update, kOwn);
  EXPECT_EQ(run(update, {Reconcile{}}, kHeld).turns.back().after.all.size(), 1u);
  EXPECT_TRUE(
      run(update, {UserDoes{UserDoes::Verb::remove}, Reconcile{}}, kHeld).turns.back().after.all.empty())
      << "the last finalizer is gone, and so is the object";
}

TEST(Course, ARequestTheServerRefusesIsAnError) {
  EXPECT_EQ(run(asking(Request::Verb::create, kOwn), {Reconcile{}}, kHeld).turns.back().reconciled.error,
            "AlreadyExists");
  EXPECT_EQ(run(asking(Request::Verb::update, kOwn), {Reconcile{}}).turns.back().reconciled.error,
            "NotFound");
  EXPECT_TRUE(run(asking(Request::Verb::create, kOwn, true), {Reconcile{}}).turns.back().after.all.empty())
      << "a dry run stores nothing";
}

TEST(Course, AUserActsOnTheComponentsName) {
  const auto nothing = [](const webhooks::Objects&, const Value&) { return webhooks::Reconciled{}; };
  const UserDoes create{UserDoes::Verb::create}, update{UserDoes::Verb::update},
      remove{UserDoes::Verb::remove};
  const Reconcile named{.desired = {{"name", "m"}, {"namespace", "n"}}};
  const Course course = run(nothing, {update, create, create, update, remove, named});
  EXPECT_TRUE(course.turns[0].after.all.empty());
  ASSERT_NE(course.turns[1].after.find("HorizontalPodAutoscaler", "n", "m"), nullptr);
  EXPECT_TRUE(course.turns[1].after.all == course.turns[2].after.all);
  EXPECT_EQ(course.turns[3].after.all.front()["spec"]["maxReplicas"].integer(), 10);
  EXPECT_TRUE(course.turns[4].after.all.empty());
}

TEST(Course, WhatWasSetIsPutIntoTheComponent) {
  const auto nothing = [](const webhooks::Objects&, const Value&) { return webhooks::Reconciled{}; };
  const Reconcile own{.desired = {{"annotations", {{kClassAnnotation, "keda"}}}}};
  const Course course = run(
      nothing, {own, SetClass{"external"}, own, SetClass{}, own, SetStop{true}, own, SetStop{false}, own});
  EXPECT_EQ(course.turns[0].autoscaler_class(), "keda");
  EXPECT_EQ(course.turns[2].autoscaler_class(), "external");
  EXPECT_EQ(course.turns[4].autoscaler_class(), "hpa");
  EXPECT_EQ(course.turns[6].desired["annotations"][kStopAnnotation].text(), "true");
  EXPECT_EQ(course.turns[8].desired["annotations"][kStopAnnotation].text(), "false");
  EXPECT_FALSE(course.turns[1].is_reconcile());
  EXPECT_EQ(course.turns[0].desired["name"].text(), "model-predictor");
}

TEST(DefaultAutoscaler, KeepsWhatIsGivenAndSettlesAtOnce) {
  const Value given = json(R"({"spec":{"minReplicas":3,"metrics":[{"type":"Object"}],
      "behavior":{"scaleDown":{"stabilizationWindowSeconds":60,"policies":[]},"scaleUp":null}}})");
  const Value spec = default_autoscaler(given)["spec"];
  EXPECT_EQ(spec["minReplicas"].integer(), 3);
  EXPECT_EQ(spec["metrics"], given["spec"]["metrics"]);
  EXPECT_EQ(spec["behavior"]["scaleDown"], json(R"({"stabilizationWindowSeconds":60,"selectPolicy":"Max",
      "policies":[]})"));
  EXPECT_EQ(spec["behavior"]["scaleUp"]["stabilizationWindowSeconds"].integer(), 0);
  EXPECT_EQ(default_autoscaler(default_autoscaler(given)), default_autoscaler(given));
  EXPECT_TRUE(default_autoscaler(json(R"({"spec":{}})"))["spec"]["behavior"].is_null());
}

}  // namespace
}  // namespace fixpoint::apiserver
