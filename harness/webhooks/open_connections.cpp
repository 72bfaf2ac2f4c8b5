#include "harness/webhooks/open_connections.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace fixpoint::webhooks {

namespace {

using Waits = OpenConnection::Waits;

constexpr std::chrono::milliseconds kTick{50};
/// A client is not slow before this time, because its handshake may be in progress.
constexpr std::chrono::milliseconds kMoment{250};

void end(const OpenConnection& connection) { shutdown(connection.socket, SHUT_RDWR); }

bool is_waiting_for_server(const OpenConnection& connection) {
  return connection.waits == Waits::for_server || connection.waits == Waits::for_event;
}

}  // namespace

OpenConnections::OpenConnections(const Limits& limits)
    : request_max_(limits.request_milliseconds_max),
      idle_max_(limits.idle_milliseconds_max),
      crowd_(crowd_of(limits)),
      thread_([this] { monitor(); }) {}

OpenConnections::~OpenConnections() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  stopped_.notify_all();
  thread_.join();
}

std::size_t OpenConnections::crowd_of(const Limits& limits) {
  const std::size_t most = std::max<std::size_t>(limits.connections_max, 1);
  return most - std::max<std::size_t>(most / 8, 1);
}

OpenConnections::Place OpenConnections::add(int socket) {
  const std::lock_guard lock(mutex_);
  open_.push_back({.socket = socket});
  if (is_ending_) end(open_.back());
  return std::prev(open_.end());
}

void OpenConnections::remove(Place place) {
  const std::lock_guard lock(mutex_);
  open_.erase(place);
}

void OpenConnections::set(Place place, Waits waits) {
  const std::lock_guard lock(mutex_);
  // The first request is timed from the start of the connection, including the handshake.
  const bool is_first = waits == Waits::for_rest && place->waits == Waits::for_first_request;
  if (is_first) return;
  place->waits = waits;
  place->since = std::chrono::steady_clock::now();
}

void OpenConnections::set_leave(Place place, std::function<void()> leave) {
  const std::lock_guard lock(mutex_);
  place->leave = std::move(leave);
}

void OpenConnections::end_all() {
  const std::lock_guard lock(mutex_);
  is_ending_ = true;
  for (const OpenConnection& connection : open_) end(connection);
}

void OpenConnections::monitor() {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, kTick, [&] { return is_stopped_; })) {
    end_late();
    make_room();
    const auto calls = left();
    lock.unlock();
    for (const auto& call : calls) call();
    lock.lock();
  }
}

std::vector<std::function<void()>> OpenConnections::left() {
  std::vector<pollfd> sockets;
  std::vector<const OpenConnection*> waiting;
  for (const OpenConnection& connection : open_) {
    if (connection.waits != Waits::for_event || !connection.leave) continue;
    sockets.push_back({.fd = connection.socket, .events = POLLRDHUP, .revents = 0});
    waiting.push_back(&connection);
  }
  std::vector<std::function<void()>> calls;
  if (sockets.empty() || poll(sockets.data(), sockets.size(), 0) <= 0) return calls;
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    if (sockets[i].revents != 0) calls.push_back(waiting[i]->leave);
  }
  return calls;
}

void OpenConnections::end_late() {
  const auto now = std::chrono::steady_clock::now();
  for (const OpenConnection& connection : open_) {
    if (is_waiting_for_server(connection)) continue;
    const auto most = connection.waits == Waits::for_next_request ? idle_max_ : request_max_;
    if (now - connection.since > most) end(connection);
  }
}

void OpenConnections::make_room() {
  if (open_.size() <= crowd_) return;
  std::vector<const OpenConnection*> waiting;
  const auto until = std::chrono::steady_clock::now() - kMoment;
  for (const OpenConnection& connection : open_) {
    if (!is_waiting_for_server(connection) && connection.since < until) waiting.push_back(&connection);
  }
  const auto sooner = [](const OpenConnection* a, const OpenConnection* b) {
    const bool a_is_new = a->waits == Waits::for_first_request;
    const bool b_is_new = b->waits == Waits::for_first_request;
    return a_is_new != b_is_new ? a_is_new : a->since < b->since;
  };
  const std::size_t ended = std::min(waiting.size(), open_.size() - crowd_);
  std::partial_sort(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(ended), waiting.end(),
                    sooner);
  for (std::size_t i = 0; i < ended; ++i) end(*waiting[i]);
}

}  // namespace fixpoint::webhooks
