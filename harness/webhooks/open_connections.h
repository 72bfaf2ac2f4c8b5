#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <mutex>
#include <thread>

#include "harness/document/limits.h"

namespace fixpoint::webhooks {

/// A connection of a server, and since when its client has kept the server waiting.
struct OpenConnection {
  enum class Waits {
    for_first_request,  ///< its client has not completed a request yet
    for_next_request,
    for_rest,     ///< of a request that has begun
    for_server,   ///< the answer is being computed
    for_reading,  ///< by the client, of the answer
  };
  int socket = -1;
  Waits waits = Waits::for_first_request;
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
};

/// The connections of one server. A thread ends those whose client is too slow: a request takes longer than
/// Limits::request_milliseconds_max, an answer is read for longer than that, or the next request does not
/// come within idle_milliseconds_max. While more connections are open than crowd_of(limits), those that have
/// waited longest for their client are ended, unless that is shorter than a moment: first those that never
/// completed a request. A connection is ended by shutting its socket down; the server then closes it.
class OpenConnections {
 public:
  using Place = std::list<OpenConnection>::iterator;

  explicit OpenConnections(const Limits& limits);
  ~OpenConnections();
  OpenConnections(const OpenConnections&) = delete;
  OpenConnections& operator=(const OpenConnections&) = delete;

  /// The number of connections from which on waiting ones make room: an eighth below connections_max, so
  /// that a new client is accepted at once.
  static std::size_t crowd_of(const Limits& limits);

  Place add(int socket);
  /// To be called before the socket is closed.
  void remove(Place place);
  /// The client or the server has made a step.
  void set(Place place, OpenConnection::Waits waits);
  /// Ends all that are open and all that will be added.
  void end_all();

 private:
  void monitor();
  void end_late();
  void make_room();

  const std::chrono::milliseconds request_max_, idle_max_;
  const std::size_t crowd_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  std::list<OpenConnection> open_;
  bool is_ending_ = false, is_stopped_ = false;
  std::thread thread_;
};

}  // namespace fixpoint::webhooks
