#include "harness/webhooks/server.h"

#include <httplib.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "harness/webhooks/openssl_types.h"
#include "harness/webhooks/review_server.h"

namespace fixpoint::webhooks {

namespace {

using document::Error;
using document::Result;

/// With its parameter the library does not take it for something to compress, which costs a fifth of a call.
constexpr const char* kJson = "application/json; charset=utf-8";
constexpr int kIdleSeconds = 90;  // as Go's own HTTP client keeps a connection
constexpr std::size_t kRequestsOfAConnectionMax = 1u << 30;

/// The sockets of all connections, so that those which wait can be ended.
class Sockets {
 public:
  void add(int socket) {
    const std::lock_guard lock(mutex_);
    if (is_ending_) shutdown(socket, SHUT_RDWR);
    open_.insert(socket);
  }
  void remove(int socket) {
    const std::lock_guard lock(mutex_);
    open_.erase(socket);
  }
  void end_all() {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    for (const int socket : open_) shutdown(socket, SHUT_RDWR);
  }

 private:
  std::mutex mutex_;
  std::set<int> open_;
  bool is_ending_ = false;
};

// The library shows its sockets nowhere else than through TLS: a connection is known from its handshake until
// its state is freed, which is before its socket is closed.
void forget_socket(void*, void* socket, CRYPTO_EX_DATA*, int, long, void* sockets) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): a number in a pointer's place
  const auto number = static_cast<int>(reinterpret_cast<std::intptr_t>(socket));
  if (number > 0) static_cast<Sockets*>(sockets)->remove(number);
}

int place_in_context() {
  static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}
int place_in_connection() {
  static const int index = SSL_get_ex_new_index(
      0, nullptr, nullptr, nullptr,
      [](void* parent, void* socket, CRYPTO_EX_DATA* data, int at, long number, void* more) {
        auto* context = SSL_get_SSL_CTX(static_cast<SSL*>(parent));
        forget_socket(parent, socket, data, at, number, SSL_CTX_get_ex_data(context, place_in_context()));
        static_cast<void>(more);
      });
  return index;
}
void note_handshake(const SSL* connection, int where, int) {
  if ((where & SSL_CB_HANDSHAKE_START) == 0) return;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the library's own signature
  auto* ssl = const_cast<SSL*>(connection);
  if (SSL_get_ex_data(ssl, place_in_connection()) != nullptr) return;
  const int socket = SSL_get_fd(ssl);
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  SSL_set_ex_data(ssl, place_in_connection(), reinterpret_cast<void*>(static_cast<std::intptr_t>(socket)));
  static_cast<Sockets*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), place_in_context()))->add(socket);
}

/// A thread for each connection: it lives as long as its connection, and a kept one is mostly idle.
class Connections : public httplib::TaskQueue {
 public:
  explicit Connections(std::size_t most) : most_(std::max<std::size_t>(most, 1)) {}
  void enqueue(std::function<void()> serve) override {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [&] { return running_ < most_; });
    ++running_;
    std::thread([this, serve = std::move(serve)] {
      serve();
      const std::lock_guard guard(mutex_);
      --running_;
      ended_.notify_all();
    }).detach();
  }
  void shutdown() override {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [&] { return running_ == 0; });
  }

 private:
  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t running_ = 0;
};

/// A path as the expression that matches it alone.
std::string expression_of(const std::string& path) {
  std::string out;
  for (const char c : path) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why + "\n", "text/plain");
}

}  // namespace

struct Server::Hidden {
  Sockets sockets = {};
  std::unique_ptr<httplib::SSLServer> server = {};
  Limits limits = {};
  std::atomic<std::uint64_t> reviews{0};
  int listener = -1;
  int port = 0;
  std::thread thread = {};

  void answer(const Respond& respond, const httplib::Request& request, httplib::Response& response) {
    ++reviews;
    const auto review = read_request(request.body, limits);
    if (!review) return refuse(response, 400, review.error().text());
    const Answer answer = respond(review->request, review->name, review->uid, review->version);
    auto text = write_answer(*review, answer);
    if (!text) return refuse(response, 500, answer.problem);
    response.set_content(*std::move(text), kJson);
  }

  bool prepare(const Identity& identity) {
    const auto certificate = certificate_of(identity.certificate);
    const auto key = key_of(identity.key);
    if (!certificate || !key) return false;
    server = std::make_unique<httplib::SSLServer>(certificate.get(), key.get());
    if (!server->is_valid()) return false;
    SSL_CTX* context = server->ssl_context();
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_ex_data(context, place_in_context(), &sockets);
    place_in_connection();
    SSL_CTX_set_info_callback(context, note_handshake);
    server->set_tcp_nodelay(true);
    server->set_socket_options([this](socket_t socket) {
      httplib::default_socket_options(socket);
      listener = socket;
    });
    server->set_keep_alive_timeout(kIdleSeconds);
    server->set_keep_alive_max_count(kRequestsOfAConnectionMax);
    server->set_payload_max_length(limits.document_bytes_max);
    server->new_task_queue = [most = limits.connections_max] { return new Connections(most); };
    return true;
  }
};

Server::Server(std::unique_ptr<Hidden> hidden) : hidden_(std::move(hidden)) {}

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options,
                                              std::map<std::string, Respond> paths) {
  auto hidden = std::make_unique<Hidden>();
  hidden->limits = options.limits;
  if (!hidden->prepare(options.identity))
    return Error{"expected a PEM certificate and the private key that belongs to it"};
  for (auto& [path, respond] : paths) {
    hidden->server->Post(expression_of(path),
                         [all = hidden.get(), answer_with = std::move(respond)](
                             const auto& request, auto& reply) { all->answer(answer_with, request, reply); });
  }
  hidden->port = options.port == 0
                     ? hidden->server->bind_to_any_port(options.host)
                     : (hidden->server->bind_to_port(options.host, options.port) ? options.port : -1);
  if (hidden->port <= 0) return Error{"cannot listen", options.host + ":" + std::to_string(options.port)};
  // The library lets five connections wait to be accepted; a burst of more would wait a second each.
  if (listen(hidden->listener, SOMAXCONN) != 0) return Error{"cannot listen", options.host};
  hidden->thread = std::thread([server = hidden->server.get()] { server->listen_after_bind(); });
  while (!hidden->server->is_running()) std::this_thread::yield();
  return std::unique_ptr<Server>(new Server(std::move(hidden)));
}

Server::~Server() {
  hidden_->server->stop();
  hidden_->sockets.end_all();
  hidden_->thread.join();
}

int Server::port() const { return hidden_->port; }
std::uint64_t Server::reviews() const { return hidden_->reviews; }

}  // namespace fixpoint::webhooks
