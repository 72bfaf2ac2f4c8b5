#include "harness/webhooks/http_stream.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fixpoint::webhooks {

bool HttpStream::push(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  if (state_ != State::open) return false;
  if (unsent_.size() - taken_ + bytes.size() > unsent_bytes_max_) {
    give_up();
    return false;
  }
  if (bytes.empty()) return true;
  unsent_.append(bytes);
  is_written_ = false;
  wake();
  return true;
}

void HttpStream::end() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::open) state_ = State::ending;
  wake();
}

void HttpStream::cut() {
  const std::lock_guard lock(mutex_);
  give_up();
}

bool HttpStream::is_open() const {
  const std::lock_guard lock(mutex_);
  return state_ == State::open;
}

bool HttpStream::wait_until_written(std::chrono::steady_clock::time_point latest) const {
  std::unique_lock lock(mutex_);
  const auto is_done = [&] { return is_written_ || state_ == State::over; };
  return written_.wait_until(lock, latest, is_done) && is_written_;
}

void HttpStream::attach(Connection connection) {
  const std::lock_guard lock(mutex_);
  connection_ = std::move(connection);
}

HttpStream::Taken HttpStream::take(char* buffer, std::size_t& size) {
  const std::lock_guard lock(mutex_);
  if (state_ == State::over) return Taken::cut;
  const std::size_t left = unsent_.size() - taken_;
  if (left == 0) {
    unsent_.clear();
    taken_ = 0;
    is_written_ = true;
    written_.notify_all();
    if (state_ == State::ending) {
      state_ = State::over;
      return Taken::end;
    }
    is_asleep_ = true;
    connection_.sleep();
    return Taken::none;
  }
  size = std::min(size, left);
  std::memcpy(buffer, unsent_.data() + taken_, size);
  taken_ += size;
  // The memory of what was taken is given back before it exceeds what is left.
  if (taken_ > unsent_.size() / 2) {
    unsent_.erase(0, std::exchange(taken_, 0));
  }
  return Taken::some;
}

void HttpStream::detach() {
  const std::lock_guard lock(mutex_);
  is_asleep_ = false;
  connection_ = {};
  give_up();
}

void HttpStream::give_up() {
  state_ = State::over;
  unsent_ = {};
  taken_ = 0;
  written_.notify_all();
  wake();
}

void HttpStream::wake() {
  if (std::exchange(is_asleep_, false)) connection_.wake();
}

}  // namespace fixpoint::webhooks
