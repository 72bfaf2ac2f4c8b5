#include <gtest/gtest.h>

#include "harness/properties/one_webhook_test.h"

namespace fixpoint::properties {
namespace {

/// A Case of a Deployment whose webhook is asked about Deployments and about Pods.
cases::Case of_deployment() {
  auto value = of_one_webhook({}, R"({"apiVersion":"apps/v1","kind":"Deployment",
      "metadata":{"name":"d","namespace":"default"},"spec":{"replicas":2,
      "selector":{"matchLabels":{"app":"d"}},"template":{"metadata":{"labels":{"app":"d"}},
      "spec":{"containers":[{"name":"main","image":"x:1"}]}}}})");
  Value& rules = value.cluster.objects.front().edit("webhooks").edit(0).edit("rules");
  Value of_deployments = rules.at(0);
  of_deployments.set("apiGroups", Value::list({"apps"}));
  of_deployments.set("resources", Value::list({"deployments"}));
  rules.push_back(of_deployments);
  return value;
}

Value& pod_in(Value& object) {
  return object["kind"].text() == "Pod" ? object : object.edit("spec").edit("template");
}

std::vector<Violation> reported(const char* property, void (*change)(Value& object),
                                const cases::Case& value = of_deployment()) {
  return violations_of(property, value, changing([&](Value& object, int) { change(object); }));
}

void count_replicas(Value& object) {
  const std::string count = std::to_string(object["spec"]["replicas"].integer().value_or(0));
  pod_in(object).edit("metadata").edit("annotations").set("count", count);
}

void copy_annotations(Value& object) {
  const Value all = object["metadata"]["annotations"];
  for (const auto& one : all.members())
    pod_in(object).edit("metadata").edit("annotations").set(one.key.text(), one.value);
}

void label(Value& object) { pod_in(object).edit("metadata").edit("labels").set("team", "a"); }

void trace(Value& object) {
  pod_in(object).edit("spec").edit("containers").edit(0).edit("args").push_back("--trace");
}

void trace_once(Value& object) {
  if (pod_in(object)["spec"]["containers"].at(0)["args"].empty()) trace(object);
}

TEST(PodTemplates, ATemplateThatFollowsTheScaleIsReported) {
  const auto violations = reported("template-stable", count_replicas);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations.front().path, "spec.template.metadata.annotations.count");
  EXPECT_EQ(violations.front().value.text(), "3");
}

TEST(PodTemplates, ATemplateThatFollowsFromItselfIsStable) {
  EXPECT_TRUE(reported("template-stable", label).empty());
}

/// A webhook that copies the change itself copies it once.
TEST(PodTemplates, ACopyOfTheChangeIsNoInstability) {
  EXPECT_TRUE(reported("template-stable", copy_annotations).empty());
}

TEST(PodTemplates, AChangeMadeTwiceIsReported) {
  const auto violations = reported("once-per-pod", trace);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations.front().path, "spec.containers[main].args[*]");
  EXPECT_TRUE(reported("once-per-pod", trace_once).empty());
}

/// Pods of a template come from its controller, whoever wrote the workload.
TEST(PodTemplates, TheirPodsAreCreatedByTheController) {
  const auto guarded = [](std::string_view account) {
    return [account](const webhooks::Call& call) {
      Value object = call.object;
      const bool is_pod = object["kind"].text() == "Pod";
      if (is_pod && cases::user_of(call.request).username != account)
        return webhooks::deny(403, "", "not you");
      label(object);
      return webhooks::allow_change(call.object, object);
    };
  };
  constexpr std::string_view kController = "system:serviceaccount:kube-system:replicaset-controller";
  const auto judged = [&](std::string_view account) {
    return judgement_of("once-per-pod", of_deployment(), guarded(account));
  };
  EXPECT_TRUE(std::holds_alternative<Held>(judged(kController)));
  EXPECT_FALSE(std::holds_alternative<Held>(judged("kubernetes-admin"))) << "never called with success";
}

TEST(PodTemplates, APodIsNotAskedAboutThem) {
  auto value = of_deployment();
  value.request.object = document::read_json(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},
      "spec":{"containers":[{"name":"main","image":"x"}]}})")
                             .value();
  const auto tracing = changing([](Value& object, int) { trace(object); });
  for (const char* property : {"template-stable", "once-per-pod"})
    EXPECT_TRUE(std::holds_alternative<Skipped>(judgement_of(property, value, tracing))) << property;
}

}  // namespace
}  // namespace fixpoint::properties
