#include "harness/webhooks/workers.h"

#include <algorithm>
#include <utility>

namespace fixpoint::webhooks {

Workers::Workers(std::size_t threads_max) : threads_max_(std::max<std::size_t>(threads_max, 1)) {}

Workers::~Workers() { stop(); }

bool Workers::run(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (is_stopping_) return false;
    tasks_.push_back(std::move(task));
    if (tasks_.size() > idle_ && threads_.size() < threads_max_) {
      threads_.emplace_back([this] { work(); });
      return true;
    }
  }
  changed_.notify_one();
  return true;
}

void Workers::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [&] { return is_stopping_ || !tasks_.empty(); });
    --idle_;
    if (tasks_.empty()) return;
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace fixpoint::webhooks
