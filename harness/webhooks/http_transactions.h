#pragma once

#include <microhttpd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "harness/document/limits.h"
#include "harness/webhooks/http_server.h"

namespace fixpoint::webhooks {

/// One request from its first line to the end of its answer.
struct Transaction {
  HttpRequest request = {};
  HttpAnswer answer = {};
  std::size_t held = 0;     ///< bytes of the body that count towards bodies_bytes_max
  std::size_t dropped = 0;  ///< bytes of the body that were read and dropped
  int refusal = 0;          ///< the status of a request that is refused before its body is read
  bool has_begun = false, is_answered = false;
};

/// The answers that go on, which end with the server.
class Streams {
 public:
  /// Ends all of them, and those that begin later.
  void end() {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    ending_.notify_all();
    for (const auto& stream : streams_) stream->cut();
  }
  void add(const std::shared_ptr<HttpStream>& stream) {
    const std::lock_guard lock(mutex_);
    streams_.insert(stream);
    if (is_ending_) stream->cut();
  }
  void remove(const std::shared_ptr<HttpStream>& stream) {
    const std::lock_guard lock(mutex_);
    streams_.erase(stream);
  }
  /// Waits so long, or until the end.
  void wait(std::chrono::milliseconds delay) {
    if (delay.count() == 0) return;
    std::unique_lock lock(mutex_);
    ending_.wait_for(lock, delay, [&] { return is_ending_; });
  }

 private:
  std::mutex mutex_ = {};
  std::condition_variable ending_ = {};
  bool is_ending_ = false;
  std::set<std::shared_ptr<HttpStream>> streams_ = {};
};

/// The memory of all bodies that are being read.
class Bodies {
 public:
  explicit Bodies(const Limits& limits) : limits_(limits) {}

  void let_go(Transaction& transaction) {
    held_ -= std::exchange(transaction.held, 0);
    transaction.request.body = {};
  }
  /// Keeps a piece of a body, or refuses the request, whose body is dropped from then on.
  void keep(Transaction& transaction, std::string_view piece) {
    if (transaction.refusal == 0 && transaction.held + piece.size() > limits_.document_bytes_max)
      transaction.refusal = MHD_HTTP_CONTENT_TOO_LARGE;
    if (transaction.refusal == 0 && held_ + piece.size() > limits_.bodies_bytes_max)
      transaction.refusal = MHD_HTTP_SERVICE_UNAVAILABLE;
    if (transaction.refusal != 0) {
      let_go(transaction);
      transaction.dropped += piece.size();
      return;
    }
    held_ += piece.size();
    transaction.held += piece.size();
    transaction.request.body.append(piece);
  }

 private:
  const Limits& limits_;
  std::atomic<std::size_t> held_{0};
};

}  // namespace fixpoint::webhooks
