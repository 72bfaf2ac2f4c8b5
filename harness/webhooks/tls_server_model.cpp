#include "harness/webhooks/tls_server_model.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "harness/document/check.h"
#include "harness/webhooks/openssl_types.h"

namespace fixpoint::webhooks {

struct TlsServer::Hidden {
  Owned<SSL_CTX, SSL_CTX_free> context{SSL_CTX_new(TLS_server_method())};
  int listener = -1;
};

TlsServer::TlsServer(const Identity& identity, Behaviour behaviour, std::string client_ca)
    : hidden_(std::make_unique<Hidden>()), behaviour_(std::move(behaviour)) {
  std::signal(SIGPIPE, SIG_IGN);  // clients disconnect on purpose
  SSL_CTX* context = hidden_->context.get();
  SSL_CTX_use_certificate(context, certificate_of(identity.certificate).get());
  SSL_CTX_use_PrivateKey(context, key_of(identity.key).get());
  if (!client_ca.empty()) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate_of(client_ca).get());
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }
  hidden_->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  const bool listens = bind(hidden_->listener, plain, size) == 0 && listen(hidden_->listener, 16) == 0 &&
                       getsockname(hidden_->listener, plain, &size) == 0;
  document::check(listens, "a test server listens");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

TlsServer::~TlsServer() {
  stopping_ = true;
  thread_.join();
  close(hidden_->listener);
}

void TlsServer::serve() {
  while (!stopping_) {
    pollfd waiting{.fd = hidden_->listener, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, 5) <= 0) continue;
    const int socket = accept4(hidden_->listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) continue;
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    const timeval patience{.tv_sec = 0, .tv_usec = 20'000};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    serve_one(socket);
    close(socket);
  }
}

void TlsServer::serve_one(int socket) {
  const Owned<SSL, SSL_free> connection(SSL_new(hidden_->context.get()));
  SSL_set_fd(connection.get(), socket);
  for (int tries = 0; SSL_accept(connection.get()) <= 0; ++tries) {
    if (tries > 200 || stopping_ || SSL_get_error(connection.get(), -1) != SSL_ERROR_WANT_READ) return;
  }
  const int number = ++connections_;
  std::string pending;
  char buffer[65536];
  while (!stopping_) {
    const int size = SSL_read(connection.get(), buffer, sizeof buffer);
    if (size <= 0 && SSL_get_error(connection.get(), size) == SSL_ERROR_WANT_READ) continue;
    if (size <= 0) return;
    pending.append(buffer, static_cast<std::size_t>(size));
    const auto head_end = pending.find("\r\n\r\n");
    if (head_end == std::string::npos) continue;
    const auto at = pending.find("Content-Length: ");
    const std::size_t length = at < head_end ? std::stoul(pending.substr(at + 16)) : 0;
    if (pending.size() < head_end + 4 + length) continue;
    const Conversation conversation{.head = pending.substr(0, head_end + 2),
                                    .body = pending.substr(head_end + 4, length),
                                    .connection = number,
                                    .request = ++requests_,
                                    .send = [&](std::string_view bytes) {
                                      return !stopping_ && SSL_write(connection.get(), bytes.data(),
                                                                     static_cast<int>(bytes.size())) > 0;
                                    }};
    pending.erase(0, head_end + 4 + length);
    if (!behaviour_(conversation)) return;
  }
}

}  // namespace fixpoint::webhooks
