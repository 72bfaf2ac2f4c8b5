#include "harness/program/watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace fixpoint::program {
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

/// Answers late in its first calls, so many of them.
webhooks::Handler late(int calls, int& made) {
  return [calls, &made](const webhooks::Call&) {
    if (made++ < calls) std::this_thread::sleep_for(std::chrono::milliseconds(550));
    return webhooks::allow();
  };
}

TEST(Watch, TakesAWebhookForSlowWhenThreeMoreCallsAreSlowToo) {
  Watch watch;
  int made = 0;
  call(watch.watched(late(4, made)));
  EXPECT_EQ(made, 4);
  const auto timed = watch.timed();
  EXPECT_EQ(timed.at("c/w").calls, 1U);
  EXPECT_GE(timed.at("c/w").seconds, 0.55);
  EXPECT_EQ(timed.at("c/w").seconds_budget, 0.5);
  EXPECT_NE(account_of(timed).find("within-budget: c/w: four equal calls took 0."), std::string::npos);
}

TEST(Watch, TakesOneSlowCallForTheMachines) {
  Watch watch;
  int made = 0;
  call(watch.watched(late(1, made)));
  EXPECT_EQ(made, 2) << "the second one clears it";
  EXPECT_EQ(account_of(watch.timed()), "");
}

TEST(Watch, CountsTimeouts) {
  Watch watch;
  const auto handler = watch.watched([](const webhooks::Call& one) {
    webhooks::Answer answer = webhooks::fail("late");
    answer.timed_out = one.timeout_seconds == 2;
    return answer;
  });
  call(handler, 2);
  call(handler, 3);
  EXPECT_EQ(account_of(watch.timed()), "within-budget: c/w: 1 of 2 calls had no answer within 2 s\n");
}

TEST(Watch, MakesNoCallWhenTheRunIsOver) {
  Watch watch;
  bool is_over = false;
  int made = 0;
  watch.stop_when([&] { return is_over; });
  const auto handler = watch.watched(late(0, made));
  const auto before = Watch::withheld();
  EXPECT_EQ(call(handler).problem, "");
  EXPECT_EQ(Watch::withheld(), before);
  is_over = true;
  EXPECT_NE(call(handler).problem, "");
  EXPECT_EQ(made, 1);
  EXPECT_EQ(Watch::withheld(), before + 1);
}

TEST(Watch, HurriesWhileItLearns) {
  Watch watch;
  int longest = 0;
  const auto handler = watch.watched([&](const webhooks::Call& one) {
    longest = one.timeout_seconds;
    return webhooks::allow();
  });
  watch.hurry(2);
  call(handler, 10);
  EXPECT_EQ(longest, 2);
  EXPECT_TRUE(watch.timed().empty()) << "what is learned is not timed";
  watch.hurry(0);
  call(handler, 10);
  EXPECT_EQ(longest, 10);
}

}  // namespace
}  // namespace fixpoint::program
