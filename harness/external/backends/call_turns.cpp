#include "harness/external/backends/call_turns.h"

#include <algorithm>

namespace fixpoint::external {

bool CallTurns::has_turn(std::uint64_t ticket) const {
  const auto& [first, since] = *waiting_.begin();
  return ticket == first || Clock::now() < since + kPatience;
}

void CallTurns::wait(Lock& lock, const std::function<bool()>& may_go) {
  const std::uint64_t ticket = ++last_ticket_;
  waiting_.emplace(ticket, Clock::now());
  while (alone_ != std::thread::id() || Clock::now() < kept_until_ || !has_turn(ticket) || !may_go()) {
    const auto moment = std::max(kept_until_, left_at_ + kMoment);
    if (alone_ == std::thread::id() && in_flight_ == 0 && Clock::now() < moment)
      changed_.wait_until(lock, moment);
    else
      changed_.wait(lock);
  }
  waiting_.erase(ticket);
  changed_.notify_all();
}

void CallTurns::join(Lock& lock, const std::function<bool()>& fits) {
  if (is_kept()) {
    kept_until_ = {};
    changed_.notify_all();
  }
  wait(lock, fits);
  ++in_flight_;
}

void CallTurns::leave() {
  --in_flight_;
  left_at_ = Clock::now();
  changed_.notify_all();
}

void CallTurns::be_alone(Lock& lock) {
  if (!is_alone() && !is_kept()) wait(lock, [this] { return in_flight_ == 0; });
  alone_ = std::this_thread::get_id();
  kept_until_ = {};
  ++times_alone_;
}

void CallTurns::stop_alone() {
  if (--times_alone_ > 0) return;
  kept_for_ = alone_;
  kept_until_ = Clock::now() + kMoment;
  alone_ = {};
  changed_.notify_all();
}

}  // namespace fixpoint::external
