#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace fixpoint::runner {

/// A thread that does one task after the other, in the order in which they were added.
class TaskThread {
 public:
  TaskThread();
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;
  /// Waits for the task at work, and drops those behind it.
  ~TaskThread();

  void add(std::function<void()> task);
  /// Returns true if no task is left.
  bool is_idle() const;
  /// Returns once no task is left; throws what a task threw, after which the others were dropped.
  void wait();

 private:
  void work();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_ = {};  ///< the first one is at work
  std::exception_ptr thrown_ = {};
  bool is_over_ = false;
  std::thread thread_;  ///< last, since it uses the others
};

}  // namespace fixpoint::runner
