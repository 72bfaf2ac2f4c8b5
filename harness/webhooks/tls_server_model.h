#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "harness/webhooks/identity.h"

namespace fixpoint::webhooks {

/// A request as the server's behaviour receives it, and a function that sends bytes.
struct Conversation {
  std::string head;  ///< the request line and headers
  std::string body;
  int connection = 1;  ///< the number of the connection, from 1
  int request = 1;     ///< the number of the request to this server, from 1
  /// Sends bytes; returns false if the client no longer accepts them.
  std::function<bool(std::string_view)> send;
};

/// A TLS server on a loopback port that sends exactly the bytes that its behaviour writes, even if they are
/// invalid. It serves one connection at a time and closes it when the behaviour returns false.
class TlsServer {
 public:
  using Behaviour = std::function<bool(const Conversation&)>;
  /// Starts the server. With `client_ca`, it requires a client certificate of that authority.
  TlsServer(const Identity& identity, Behaviour behaviour, std::string client_ca = {});
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  std::string url(const std::string& host = "127.0.0.1") const {
    return "https://" + host + ":" + std::to_string(port_) + "/mutate";
  }
  int connections() const { return connections_; }
  int requests() const { return requests_; }

 private:
  struct Hidden;
  void serve();
  void serve_one(int socket);
  std::unique_ptr<Hidden> hidden_;
  Behaviour behaviour_;
  int port_ = 0;
  std::atomic<int> connections_{0}, requests_{0};
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace fixpoint::webhooks
