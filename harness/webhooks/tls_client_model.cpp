#include "harness/webhooks/tls_client_model.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>

#include "harness/webhooks/openssl_types.h"

namespace fixpoint::webhooks {

struct TlsClient::Hidden {
  Owned<SSL_CTX, SSL_CTX_free> context{SSL_CTX_new(TLS_client_method())};
  Owned<SSL, SSL_free> connection = {};
  int socket = -1;
  bool is_connected = false;

  ~Hidden() { close(socket); }
  /// Sets the timeout of reads and writes.
  void wait_at_most(int milliseconds) const {
    const timeval time{.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
  }
};

TlsClient::TlsClient(int port, int version_max) : hidden_(std::make_unique<Hidden>()) {
  std::signal(SIGPIPE, SIG_IGN);
  hidden_->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  hidden_->wait_at_most(10'000);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  if (connect(hidden_->socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return;
  SSL_CTX_set_security_level(hidden_->context.get(), 0);
  if (version_max != 0) SSL_CTX_set_max_proto_version(hidden_->context.get(), version_max);
  hidden_->connection.reset(SSL_new(hidden_->context.get()));
  SSL_set_fd(hidden_->connection.get(), hidden_->socket);
  hidden_->is_connected = SSL_connect(hidden_->connection.get()) == 1;
}
TlsClient::~TlsClient() = default;
TlsClient::TlsClient(TlsClient&& other) noexcept = default;

bool TlsClient::is_connected() const { return hidden_->is_connected; }

bool TlsClient::send(std::string_view bytes) {
  return hidden_->is_connected && SSL_write(hidden_->connection.get(), bytes.data(),
                                            static_cast<int>(bytes.size())) == static_cast<int>(bytes.size());
}

void TlsClient::end_sending() {
  SSL_shutdown(hidden_->connection.get());
  shutdown(hidden_->socket, SHUT_WR);
}

std::string TlsClient::read(int milliseconds, std::string_view enough) {
  std::string text;
  std::array<char, 65536> buffer;
  hidden_->wait_at_most(milliseconds);
  while (hidden_->is_connected) {
    const int size = SSL_read(hidden_->connection.get(), buffer.data(), static_cast<int>(buffer.size()));
    if (size <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(size));
    if (!enough.empty() && text.find(enough) != std::string::npos) break;
  }
  return text;
}

bool TlsClient::is_ended_within(int milliseconds) {
  char byte = 0;
  hidden_->wait_at_most(milliseconds);
  const int size = SSL_read(hidden_->connection.get(), &byte, 1);
  return size <= 0 && SSL_get_error(hidden_->connection.get(), size) != SSL_ERROR_WANT_READ;
}

}  // namespace fixpoint::webhooks
