#include <gtest/gtest.h>

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
      violations.front().because,
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

}  // namespace
}  // namespace fixpoint::properties
