#pragma once

#include <functional>
#include <memory>
#include <string>

#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/webhooks/identity.h"

namespace fixpoint::webhooks {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;  ///< 0: a free one
  Identity identity;
  Limits limits = {};
  /// False when no handler ever waits for anything: then short requests are answered by the event loops
  /// themselves, in half the time.
  bool handlers_wait = true;
};

struct HttpRequest {
  std::string method;
  std::string path;  ///< without the query
  std::string body;
};

/// An answer that is whole when it is given. One that is written piece by piece would be another field here.
struct HttpAnswer {
  int status = 200;
  std::string body = {};
  const char* content_type = "application/json";
};

/// Serves HTTP/1.1 over TLS 1.2 and 1.3: event loops serve all connections, threads of their own compute the
/// answers, so that a handler may block. A client gets no more than its share, by the fields of Limits:
/// - connections_max are open at a time, and slow ones make room for new ones (OpenConnections says how);
/// - line and headers beyond header_bytes_max are refused with 431;
/// - a body beyond document_bytes_max is refused with 413 and never held: at most as much again is read and
///   dropped, so that a client that writes all before it reads hears so;
/// - a body that does not fit bodies_bytes_max beside those of others is refused with 503;
/// - answers_max handlers run at a time, and further requests wait.
class HttpServer {
 public:
  /// Computes the answer to one request; called from several threads at a time.
  using Handle = std::function<HttpAnswer(const HttpRequest&)>;

  /// Listens. An error when the address cannot be had or the certificate and its key are none.
  static document::Result<std::unique_ptr<HttpServer>> start(const ServerOptions& options, Handle handle);
  /// Ends all connections at once, and waits for the handlers that run.
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
