#include <gtest/gtest.h>

#include <string>

#include "harness/properties/one_webhook_test.h"

/// Calls on copies of a webhook's own output: under another name, and without its annotations.
namespace fixpoint::properties {
namespace {

constexpr const char* kCopiedPod =
    R"({"metadata":{"name":"web"},"spec":{"containers":[{"name":"main","image":"x:1"}]}})";
const cases::Backend kCopyHandler = cases::InjectorName{"test/handler"};

Value* element_named(Value& list, std::string_view name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list.at(i)["name"].text() == name) return &list.edit(i);
  return nullptr;
}

/// Adds a sidecar, or finds it, and returns its list of variables.
Value& env_of_sidecar(Value& pod) {
  Value& containers = pod.edit("spec").edit("containers");
  if (element_named(containers, "proxy") == nullptr)
    containers.push_back({{"name", "proxy"}, {"image", "p:1"}});
  return element_named(containers, "proxy")->edit("env");
}

TEST(Copies, MayGetWhatDependsOnTheirName) {
  const auto keeps_up_to_date = changing([](Value& pod, int) {
    const Value name = pod["metadata"]["name"];
    Value& env = env_of_sidecar(pod);
    if (Value* there = element_named(env, "WORKLOAD")) return there->set("value", name);
    env.push_back({{"name", "WORKLOAD"}, {"value", name}});
  });
  EXPECT_TRUE(
      violations_of("idempotent", of_one_webhook(kCopyHandler, kCopiedPod), keeps_up_to_date).empty());
}

TEST(Copies, LeaveNothingOfTheOldNameBehind) {
  const auto appends = changing([](Value& pod, int) {
    const std::string name(pod["metadata"]["name"].text());
    Value& env = env_of_sidecar(pod);
    if (element_named(env, "WORKLOAD_" + name) == nullptr)
      env.push_back({{"name", "WORKLOAD_" + name}, {"value", "1"}});
  });
  EXPECT_EQ(violations_of("idempotent", of_one_webhook(kCopyHandler, kCopiedPod), appends).size(), 1u);
}

TEST(Copies, MayHaveOtherValuesOnlyByTheirName) {
  const auto counts = changing([](Value& pod, int) {
    const std::string name(pod["metadata"]["name"].text());
    Value& env = env_of_sidecar(pod);
    Value* there = element_named(env, "WORKLOAD");
    if (there == nullptr) return env.push_back({{"name", "WORKLOAD"}, {"value", name}});
    const std::string had((*there)["value"].text());
    if (had != name && !had.ends_with("," + name)) there->set("value", had + "," + name);
  });
  const auto violations = violations_of("idempotent", of_one_webhook(kCopyHandler, kCopiedPod), counts);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].verdict, "growing");
}

TEST(Copies, WithoutTheWebhooksAnnotationAreObserved) {
  const auto guarded = changing([](Value& pod, int) {
    Value& annotations = pod.edit("metadata").edit("annotations");
    if (!annotations["inject.example.io/status"].is_null()) return;
    annotations.set("inject.example.io/status", "injected");
    pod.edit("spec").edit("tolerations").push_back({{"key", "k"}, {"operator", "Exists"}});
  });
  const auto judgement = judgement_of("idempotent", of_one_webhook(kCopyHandler, kCopiedPod), guarded);
  EXPECT_TRUE(violations_in(judgement).empty()) << "nobody takes one annotation away and leaves the rest";
  const auto& seen = observations_of(judgement);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].kind, "annotation-guard");
  EXPECT_EQ(seen[0].path, "metadata.annotations[inject.example.io/status]");
}

TEST(Copies, MayHaveTheWebhooksOwnVariableAtAnotherPlace) {
  const auto moves = changing([](Value& pod, int) {
    Value& env = env_of_sidecar(pod);
    erase_if(env.edit_elements(), [](const Value& one) { return one["name"].text() == "WORKLOAD"; });
    env.push_back({{"name", "WORKLOAD"}, {"value", "web"}});
  });
  constexpr const char* kOwn = R"({"metadata":{"name":"web"},"spec":{"containers":[{"name":"proxy",
      "image":"x:1","env":[{"name":"WORKLOAD","value":"web"},{"name":"A","value":"1"}]}]}})";
  EXPECT_TRUE(violations_of("preserves-order", of_one_webhook(kCopyHandler, kOwn), moves).empty());
}

}  // namespace
}  // namespace fixpoint::properties
