#include "harness/score/tasks.h"

#include <atomic>
#include <thread>

namespace fixpoint::score {

void share_out(int jobs, const std::vector<Task>& tasks, const std::function<bool()>& is_over) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next.fetch_add(1); i < tasks.size() && !is_over(); i = next.fetch_add(1)) tasks[i]();
  };
  std::vector<std::thread> helpers;
  for (int job = 1; job < jobs; ++job) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace fixpoint::score
