#include <gtest/gtest.h>

#include <functional>

#include "harness/apiserver/registry/sizes.h"
#include "harness/properties/one_webhook_test.h"

namespace fixpoint::properties {
namespace {

constexpr const char* kPodToEnlarge =
    R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1"}]}})";

/// A webhook that writes a value of so many bytes.
webhooks::Handler writing(std::size_t bytes) {
  return changing([bytes](Value& pod, int) {
    pod.edit("spec")
        .edit("containers")
        .edit(0)
        .set("env", Value::list({Value{{"name", "BUNDLE"}, {"value", std::string(bytes, 'x')}}}));
  });
}

std::vector<Violation> found_with(std::size_t bytes, const char* pod = kPodToEnlarge) {
  return violations_of("valid-spec", of_one_webhook(cases::InjectorName{"large"}, pod), writing(bytes));
}

TEST(ValidSpec, AWebhookMakesThePodLargerThanTheStoreTakes) {
  EXPECT_TRUE(found_with(apiserver::kStoredBytesMax - 4000).empty());
  const auto violations = found_with(apiserver::kStoredBytesMax + 4000);
  ASSERT_FALSE(violations.empty());
  EXPECT_EQ(violations.front().severity, Severity::error);
  EXPECT_EQ(violations.front().webhook, "c/a.b.c");
  EXPECT_EQ(violations.front().path, "spec.containers[0].env[0].value");
  EXPECT_EQ(
      violations.front().reason,
      "the Pod has about 1540 KiB after the call, and etcd takes 1536 KiB: the API server refuses it (500)");
}

TEST(ValidSpec, APodThatIsTooLargeAlreadyIsNoWebhooksGuilt) {
  Value pod = document::read_json(kPodToEnlarge).value();
  pod.edit("spec")
      .edit("containers")
      .edit(0)
      .set("args", Value::list({std::string(apiserver::kStoredBytesMax, 'y')}));
  EXPECT_TRUE(found_with(100, document::write_json(pod).c_str()).empty());
}

constexpr const char* kPodWithPort = R"({"metadata":{"name":"p"},"spec":{"containers":[
    {"name":"main","image":"x:1","ports":[{"containerPort":80,"hostPort":8080}]}]}})";

std::vector<Violation> reported_of(const std::function<void(Value& spec)>& change) {
  const auto webhook = changing([=](Value& pod, int) { change(pod.edit("spec")); });
  return violations_of("valid-spec", of_one_webhook(cases::InjectorName{"c"}, kPodWithPort), webhook);
}

/// The server names a port of the user's, whichever change of the webhook is the reason.
TEST(ValidSpec, ThePlaceIsTheWebhooksOwnChange) {
  const auto network = reported_of([](Value& spec) { spec.set("hostNetwork", true); });
  ASSERT_EQ(network.size(), 1u);
  EXPECT_EQ(network[0].path, "spec.hostNetwork");
  EXPECT_TRUE(network[0].reason.starts_with(
      "spec.hostNetwork, which the call changed, is the reason: spec.containers[0].ports[0]."))
      << network[0].reason;
  EXPECT_EQ(network[0].symptom, "");
  const auto port = reported_of(
      [](Value& spec) { spec.edit("containers").edit(0).edit("ports").edit(0).set("hostPort", 70000); });
  ASSERT_EQ(port.size(), 1u);
  EXPECT_EQ(port[0].path, "spec.containers[0].ports[0].hostPort");
  EXPECT_NE(port[0].shape, network[0].shape);
}

/// An added namesake is what the webhook wrote, wherever it stands.
TEST(ValidSpec, ANamesakeIsItsOwnPlace) {
  for (const bool is_in_front : {false, true}) {
    const auto reported = reported_of([=](Value& spec) {
      auto& containers = spec.edit("containers").edit_elements();
      const Value added = document::read_json(R"({"name":"main","image":"y:1"})").value();
      containers.insert(is_in_front ? containers.begin() : containers.end(), added);
    });
    ASSERT_EQ(reported.size(), 1u);
    EXPECT_EQ(reported[0].path, is_in_front ? "spec.containers[0]" : "spec.containers[1].name");
  }
}

/// Two changes that only together make the Pod invalid have no place of their own.
TEST(ValidSpec, WhatNoChangeAloneExplainsKeepsTheServersPath) {
  const auto both = reported_of([](Value& spec) {
    spec.set("hostNetwork", true);
    spec.edit("containers").edit(0).edit("ports").edit(0).set("containerPort", 81);
  });
  ASSERT_FALSE(both.empty());
  EXPECT_TRUE(both[0].path.starts_with("spec.containers[0].ports[0]")) << both[0].path;
}

}  // namespace
}  // namespace fixpoint::properties
