#include <gtest/gtest.h>

#include "harness/properties/one_webhook_test.h"

/// What a violation says is true of the Pods that it speaks of.
namespace fixpoint::properties {
namespace {

constexpr const char* kSmallPod =
    R"({"metadata":{"name":"p","annotations":{"log":"a"}},
        "spec":{"containers":[{"name":"main","image":"x"}]}})";

std::vector<Violation> told_of(const char* property, void (*change)(Value& pod)) {
  return told_by(property, of_one_webhook(cases::InjectorName{"a"}, kSmallPod),
                 changing([change](Value& pod, int) { change(pod); }));
}

void lengthen_text(Value& pod) {
  Value& annotations = pod.edit("metadata").edit("annotations");
  annotations.set("log", std::string(annotations["log"].text()) + ",x");
}

void add_volume(Value& pod) {
  Value& volumes = pod.edit("spec").edit("volumes");
  if (!volumes.is_array()) volumes = Value::empty_list();
  volumes.push_back({{"name", "logs"}, {"emptyDir", Value::empty_object()}});
}

TEST(Sentences, AGrowingTextIsMeasuredInCharacters) {
  const auto violations = told_of("bounded-growth", lengthen_text);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(
      violations[0].because,
      "metadata.annotations.log grows with every call: 3 characters after the first, 5 characters after "
      "the second");
}

TEST(Sentences, AGrowingListIsMeasuredInElements) {
  const auto violations = told_of("bounded-growth", add_volume);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].because,
            "spec.volumes grows with every call: 1 element after the first, 2 elements after the second");
}

TEST(Sentences, WhatNeverSettlesIsToldOfTheFinalPod) {
  const auto violations = told_of("converges", add_volume);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].verdict, "growing");
  EXPECT_EQ(violations[0].because, "after both passes a.b.c still changes spec.volumes[1]")
      << "the final Pod has one volume";
}

}  // namespace
}  // namespace fixpoint::properties
