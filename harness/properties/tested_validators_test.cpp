#include "harness/properties/tested_validators.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/properties/one_webhook_test.h"

namespace fixpoint::properties {
namespace {

using webhooks::Answer;
using webhooks::Call;

/// A Case that creates a Widget of that size, with a mutating webhook c/a.b.c and a validating one v/a.b.c.
cases::Case judged_widget(int size) {
  cases::Case value = of_one_webhook(cases::InjectorName{"test"}, "{}");
  become_widget(value);
  value.request.object.edit("spec").set("size", size);
  add_validator(value);
  return value;
}

/// A manager that sets 1 for absent replicas and judges by `validate`.
webhooks::Handler manager(Answer (*validate)(const Call& call)) {
  return [=](const Call& call) {
    if (call.webhook == "v/a.b.c") return validate(call);
    if (!call.object["spec"]["replicas"].is_null()) return webhooks::allow();
    Value widget = call.object;
    widget.edit("spec").set("replicas", 1);
    return webhooks::allow_change(call.object, widget);
  };
}
Answer refuse() { return webhooks::deny(422, "Invalid", "size is wrong"); }

TEST(TestedValidators, AreTheCasesOwn) {
  cases::Case value = judged_widget(1);
  ASSERT_EQ(tested_validators(value).size(), 1U);
  EXPECT_EQ(tested_validators(value)[0].key, "v/a.b.c");
  value.neighbours = {"v"};
  EXPECT_TRUE(tested_validators(value).empty());
}

TEST(TestedValidators, OneThatPanicsIsBlamedItself) {
  const auto panicking = manager([](const Call&) {
    return webhooks::deny(500, "InternalError", "panic: index out of range [recovered]");
  });
  const auto violations = violations_of("answers", judged_widget(1), panicking);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].webhook, "v/a.b.c");
  EXPECT_EQ(violations[0].symptom, "panic");
  cases::Case of_another = judged_widget(1);
  of_another.neighbours = {"v"};
  EXPECT_TRUE(violations_of("answers", of_another, panicking).empty());
  EXPECT_TRUE(
      violations_of("answers", judged_widget(1), manager([](const Call&) { return refuse(); })).empty());
}

TEST(TestedValidators, TheChangeThatOneRefusesIsNamed) {
  const auto refusing_one = manager([](const Call& call) {
    const bool is_wrong =
        call.object["spec"]["replicas"].integer() == 1 && call.object["spec"]["size"].integer() == 0;
    return is_wrong ? refuse() : webhooks::allow();
  });
  const auto violations = violations_of("admitted-by-cluster", judged_widget(0), refusing_one);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].webhook, "c/a.b.c");
  EXPECT_EQ(violations[0].path, "spec.replicas");
  EXPECT_EQ(violations[0].symptom, "refused-by-judge");
  EXPECT_EQ(violations[0].severity, Severity::error);
  EXPECT_TRUE(violations_of("admitted-by-cluster", judged_widget(2), refusing_one).empty());
}

TEST(TestedValidators, OneThatKeepsADyingObjectIsAWarning) {
  const auto keeping = manager([](const Call& call) {
    return call.object["spec"]["size"].integer() == 0 ? refuse() : webhooks::allow();
  });
  const auto violations = violations_of("old-objects-live", judged_widget(0), keeping);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].webhook, "v/a.b.c");
  EXPECT_EQ(violations[0].severity, Severity::warning);
  EXPECT_NE(violations[0].reason.find("the removal of a finalizer of an object from before the webhook"),
            std::string::npos)
      << violations[0].reason;
  EXPECT_TRUE(violations_of("old-objects-live", judged_widget(1), keeping).empty());
  const auto letting_go = manager([](const Call& call) {
    const bool is_dying = !call.object["metadata"]["deletionTimestamp"].is_null();
    return call.object["spec"]["size"].integer() == 0 && !is_dying ? refuse() : webhooks::allow();
  });
  EXPECT_TRUE(violations_of("old-objects-live", judged_widget(0), letting_go).empty());
}

// The place is the annotation, also where it is the first and brings the map.
TEST(TestedValidators, AnOldObjectIsRefusedForTheChangeThatTheJudgeKnows) {
  const webhooks::Handler adding = [](const Call& call) {
    if (call.webhook == "v/a.b.c") {
      const bool is_added = call.request.is_update() &&
                            call.object["metadata"]["annotations"]["a"].is_string() &&
                            call.old_object["metadata"]["annotations"]["a"].is_null();
      return is_added ? refuse() : webhooks::allow();
    }
    Value widget = call.object;
    widget.edit("metadata").edit("annotations").set("a", "b");
    widget.edit("spec").set("replicas", 1);
    return webhooks::allow_change(call.object, widget);
  };
  const auto violations = violations_of("old-objects-live", judged_widget(1), adding);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].path, "metadata.annotations.a");
}

}  // namespace
}  // namespace fixpoint::properties
