#include <gtest/gtest.h>

#include "harness/cases/faults.h"
#include "harness/properties/one_webhook_test.h"

namespace fixpoint::properties {
namespace {

using webhooks::Answer;
using webhooks::Call;

const cases::Backend kTestWebhook = cases::InjectorName{"test/handler"};
constexpr const char* kBarePod =
    R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"x:1"}]}})";

/// Asks `answers` about a webhook whose reads fail in its first call.
std::vector<Violation> violations_under(std::string_view fault, const webhooks::Handler& webhook) {
  auto value = of_one_webhook(kTestWebhook, kBarePod);
  value.faults = {{.webhook = "c/a.b.c", .call = 1, .fault = std::string(fault)}};
  return violations_of("answers", value, webhook);
}

Answer failing_if_unread(const Call& call, const Answer& bad) {
  return call.read_fault.empty() ? webhooks::allow() : bad;
}

TEST(ReadFaults, ExcuseARefusalAndNoPanic) {
  Answer late = webhooks::fail("context deadline exceeded");
  late.timed_out = true;
  const Answer refusal = webhooks::deny(500, "InternalError", "secrets is forbidden");
  for (const std::string_view fault : cases::kReadFaults) {
    const auto under = [&](const Answer& bad) {
      return violations_under(fault, [&](const Call& call) { return failing_if_unread(call, bad); }).size();
    };
    EXPECT_EQ(under(refusal), 0u) << fault;
    EXPECT_EQ(under(late), 0u) << fault;
    EXPECT_EQ(under(webhooks::recovered("runtime error: invalid memory address")), 1u) << fault;
    EXPECT_EQ(under(webhooks::fail("the body is not JSON")), 1u) << fault;
  }
  const auto always = [&](const Call&) { return refusal; };
  EXPECT_EQ(violations_under("deny", always).size(), 0u) << "the fault changed the answer itself";
}

/// On a busy machine one of two equal calls may come too late: that says nothing about the webhook.
TEST(Silence, OnACallThatRunsOutOfItsTime) {
  const auto late_at = [](int late) {
    return [late, calls = std::make_shared<int>(0)](const webhooks::Call&) {
      webhooks::Answer answer = webhooks::allow();
      if (++*calls != late) return answer;
      answer = webhooks::fail("context deadline exceeded");
      answer.timed_out = true;
      return answer;
    };
  };
  const auto refused_at = [](int bad) {
    return [bad, calls = std::make_shared<int>(0)](const webhooks::Call&) {
      return ++*calls == bad ? webhooks::deny(403, "Forbidden", "no") : webhooks::allow();
    };
  };
  for (const char* property : {"deterministic", "dry-run-equal"}) {
    int refusals_reported = 0;
    for (int call = 2; call <= 4; ++call) {
      EXPECT_TRUE(violations_of(property, of_one_webhook(kTestWebhook, kBarePod), late_at(call)).empty())
          << property << call;
      refusals_reported += static_cast<int>(
          violations_of(property, of_one_webhook(kTestWebhook, kBarePod), refused_at(call)).size());
    }
    EXPECT_GT(refusals_reported, 0) << property << " must not overlook a refusal";
  }
}

}  // namespace
}  // namespace fixpoint::properties
