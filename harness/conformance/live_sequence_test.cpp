#include "harness/conformance/live_sequence.h"

#include <gtest/gtest.h>

#include "harness/conformance/cluster_cleanup.h"
#include "harness/conformance/cluster_verdict.h"
#include "harness/conformance/real_server_test.h"
#include "harness/conformance/sequence_vectors.h"
#include "harness/document/json.h"
#include "harness/reconcile/run_sequence.h"
#include "injectors/bundled.h"
#include "injectors/reconcilers.h"

namespace fixpoint::conformance {
namespace {

using document::Value;

constexpr const char* kWaiting = R"({"kind":"HorizontalPodAutoscaler","metadata":{"name":"model-predictor",
"namespace":"models","finalizers":["example.com/audit"],"deletionTimestamp":"2020-02-02T00:00:00Z"},
"spec":{"maxReplicas":3,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"}}})";

cases::Sequence sequence_of(const std::string& steps, const std::string& initial = "null") {
  const std::string text = R"({"apiVersion":"fixpoint/v1","kind":"Sequence","subject":"kserve/hpa@0.20.0",)"
                           R"("initial":)" +
                           initial + R"(,"steps":)" + steps + "}";
  return cases::read_sequence(document::read_json(text).value(), injectors::bundled().sequence_reader())
      .value();
}

TEST(LiveSequence, RunsInNamespacesOfItsOwn) {
  const auto run = as_run(sequence_of(R"([{"set":"keda"},{"reconcile":{"namespace":"models"}},
                                          {"reconcile":{}}])",
                                      kWaiting),
                          "own");
  ASSERT_TRUE(run) << run.error().text();
  EXPECT_EQ(run->spaces, (Spaces{{"models", "own"}, {"default", "own-2"}}));
  EXPECT_EQ(run->kinds, (std::vector<StoredKind>{autoscaler_kind(), {"ScaledObject", "keda.sh/v1alpha1"}}));
}

TEST(LiveSequence, SaysWhatNoServerDoes) {
  const struct {
    const char* steps;
    const char* initial;
    const char* says;
  } rows[] = {
      {R"([{"reconcile":{},"serverDefaults":false}])", "null", "a real server always applies its defaults"},
      {R"([{"reconcile":{}}])", R"({"metadata":{"name":"a","deletionTimestamp":"2020-01-01T00:00:00Z"}})",
       "an object without finalizers does not wait for its deletion"},
      {R"([{"reconcile":{}}])", R"({"apiVersion":"autoscaling/v1","metadata":{"name":"a"}})",
       "its initial object is of autoscaling/v1, not of autoscaling/v2"},
  };
  for (const auto& row : rows) {
    const auto run = as_run(sequence_of(row.steps, row.initial), "own");
    ASSERT_FALSE(run) << row.says;
    EXPECT_EQ(run.error().text(), row.says);
  }
}

TEST(LiveSequence, HasTypesThatNobodyElseKnows) {
  EXPECT_EQ(server_version("keda.sh/v1alpha1", "run."), "run.keda.sh/v1alpha1");
  EXPECT_EQ(own_version("run.keda.sh/v1alpha1", "run."), "keda.sh/v1alpha1");
  for (const char* kubernetes : {"v1", "apps/v1", "autoscaling/v2", "policy.k8s.io/v1"})
    EXPECT_EQ(server_version(kubernetes, "run."), kubernetes);
  const Value type = permissive_type({"ScaledObject", "keda.sh/v1alpha1"}, "run.");
  EXPECT_EQ(type["metadata"]["name"].text(), "scaledobjects.run.keda.sh");
  EXPECT_EQ(type["spec"]["versions"].at(0)["name"].text(), "v1alpha1");
}

/// The line that a server would give which does what the simulator does.
Value line_of(const cases::Sequence& sequence) {
  const auto reconciler = injectors::resolve_reconciler(sequence.subject);
  return {{"kind", "live-sequence"},
          {"id", "x"},
          {"sequence", cases::write_sequence(sequence)},
          {"steps", steps_of(reconcile::run_sequence(sequence, *reconciler))}};
}

TEST(LiveSequence, IsComparedStepByStep) {
  Value line = line_of(sequence_of(R"([{"reconcile":{}},{"set":"unknown"},{"reconcile":{}}])"));
  const ClusterVerdict same = verdict_of({.line = line});
  EXPECT_EQ(same.kind, ClusterVerdict::Kind::agrees);
  EXPECT_EQ(same.detail, "3 steps, 1 requests");
  Value& steps = line.edit("steps");
  EXPECT_EQ(steps.at(2)["error"].text(), "unknown autoscaler class type: unknown");
  steps.edit(2).set("error", "unknown autoscaler class type: in other words");
  EXPECT_EQ(verdict_of({.line = line}).kind, ClusterVerdict::Kind::agrees) << "the reason counts";
  line.edit("steps").edit(0).edit("objects").edit(0).edit("spec").set("maxReplicas", 7);
  const ClusterVerdict other = verdict_of({.line = line});
  EXPECT_EQ(other.kind, ClusterVerdict::Kind::differs);
  EXPECT_EQ(other.differences,
            std::vector<std::string>{"step 1 objects/0/spec/maxReplicas: expected 7, found 1"});
}

/// A reconciler reads from the server and writes to it; finalizers are at work, an object of KEDA's type is
/// stored, and nothing is left.
TEST_F(RealServer, RunsSequencesOnStoredObjects) {
  write("waiting.json",
        cases::canonical_text(sequence_of(
            R"([{"user":"update"},{"set":"external"},{"reconcile":{"namespace":"models"}},{"set":"hpa"},)"
            R"({"reconcile":{"namespace":"models"}},{"user":"create"},{"stop":true},)"
            R"({"reconcile":{"namespace":"models"}}])",
            kWaiting)));
  write("keda.json", cases::canonical_text(sequence_of(
                         R"([{"set":"keda"},{"reconcile":{}},{"reconcile":{"spec":{"maxReplicas":4}}},)"
                         R"({"stop":true},{"reconcile":{}},{"reconcile":{}}])")));
  const auto refused = live("keda.json", 3);
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused.front()["detail"].text(),
            "the type ScaledObject would be seen by the whole cluster: --allow-cluster-objects creates it");
  const auto events = live("--allow-cluster-objects waiting.json keda.json", 0);
  ASSERT_EQ(events.size(), 2U);
  for (const Value& event : events)
    EXPECT_EQ(event["answer"].text(), "agrees") << document::write_json(event);
  const Value& waiting = events[0]["line"]["steps"];
  EXPECT_FALSE(waiting.at(0)["objects"].at(0)["metadata"]["deletionTimestamp"].is_null());
  EXPECT_TRUE(waiting.at(2)["objects"].empty()) << "the update without finalizers ends its waiting";
  const Value& keda = events[1]["line"]["steps"];
  EXPECT_EQ(keda.at(2)["objects"].at(0)["spec"]["maxReplicaCount"].text(), "4");
  EXPECT_TRUE(keda.at(4)["objects"].empty());
  for (const std::string& collection : {std::string("/apis/autoscaling/v2/horizontalpodautoscalers"),
                                        std::string("/api/v1/namespaces"), std::string(kTypesPath)})
    EXPECT_TRUE(left(collection).empty()) << collection;
}

}  // namespace
}  // namespace fixpoint::conformance
