#include "harness/external/backends/call_monitor.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace fixpoint::external {
namespace {

webhooks::Answer call(const webhooks::Handler& handler, int timeout_seconds = 1) {
  const document::Value none;
  const cases::Request request;
  const cases::Cluster cluster;
  return handler({.object = none,
                  .old_object = none,
                  .request = request,
                  .cluster = cluster,
                  .webhook = "c/w",
                  .review_version = "v1",
                  .uid = "u",
                  .name = "p",
                  .timeout_seconds = timeout_seconds});
}

/// Returns a handler whose first `calls` answers are late.
webhooks::Handler late(int calls, int& made) {
  return [calls, &made](const webhooks::Call&) {
    if (made++ < calls) std::this_thread::sleep_for(std::chrono::milliseconds(550));
    return webhooks::allow();
  };
}

TEST(CallMonitor, TakesAWebhookForSlowWhenThreeMoreCallsAreSlowToo) {
  CallMonitor monitor;
  int made = 0;
  call(monitor.monitored(late(4, made)));
  EXPECT_EQ(made, 4);
  const auto timed = monitor.timed();
  EXPECT_EQ(timed.at("c/w").calls, 1U);
  EXPECT_GE(timed.at("c/w").seconds, 0.55);
  EXPECT_EQ(timed.at("c/w").seconds_budget, 0.5);
  EXPECT_NE(account_of(timed).find("within-budget: c/w: four equal calls took 0."), std::string::npos);
}

TEST(CallMonitor, TakesOneSlowCallForTheMachines) {
  CallMonitor monitor;
  int made = 0;
  call(monitor.monitored(late(1, made)));
  EXPECT_EQ(made, 2) << "the second one clears it";
  EXPECT_EQ(account_of(monitor.timed()), "");
}

TEST(CallMonitor, SaysHowManyCallsWereMadeInASecond) {
  CallMonitor monitor;
  int made = 0;
  EXPECT_EQ(rate_of(monitor.timed(), 2), "");
  for (int i = 0; i < 5; ++i) call(monitor.monitored(late(0, made)));
  EXPECT_EQ(rate_of(monitor.timed(), 2), "calls: 5 in 2.0 s, 3 a second\n");
}

TEST(CallMonitor, CountsTimeouts) {
  CallMonitor monitor;
  const auto handler = monitor.monitored([](const webhooks::Call& one) {
    webhooks::Answer answer = webhooks::fail("late");
    answer.timed_out = one.timeout_seconds == 2;
    return answer;
  });
  call(handler, 2);
  call(handler, 3);
  EXPECT_EQ(account_of(monitor.timed()), "within-budget: c/w: 1 of 2 calls had no answer within 2 s\n");
}

TEST(CallMonitor, SaysTheTimeThatACallReallyHad) {
  CallMonitor monitor;
  monitor.limit_calls(1500);
  const auto handler = monitor.monitored([](const webhooks::Call&) {
    webhooks::Answer answer = webhooks::fail("late");
    answer.timed_out = true;
    return answer;
  });
  call(handler, 10);
  EXPECT_EQ(account_of(monitor.timed()), "within-budget: c/w: 1 of 1 calls had no answer within 1500 ms\n");
  call(handler, 1);
  EXPECT_EQ(account_of(monitor.timed()), "within-budget: c/w: 2 of 2 calls had no answer within 1 s\n");
}

TEST(CallMonitor, MakesNoCallWhenTheRunIsOver) {
  CallMonitor monitor;
  bool is_over = false;
  int made = 0;
  monitor.stop_when([&] { return is_over; });
  const auto handler = monitor.monitored(late(0, made));
  const auto before = CallMonitor::skipped_calls();
  EXPECT_EQ(call(handler).problem, "");
  EXPECT_EQ(CallMonitor::skipped_calls(), before);
  is_over = true;
  EXPECT_NE(call(handler).problem, "");
  EXPECT_EQ(made, 1);
  EXPECT_EQ(CallMonitor::skipped_calls(), before + 1);
}

TEST(CallMonitor, MakesNoCallInAPause) {
  CallMonitor monitor;
  int made = 0;
  const auto handler = monitor.monitored(late(0, made));
  const auto before = CallMonitor::skipped_calls();
  {
    const auto pause = CallMonitor::pause();
    EXPECT_NE(call(handler).problem, "");
    std::jthread([&] { EXPECT_EQ(call(handler).problem, "") << "the pause is another thread's"; });
  }
  EXPECT_EQ(call(handler).problem, "");
  EXPECT_EQ(made, 2);
  EXPECT_EQ(CallMonitor::skipped_calls(), before + 1);
}

TEST(CallMonitor, HurriesWhileItLearns) {
  CallMonitor monitor;
  int longest = 0;
  const auto handler = monitor.monitored([&](const webhooks::Call& one) {
    longest = one.timeout_seconds;
    return webhooks::allow();
  });
  monitor.bound_calls(2);
  call(handler, 10);
  EXPECT_EQ(longest, 2);
  EXPECT_TRUE(monitor.timed().empty()) << "what is learned is not timed";
  monitor.bound_calls(0);
  call(handler, 10);
  EXPECT_EQ(longest, 10);
}

}  // namespace
}  // namespace fixpoint::external
