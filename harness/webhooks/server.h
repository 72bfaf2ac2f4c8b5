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

/// Answers AdmissionReviews over HTTPS with HTTP/1.1, connections kept, within the limits of HttpServer. A
/// review of more than document_bytes_max is refused with 413, what is no review with 400, another path or
/// method with 404; a handler without an answer gives 500.
class Server {
 public:
  /// What answers a review, by path; told the review's version, uid, name and request in a Call.
  using Respond = std::function<Answer(const cases::Request& request, std::string_view name,
                                       std::string_view uid, std::string_view version)>;

  /// Listens, and serves on threads of its own. An error when the address cannot be had or the certificate
  /// and its key are none.
  static document::Result<std::unique_ptr<Server>> start(const ServerOptions& options,
                                                         std::map<std::string, Respond> paths);
  /// Ends all connections at once, and waits for the handlers that run.
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
