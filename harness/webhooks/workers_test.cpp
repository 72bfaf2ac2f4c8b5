#include "harness/webhooks/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

namespace fixpoint::webhooks {
namespace {

TEST(Workers, RunAllTasksAndNoMoreAtATimeThanTheirThreads) {
  std::atomic<int> together{0}, most{0}, done{0};
  Workers workers(3);
  for (int i = 0; i < 200; ++i) {
    EXPECT_TRUE(workers.run([&] {
      const int here = ++together;
      for (int seen = most; seen < here && !most.compare_exchange_weak(seen, here);) continue;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      --together;
      ++done;
    }));
  }
  workers.stop();
  EXPECT_EQ(done, 200);
  EXPECT_LE(most, 3);
  EXPECT_GT(most, 1);
  EXPECT_FALSE(workers.run([&] { ++done; }));
  EXPECT_EQ(done, 200);
}

TEST(Workers, StartAThreadForATaskThatWouldWaitForAnother) {
  Workers workers(2);
  std::atomic<bool> second{false};
  std::atomic<bool> saw{false};
  workers.run([&] {
    for (int i = 0; i < 5000 && !second; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    saw = second.load();
  });
  workers.run([&] { second = true; });
  workers.stop();
  EXPECT_TRUE(saw);
}

}  // namespace
}  // namespace fixpoint::webhooks
