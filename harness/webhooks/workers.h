#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fixpoint::webhooks {

/// A pool of threads that start tasks in the order of arrival. If a task finds no idle thread, a new one is
/// started, up to `threads_max`; further tasks wait.
class Workers {
 public:
  explicit Workers(std::size_t threads_max);
  /// Calls stop().
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Queues a task. Returns false, and drops the task, after stop().
  bool run(std::function<void()> task);
  /// Runs all queued tasks, and joins the threads.
  void stop();

 private:
  void work();

  const std::size_t threads_max_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool is_stopping_ = false;
};

}  // namespace fixpoint::webhooks
