#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace fixpoint::external {

/// Lets calls be made side by side where they agree, or one of them alone. One that may go overtakes those
/// before it, as long as the first of them has not waited for kPatience: calls on one cluster are made
/// together.
class CallTurns {
 public:
  using Lock = std::unique_lock<std::mutex>;

  /// Waits until it is this call's turn, nobody is alone, and `fits`, which is asked with the lock held.
  void join(Lock& lock, const std::function<bool()>& fits);
  void leave();
  /// Waits until no call is being made. From then on only this thread's calls are, until stop_alone(); it may
  /// be alone several times at once.
  void be_alone(Lock& lock);
  /// For a moment the same thread finds the place as it left it: a Case makes several calls.
  void stop_alone();
  bool is_alone() const { return alone_ == std::this_thread::get_id(); }
  std::size_t in_flight() const { return in_flight_; }
  /// Returns true if no call was made for a moment: those of the Cases on this cluster have ended, and it may
  /// become another one.
  bool has_rested() const { return Clock::now() >= left_at_ + kMoment; }

 private:
  using Clock = std::chrono::steady_clock;
  /// The time between two calls of one Case.
  static constexpr std::chrono::milliseconds kMoment{3};

  /// The time for which the first that waits is overtaken by calls that may go.
  static constexpr std::chrono::milliseconds kPatience{300};

  void wait(Lock& lock, const std::function<bool()>& may_go);
  bool has_turn(std::uint64_t ticket) const;
  bool is_kept() const { return kept_for_ == std::this_thread::get_id() && Clock::now() < kept_until_; }

  std::condition_variable changed_ = {};
  std::uint64_t last_ticket_ = 0;
  std::map<std::uint64_t, Clock::time_point> waiting_ = {};  ///< tickets, by when they came
  std::size_t in_flight_ = 0;
  std::thread::id alone_ = {}, kept_for_ = {};
  int times_alone_ = 0;
  Clock::time_point kept_until_ = {}, left_at_ = {};
};

}  // namespace fixpoint::external
