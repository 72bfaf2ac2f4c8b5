#include "harness/webhooks/tls_server_model.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "harness/document/check.h"

namespace fixpoint::webhooks {

namespace {

template <auto Free>
struct With {
  template <class T>
  void operator()(T* value) const {
    Free(value);
  }
};
template <class T, auto Free>
using Owned = std::unique_ptr<T, With<Free>>;
using OwnedBio = Owned<BIO, BIO_free_all>;
using OwnedKey = Owned<EVP_PKEY, EVP_PKEY_free>;
using OwnedCertificate = Owned<X509, X509_free>;

OwnedBio reading(const std::string& text) {
  return OwnedBio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}
std::string written(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}
OwnedCertificate certificate_of(const std::string& pem) {
  return OwnedCertificate(PEM_read_bio_X509(reading(pem).get(), nullptr, nullptr, nullptr));
}
OwnedKey key_of(const std::string& pem) {
  return OwnedKey(PEM_read_bio_PrivateKey(reading(pem).get(), nullptr, nullptr, nullptr));
}

void extend(X509* certificate, int what, const std::string& value) {
  Owned<X509_EXTENSION, X509_EXTENSION_free> extension(
      X509V3_EXT_conf_nid(nullptr, nullptr, what, value.c_str()));
  document::check(extension != nullptr, "an extension of a test certificate");
  X509_add_ext(certificate, extension.get(), -1);
}

}  // namespace

Identity make_identity(const Wanted& wanted) {
  static std::atomic<long> serial{1};
  OwnedKey key(EVP_EC_gen("P-256"));
  OwnedCertificate certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial++);
  constexpr long kDay = 24L * 60 * 60;
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), kDay * wanted.days_from);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kDay * wanted.days_until);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* subject = X509_get_subject_name(certificate.get());
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  const auto* name = reinterpret_cast<const unsigned char*>(wanted.name.c_str());
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, name, -1, -1, 0);
  if (wanted.alternative.empty()) {
    extend(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  } else {
    extend(certificate.get(), NID_subject_alt_name, wanted.alternative);
  }
  const OwnedKey issuer_key = wanted.issuer != nullptr ? key_of(wanted.issuer->key) : nullptr;
  const OwnedCertificate issuer =
      wanted.issuer != nullptr ? certificate_of(wanted.issuer->certificate) : nullptr;
  X509_set_issuer_name(certificate.get(), issuer ? X509_get_subject_name(issuer.get()) : subject);
  X509_sign(certificate.get(), issuer_key ? issuer_key.get() : key.get(), EVP_sha256());
  const OwnedBio certificate_text(BIO_new(BIO_s_mem())), key_text(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(certificate_text.get(), certificate.get());
  PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return {written(certificate_text.get()), written(key_text.get())};
}

struct TlsServer::Hidden {
  Owned<SSL_CTX, SSL_CTX_free> context{SSL_CTX_new(TLS_server_method())};
  int listener = -1;
};

TlsServer::TlsServer(const Identity& identity, Behaviour behaviour, std::string client_ca)
    : hidden_(std::make_unique<Hidden>()), behaviour_(std::move(behaviour)) {
  std::signal(SIGPIPE, SIG_IGN);  // clients hang up on us on purpose
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
