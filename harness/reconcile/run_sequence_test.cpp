#include "harness/reconcile/run_sequence.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"

namespace fixpoint::reconcile {
namespace {

using cases::reconcile_step;

Value json(const char* text) { return document::read_json(text).value(); }

constexpr const char* kOwn = R"({"kind":"HorizontalPodAutoscaler","metadata":{"name":"model-predictor",
    "namespace":"default"},"spec":{"maxReplicas":2,"behavior":{}}})";
constexpr const char* kHeld = R"({"metadata":{"name":"model-predictor","finalizers":["a/b"]},
    "spec":{"maxReplicas":3}})";

constexpr StepKind kKinds[] = {
    {.reader = {"label", nullptr},
     .edit = [](Value& desired, const Value& value) { desired.edit("labels").set("l", value); }},
    {.reader = {"delete", nullptr},
     .act = [](ObjectStore& store, const Value&,
               const cases::ComponentName&) { store.apply({Request::Verb::remove, json(kOwn)}, true); }},
    {.reader = {"forget", nullptr},
     .act =
         [](ObjectStore& store, const Value&, const cases::ComponentName&) {
           const Objects all = store.objects();
           for (const Value& one : all.all) store.apply({Request::Verb::remove, one}, true);
         }},
};

/// A reconciler that asks for one thing, whatever is stored.
Reconciler asking(Request::Verb verb, const char* object, bool dry_run = false) {
  return {.reconcile = [request = Request{verb, json(object), dry_run}](
                           const Objects&, const Value&) { return Reconciled{.requests = {request}}; },
          .steps = kKinds};
}

std::vector<StepResult> run(const Reconciler& reconciler, std::vector<cases::Step> steps,
                            const char* initial = "null") {
  return run_sequence({.initial = json(initial), .steps = std::move(steps)}, reconciler);
}

TEST(RunSequence, TheServerDefaultsWhatIsStored) {
  const auto create = asking(Request::Verb::create, kOwn);
  const Value with = run(create, {reconcile_step()}).back().after.all.front()["spec"];
  EXPECT_EQ(with["minReplicas"].integer(), 1);
  EXPECT_EQ(with["metrics"].size(), 1u);
  EXPECT_EQ(with["behavior"]["scaleUp"]["policies"].size(), 2u);
  const Value without = run(create, {reconcile_step(Value::empty_object(), false)}).back().after.all.front();
  EXPECT_EQ(without["spec"], json(kOwn)["spec"]);
}

TEST(RunSequence, WhatHasFinalizersWaitsForThem) {
  const auto remove = asking(Request::Verb::remove, kOwn);
  const std::vector<StepResult> results = run(remove, {reconcile_step(), reconcile_step()}, kHeld);
  EXPECT_FALSE(results[1].after.all.front()["metadata"]["deletionTimestamp"].is_null());
  EXPECT_TRUE(results[0].after.all == results[1].after.all) << "twice is once";
  const auto update = asking(Request::Verb::update, kOwn);
  EXPECT_EQ(run(update, {reconcile_step()}, kHeld).back().after.all.size(), 1u);
  EXPECT_TRUE(run(update, {{"delete", true}, reconcile_step()}, kHeld).back().after.all.empty())
      << "the last finalizer is gone, and so is the object";
}

TEST(RunSequence, ARequestTheServerRefusesIsAnError) {
  EXPECT_EQ(run(asking(Request::Verb::create, kOwn), {reconcile_step()}, kHeld).back().reconciled.error,
            "AlreadyExists");
  EXPECT_EQ(run(asking(Request::Verb::update, kOwn), {reconcile_step()}).back().reconciled.error, "NotFound");
  EXPECT_TRUE(run(asking(Request::Verb::create, kOwn, true), {reconcile_step()}).back().after.all.empty())
      << "a dry run stores nothing";
}

TEST(RunSequence, AnAutoscalerThatTheServerFindsInvalidIsAnError) {
  const auto create =
      asking(Request::Verb::create, R"({"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler",
      "metadata":{"name":"m","namespace":"default"},"spec":{"maxReplicas":1,
      "scaleTargetRef":{"apiVersion":"apps/v1","name":"m"}}})");
  const auto last = run(create, {reconcile_step()}).back();
  EXPECT_EQ(last.reconciled.error,
            "Invalid: HorizontalPodAutoscaler.autoscaling \"m\" is invalid: spec.scaleTargetRef.kind: "
            "Required value");
  EXPECT_TRUE(last.after.all.empty());
  EXPECT_EQ(run(create, {reconcile_step(Value::empty_object(), false)}).back().reconciled.error, "")
      << "a client that does not default does not validate";
}

TEST(RunSequence, AStepActsAtOnceAndSetsForLater) {
  const auto results = run(asking(Request::Verb::update, kOwn),
                           {reconcile_step(),
                            {"label", "a"},
                            {"unknown", 1},
                            reconcile_step(),
                            {"label", "b"},
                            {"forget", true},
                            reconcile_step({{"name", "m"}})},
                           kHeld);
  ASSERT_EQ(results.size(), 7u);
  EXPECT_TRUE(results[0].desired["labels"].is_null());
  EXPECT_EQ(results[0].desired["name"].text(), "model-predictor");
  EXPECT_EQ(results[3].desired["labels"]["l"].text(), "a");
  EXPECT_EQ(results[6].desired["labels"]["l"].text(), "b") << "the last of its kind";
  EXPECT_EQ(results[6].desired["name"].text(), "m");
  EXPECT_FALSE(results[1].is_reconcile());
  EXPECT_TRUE(results[1].before.all == results[1].after.all);
  EXPECT_FALSE(results[5].before.all.empty());
  EXPECT_TRUE(results[5].after.all.empty());
}

}  // namespace
}  // namespace fixpoint::reconcile
