#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "harness/document/limits.h"

namespace fixpoint::webhooks {

/// A connection of a server, and the time since when it has been waiting.
struct OpenConnection {
  enum class Waits {
    for_first_request,  ///< for a client that has not completed a request yet
    for_next_request,
    for_rest,     ///< for the rest of a request
    for_server,   ///< for the answer, which is being computed
    for_reading,  ///< for the client to read the answer
    for_event,    ///< for the server to go on with a stream, all of which the client has read
  };
  int socket = -1;
  Waits waits = Waits::for_first_request;
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  /// Called from the monitor's thread if the client leaves while it waits for an event: nothing reads its
  /// socket then.
  std::function<void()> leave = {};
};

/// The connections of one server. A thread closes those with a slow client: a request, or reading an answer,
/// takes longer than Limits::request_milliseconds_max, or the next request does not arrive within
/// idle_milliseconds_max. While more connections are open than crowd_of(limits), it also closes those that
/// have waited longest for their client, first those that never completed a request; connections that have
/// waited only a moment are spared. A connection that waits for the server is never slow. To close a
/// connection, it shuts the socket down, and the server then closes the socket.
class OpenConnections {
 public:
  using Place = std::list<OpenConnection>::iterator;

  explicit OpenConnections(const Limits& limits);
  ~OpenConnections();
  OpenConnections(const OpenConnections&) = delete;
  OpenConnections& operator=(const OpenConnections&) = delete;

  /// Returns the number of connections above which waiting ones are closed. It is an eighth below
  /// connections_max, so that a new client is accepted immediately.
  static std::size_t crowd_of(const Limits& limits);

  Place add(int socket);
  /// Removes a connection; must be called before its socket is closed.
  void remove(Place place);
  /// Records progress of the client or the server.
  void set(Place place, OpenConnection::Waits waits);
  /// Sets OpenConnection::leave.
  void set_leave(Place place, std::function<void()> leave);
  /// Closes all connections, including those that are added later.
  void end_all();

 private:
  void monitor();
  void end_late();
  void make_room();
  /// Returns what to call, without the lock, for the clients that have left.
  std::vector<std::function<void()>> left();

  const std::chrono::milliseconds request_max_, idle_max_;
  const std::size_t crowd_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  std::list<OpenConnection> open_;
  bool is_ending_ = false, is_stopped_ = false;
  std::thread thread_;
};

}  // namespace fixpoint::webhooks
