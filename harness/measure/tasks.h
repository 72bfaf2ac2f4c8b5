#pragma once

#include <functional>
#include <vector>

namespace fixpoint::measure {

using Task = std::function<void()>;

/// Does all tasks on so many threads, in their order, until that is over; the results do not depend on who
/// does which.
void share_out(int jobs, const std::vector<Task>& tasks, const std::function<bool()>& is_over);

}  // namespace fixpoint::measure
