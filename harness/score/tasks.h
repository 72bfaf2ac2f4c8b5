#pragma once

#include <functional>
#include <vector>

namespace fixpoint::score {

using Task = std::function<void()>;

/// Does all tasks in their order on `jobs` threads, and stops early once `is_over` returns true. The results
/// do not depend on which thread does which task.
void share_out(int jobs, const std::vector<Task>& tasks, const std::function<bool()>& is_over);

}  // namespace fixpoint::score
