#include "harness/runner/loop/task_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace fixpoint::runner {
namespace {

TEST(TaskThread, DoesTasksInTheirOrder) {
  TaskThread thread;
  EXPECT_TRUE(thread.is_idle());
  std::vector<int> done;
  for (int i = 0; i < 100; ++i) thread.add([&done, i] { done.push_back(i); });
  thread.wait();
  EXPECT_TRUE(thread.is_idle());
  ASSERT_EQ(done.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
}

TEST(TaskThread, HandsOnWhatATaskThrows) {
  TaskThread thread;
  std::atomic<bool> may_throw = false, has_gone_on = false;
  thread.add([&] {
    may_throw.wait(false);
    throw std::runtime_error("a task failed");
  });
  thread.add([&] { has_gone_on = true; });
  may_throw = true;
  may_throw.notify_all();
  EXPECT_THROW(thread.wait(), std::runtime_error);
  EXPECT_FALSE(has_gone_on);
  thread.add([&] { has_gone_on = true; });
  thread.wait();
  EXPECT_TRUE(has_gone_on) << "a later task is done";
}

TEST(TaskThread, DropsTasksAtItsEnd) {
  std::atomic<bool> is_at_work = false, may_end = false;
  int done = 0;
  std::thread helper;
  {
    TaskThread thread;
    thread.add([&] {
      is_at_work = true;
      is_at_work.notify_all();
      may_end.wait(false);
      ++done;
    });
    thread.add([&] { done += 10; });
    is_at_work.wait(false);
    helper = std::thread([&] {
      may_end = true;
      may_end.notify_all();
    });
  }
  helper.join();
  EXPECT_LE(done, 11);
  EXPECT_GE(done, 1) << "the one at work was waited for";
}

}  // namespace
}  // namespace fixpoint::runner
