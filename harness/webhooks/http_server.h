#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/webhooks/http_stream.h"
#include "harness/webhooks/identity.h"

namespace fixpoint::webhooks {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;  ///< 0: any free port
  Identity identity;
  Limits limits = {};
  /// False if no handler ever blocks: then the event loops answer short requests themselves, in half the
  /// time.
  bool handlers_wait = true;
};

struct HttpRequest {
  std::string method;
  std::string path;   ///< without the query, percent-decoded
  std::string query;  ///< what follows the question mark, as it was sent
  std::string body;
  // Headers, empty if the request has none of that name.
  std::string accept, authorization, content_type;
};

/// An answer: complete, or the beginning of a stream.
struct HttpAnswer {
  int status = 200;
  std::string body = {};
  const char* content_type = "application/json";
  /// If set, it takes the place of the body: the answer goes on as long as the stream is open.
  std::shared_ptr<HttpStream> stream = {};
  /// The time for which the answer is held back; it occupies one of answers_max.
  std::chrono::milliseconds delay = {};
};

/// Serves HTTP/1.1 over TLS 1.2 and 1.3: event loops serve all connections, separate threads compute the
/// answers, so that a handler may block. The fields of Limits bound each client:
/// - at most connections_max are open at a time, and slow ones are closed in favour of new ones
///   (open_connections.h);
/// - a request line and headers beyond header_bytes_max get 431;
/// - a body beyond document_bytes_max gets 413 and is never stored; at most as much again is read and
///   dropped, so that a client that writes everything before it reads still gets the answer;
/// - a body that, with those of other requests, exceeds bodies_bytes_max gets 503;
/// - at most answers_max handlers run at a time, and further requests wait.
/// A stream takes no thread: its connection sleeps until something is pushed. It is cut if the client has not
/// read a part of it after request_milliseconds_max, or has closed the connection.
class HttpServer {
 public:
  /// Computes the answer to one request; called from several threads at a time.
  using Handle = std::function<HttpAnswer(const HttpRequest&)>;

  /// Listens. An error if the address is unavailable or the certificate and key are invalid.
  static document::Result<std::unique_ptr<HttpServer>> start(const ServerOptions& options, Handle handle);
  /// Closes all connections at once, and waits for running handlers.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;

 private:
  struct Hidden;
  explicit HttpServer(std::unique_ptr<Hidden> hidden);
  std::unique_ptr<Hidden> hidden_;
};

}  // namespace fixpoint::webhooks
