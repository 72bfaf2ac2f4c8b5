#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace fixpoint::webhooks {

/// The body of an answer that goes on. One side pushes bytes from any thread; the server takes them whenever
/// the socket takes more. Both sides hold it by a shared pointer.
class HttpStream {
 public:
  /// A client that leaves more than `unsent_bytes_max` unread is cut off.
  explicit HttpStream(std::size_t unsent_bytes_max) : unsent_bytes_max_(unsent_bytes_max) {}
  HttpStream(const HttpStream&) = delete;
  HttpStream& operator=(const HttpStream&) = delete;

  /// Adds bytes to the answer. Returns false, and drops them, if the stream has ended; it cuts the stream if
  /// they are too many.
  bool push(std::string_view bytes);
  /// Ends the answer after what was pushed.
  void end();
  /// Ends the connection at once, in the middle of the answer.
  void cut();
  /// Returns true until end() or cut(), or until the client has left.
  bool is_open() const;
  /// Waits until all that was pushed is written to the socket. Returns false if the stream was cut, or if
  /// that takes longer than until `latest`.
  bool wait_until_written(std::chrono::steady_clock::time_point latest) const;

  // The server's side.

  /// The connection of the stream: both functions are called under the stream's lock, in turn.
  struct Connection {
    std::function<void()> sleep;
    std::function<void()> wake;
  };
  /// The result of take(): bytes, nothing for now, or the end.
  enum class Taken { some, none, end, cut };
  void attach(Connection connection);
  /// Moves up to `size` bytes into the buffer and sets `size` to their number. All that was taken before is
  /// written now. If there is nothing, the connection sleeps until there is.
  Taken take(char* buffer, std::size_t& size);
  /// The connection has ended.
  void detach();

 private:
  enum class State { open, ending, over };
  void give_up();
  void wake();

  const std::size_t unsent_bytes_max_;
  mutable std::mutex mutex_;
  mutable std::condition_variable written_;
  Connection connection_ = {};
  std::string unsent_ = {};
  std::size_t taken_ = 0;  ///< bytes of unsent_ that the server has taken
  State state_ = State::open;
  bool is_asleep_ = false;
  bool is_written_ = true;
};

}  // namespace fixpoint::webhooks
