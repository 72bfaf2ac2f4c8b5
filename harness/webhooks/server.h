#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "harness/document/result.h"
#include "harness/webhooks/http_server.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::webhooks {

/// Answers AdmissionReviews over HTTPS with HTTP/1.1 and persistent connections, within the limits of
/// HttpServer. A body of more than document_bytes_max gets 413, a body that is no review 400, another path or
/// method 404; a handler without an answer gives 500.
class Server {
 public:
  /// Answers the reviews of one path.
  using Respond = std::function<Answer(const cases::Request& request, std::string_view name,
                                       std::string_view uid, std::string_view version)>;

  /// Listens, and serves on its own threads. Returns an error if the address is unavailable or if the
  /// certificate and key are invalid.
  static document::Result<std::unique_ptr<Server>> start(const ServerOptions& options,
                                                         std::map<std::string, Respond> paths);
  /// Closes all connections at once, and waits for running handlers.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  std::uint64_t reviews() const;

 private:
  struct Hidden;
  explicit Server(std::unique_ptr<Hidden> hidden);
  std::unique_ptr<Hidden> hidden_;
};

}  // namespace fixpoint::webhooks
