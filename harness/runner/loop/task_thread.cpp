#include "harness/runner/loop/task_thread.h"

#include <utility>

namespace fixpoint::runner {

TaskThread::TaskThread() : thread_([this] { work(); }) {}

TaskThread::~TaskThread() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void TaskThread::add(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  changed_.notify_all();
}

bool TaskThread::is_idle() const {
  const std::lock_guard lock(mutex_);
  return tasks_.empty();
}

void TaskThread::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return tasks_.empty(); });
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void TaskThread::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_over_ || !tasks_.empty(); });
    if (is_over_) return;
    const auto task = tasks_.front();
    lock.unlock();
    std::exception_ptr thrown;
    try {
      task();
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    tasks_.pop_front();
    if (thrown) {
      thrown_ = thrown;
      tasks_.clear();
    }
    changed_.notify_all();
  }
}

}  // namespace fixpoint::runner
