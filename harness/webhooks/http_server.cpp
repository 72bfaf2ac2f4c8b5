#include "harness/webhooks/http_server.h"

#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "harness/webhooks/descriptor.h"
#include "harness/webhooks/http_transactions.h"
#include "harness/webhooks/open_connections.h"
#include "harness/webhooks/openssl_types.h"
#include "harness/webhooks/workers.h"

namespace fixpoint::webhooks {

namespace {

using document::Error;
using document::Result;
using Waits = OpenConnection::Waits;

constexpr unsigned kLoops = 2;
/// A body that a handler processes in well under a millisecond.
constexpr std::size_t kShortBytes = 64u << 10;
/// The part of a stream that is taken at a time.
constexpr std::size_t kPartBytes = 32u << 10;
/// The memory that the library needs for a request in addition to its text: one entry for each header.
constexpr std::size_t kHeaderEntriesBytes = 16u << 10;
constexpr const char* kTlsVersions = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";

using OwnedResponse = Owned<MHD_Response, MHD_destroy_response>;

/// A listening socket; its port is 0 if there is none.
struct Listener {
  Descriptor socket = {};
  int port = 0;
};

Listener listen_at(const addrinfo& address) {
  Descriptor socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1;
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  auto* plain = reinterpret_cast<sockaddr*>(&bound);
  const bool listens = bind(socket.get(), address.ai_addr, address.ai_addrlen) == 0 &&
                       listen(socket.get(), SOMAXCONN) == 0 && getsockname(socket.get(), plain, &size) == 0;
  if (!listens) return {};
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast)
  const auto port = bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&bound)->sin6_port
                                                : reinterpret_cast<sockaddr_in*>(&bound)->sin_port;
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
  return {std::move(socket), ntohs(port)};
}

Listener listen_at(const std::string& host, int port) {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE;
  if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0) return {};
  const Owned<addrinfo, freeaddrinfo> all(found);
  for (const addrinfo* one = all.get(); one != nullptr; one = one->ai_next) {
    Listener listener = listen_at(*one);
    if (listener.port != 0) return listener;
  }
  return {};
}

bool is_pair(const Identity& identity) {
  const auto certificate = certificate_of(identity.certificate);
  const auto key = key_of(identity.key);
  return certificate && key && X509_check_private_key(certificate.get(), key.get()) == 1;
}

OpenConnections::Place& place_of(MHD_Connection* connection) {
  const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return *static_cast<OpenConnections::Place*>(info->socket_context);
}

void set_option(MHD_Connection* connection, int option, bool value) {
  const int socket = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
  const int number = value ? 1 : 0;
  setsockopt(socket, IPPROTO_TCP, option, &number, sizeof number);
}
void set_corked(MHD_Connection* connection, bool value) { set_option(connection, TCP_CORK, value); }

/// Returns the value of a header, or an empty text.
std::string_view header_of(MHD_Connection* connection, const char* name) {
  const char* text = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
  return text == nullptr ? std::string_view() : std::string_view(text);
}

std::size_t declared_length(MHD_Connection* connection) {
  const std::string_view text = header_of(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
  std::size_t length = 0;
  std::from_chars(text.data(), text.data() + text.size(), length);
  return length;
}

/// Returns what follows the question mark of a request line's URI.
std::string_view query_of(std::string_view uri) {
  const auto mark = uri.find('?');
  return mark == std::string_view::npos ? std::string_view() : uri.substr(mark + 1);
}

HttpAnswer refusal_of(int status) {
  switch (status) {
    case MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE:
      return {.status = status,
              .body = "the headers are longer than header_bytes_max\n",
              .content_type = "text/plain"};
    case MHD_HTTP_CONTENT_TOO_LARGE:
      return {.status = status,
              .body = "the body is longer than document_bytes_max\n",
              .content_type = "text/plain"};
    default:
      return {.status = status, .body = "too much is being sent at a time\n", .content_type = "text/plain"};
  }
}

}  // namespace

struct HttpServer::Hidden {
  Limits limits;
  Handle handle;
  Identity identity;
  bool handlers_wait;
  OpenConnections connections;
  Workers workers;
  Bodies bodies{limits};
  Streams streams = {};
  MHD_Daemon* daemon = nullptr;
  int port = 0;

  Hidden(const ServerOptions& options, Handle handle_with)
      : limits(options.limits),
        handle(std::move(handle_with)),
        identity(options.identity),
        handlers_wait(options.handlers_wait),
        connections(options.limits),
        workers(options.limits.answers_max) {}
  Hidden(const Hidden&) = delete;
  Hidden& operator=(const Hidden&) = delete;
  ~Hidden() {
    if (daemon == nullptr) return;
    const Descriptor listener(MHD_quiesce_daemon(daemon));
    connections.end_all();
    // The library must not be stopped while a connection waits for its answer or for an event.
    streams.end();
    workers.stop();
    MHD_stop_daemon(daemon);
  }

  bool listen(const Listener& listener) {
    const unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_EPOLL | MHD_USE_TLS |
                           MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
    const auto most = static_cast<unsigned>(std::clamp<std::size_t>(limits.connections_max, 1, 1u << 20));
    daemon = MHD_start_daemon(flags, 0, nullptr, nullptr, &on_request, this,            //
                              MHD_OPTION_LISTEN_SOCKET, listener.socket.get(),          //
                              MHD_OPTION_HTTPS_MEM_KEY, identity.key.c_str(),           //
                              MHD_OPTION_HTTPS_MEM_CERT, identity.certificate.c_str(),  //
                              MHD_OPTION_HTTPS_PRIORITIES, kTlsVersions,                //
                              MHD_OPTION_CONNECTION_LIMIT, most,                        //
                              MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                              limits.header_bytes_max + kHeaderEntriesBytes,        //
                              MHD_OPTION_THREAD_POOL_SIZE, std::min(most, kLoops),  //
                              MHD_OPTION_NOTIFY_CONNECTION, &on_connection, this,   //
                              MHD_OPTION_URI_LOG_CALLBACK, &on_line, this,          //
                              MHD_OPTION_NOTIFY_COMPLETED, &on_completed, this,     //
                              MHD_OPTION_END);
    return daemon != nullptr;
  }

  /// Answers immediately; with `closes`, the connection then ends, because the rest of the request is not
  /// read.
  MHD_Result say(MHD_Connection* connection, Transaction& transaction, bool closes) {
    if (transaction.answer.stream) return say_on(connection, transaction);
    std::string& body = transaction.answer.body;
    const OwnedResponse response(
        MHD_create_response_from_buffer(body.size(), body.data(), MHD_RESPMEM_PERSISTENT));
    if (!response) return MHD_NO;
    MHD_add_response_header(response.get(), MHD_HTTP_HEADER_CONTENT_TYPE, transaction.answer.content_type);
    if (closes) MHD_add_response_header(response.get(), MHD_HTTP_HEADER_CONNECTION, "close");
    connections.set(place_of(connection), Waits::for_reading);
    // The library sends head and body separately; corking the socket makes it send them together.
    set_corked(connection, true);
    return MHD_queue_response(connection, static_cast<unsigned>(transaction.answer.status), response.get());
  }

  /// A stream that is the answer of a connection.
  struct Streaming {
    Hidden& server;
    MHD_Connection* connection;
    std::shared_ptr<HttpStream> stream;
  };
  /// Begins an answer that goes on.
  MHD_Result say_on(MHD_Connection* connection, const Transaction& transaction);
  static ssize_t on_take(void* streaming, std::uint64_t, char* buffer, std::size_t size) {
    const auto& [server, connection, stream] = *static_cast<Streaming*>(streaming);
    switch (stream->take(buffer, size)) {
      case HttpStream::Taken::some:
        server.connections.set(place_of(connection), Waits::for_reading);
        return static_cast<ssize_t>(size);
      case HttpStream::Taken::none:
        server.connections.set(place_of(connection), Waits::for_event);
        return 0;
      case HttpStream::Taken::end:
        return MHD_CONTENT_READER_END_OF_STREAM;
      case HttpStream::Taken::cut:
        break;
    }
    return MHD_CONTENT_READER_END_WITH_ERROR;
  }
  static void on_stream_end(void* owned) {
    const std::unique_ptr<Streaming> streaming(static_cast<Streaming*>(owned));
    streaming->stream->detach();
    streaming->server.streams.remove(streaming->stream);
  }

  MHD_Result begin(MHD_Connection* connection, Transaction& transaction) {
    const auto* head = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    const std::size_t length = declared_length(connection);
    if (head != nullptr && head->header_size > limits.header_bytes_max) {
      transaction.refusal = MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE;
    } else if (length / 2 > limits.document_bytes_max) {
      transaction.refusal = MHD_HTTP_CONTENT_TOO_LARGE;
    }
    if (transaction.refusal == 0) return MHD_YES;
    transaction.answer = refusal_of(transaction.refusal);
    return say(connection, transaction, true);
  }

  void compute(Transaction& transaction) {
    transaction.answer = handle(transaction.request);
    bodies.let_go(transaction);
    transaction.is_answered = true;
  }

  MHD_Result complete(MHD_Connection* connection, Transaction& transaction) {
    if (transaction.is_answered) return say(connection, transaction, false);
    if (transaction.refusal != 0) {
      transaction.answer = refusal_of(transaction.refusal);
      return say(connection, transaction, false);
    }
    if (!handlers_wait && transaction.request.body.size() <= kShortBytes) {
      compute(transaction);
      if (transaction.answer.delay.count() == 0) return say(connection, transaction, false);
    }
    connections.set(place_of(connection), Waits::for_server);
    MHD_suspend_connection(connection);
    const bool is_taken = workers.run([this, connection, &transaction] {
      if (!transaction.is_answered) compute(transaction);
      streams.wait(transaction.answer.delay);
      MHD_resume_connection(connection);
    });
    if (is_taken) return MHD_YES;
    transaction.refusal = MHD_HTTP_SERVICE_UNAVAILABLE;
    MHD_resume_connection(connection);
    return MHD_YES;
  }

  static MHD_Result on_request(void* server, MHD_Connection* connection, const char* path, const char* method,
                               const char*, const char* data, std::size_t* size, void** place) {
    auto& own = *static_cast<Hidden*>(server);
    auto& transaction = *static_cast<Transaction*>(*place);
    if (!std::exchange(transaction.has_begun, true)) {
      transaction.request.method = method;
      transaction.request.path = path;
      transaction.request.accept = header_of(connection, MHD_HTTP_HEADER_ACCEPT);
      transaction.request.authorization = header_of(connection, MHD_HTTP_HEADER_AUTHORIZATION);
      transaction.request.content_type = header_of(connection, MHD_HTTP_HEADER_CONTENT_TYPE);
      return own.begin(connection, transaction);
    }
    if (*size == 0) return own.complete(connection, transaction);
    own.bodies.keep(transaction, {data, *size});
    *size = 0;
    return transaction.dropped > own.limits.document_bytes_max ? MHD_NO : MHD_YES;
  }

  static void* on_line(void* server, const char* uri, MHD_Connection* connection) {
    static_cast<Hidden*>(server)->connections.set(place_of(connection), Waits::for_rest);
    auto transaction = std::make_unique<Transaction>();
    transaction->request.query = query_of(uri);
    return transaction.release();
  }

  static void on_completed(void* server, MHD_Connection* connection, void** place,
                           MHD_RequestTerminationCode) {
    auto& own = *static_cast<Hidden*>(server);
    const std::unique_ptr<Transaction> transaction(static_cast<Transaction*>(std::exchange(*place, nullptr)));
    if (transaction) own.bodies.let_go(*transaction);
    if (transaction && transaction->answer.stream) {
      own.connections.set_leave(place_of(connection), {});
      transaction->answer.stream->cut();
    }
    set_corked(connection, false);
    own.connections.set(place_of(connection), Waits::for_next_request);
  }

  static void on_connection(void* server, MHD_Connection* connection, void** place,
                            MHD_ConnectionNotificationCode what) {
    auto& own = *static_cast<Hidden*>(server);
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
      const int socket = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
      set_option(connection, TCP_NODELAY, true);
      *place = std::make_unique<OpenConnections::Place>(own.connections.add(socket)).release();
      return;
    }
    const std::unique_ptr<OpenConnections::Place> owned(static_cast<OpenConnections::Place*>(*place));
    own.connections.remove(*owned);
    *place = nullptr;
  }
};

MHD_Result HttpServer::Hidden::say_on(MHD_Connection* connection, const Transaction& transaction) {
  const auto& stream = transaction.answer.stream;
  stream->attach({.sleep = [connection] { MHD_suspend_connection(connection); },
                  .wake = [connection] { MHD_resume_connection(connection); }});
  streams.add(stream);
  connections.set_leave(place_of(connection), [weak = std::weak_ptr(stream)] {
    if (const auto left = weak.lock()) left->cut();
  });
  connections.set(place_of(connection), Waits::for_reading);
  auto streaming = std::make_unique<Streaming>(Streaming{*this, connection, stream});
  const OwnedResponse response(MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, kPartBytes, &on_take,
                                                                 streaming.get(), &on_stream_end));
  if (!response) {
    on_stream_end(streaming.release());
    return MHD_NO;
  }
  streaming.release();  // on_stream_end() owns it now
  MHD_add_response_header(response.get(), MHD_HTTP_HEADER_CONTENT_TYPE, transaction.answer.content_type);
  return MHD_queue_response(connection, static_cast<unsigned>(transaction.answer.status), response.get());
}

HttpServer::HttpServer(std::unique_ptr<Hidden> hidden) : hidden_(std::move(hidden)) {}
HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::start(const ServerOptions& options, Handle handle) {
  if (!is_pair(options.identity))
    return Error{"expected a PEM certificate and the private key that belongs to it"};
  auto hidden = std::make_unique<Hidden>(options, std::move(handle));
  Listener listener = listen_at(options.host, options.port);
  if (listener.port == 0) return Error{"cannot listen", options.host + ":" + std::to_string(options.port)};
  if (!hidden->listen(listener)) {
    return Error{"the TLS library does not take this certificate and key, or there are no more threads",
                 options.host};
  }
  // The library owns the socket now.
  listener.socket.release();
  hidden->port = listener.port;
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(hidden)));
}

int HttpServer::port() const { return hidden_->port; }

}  // namespace fixpoint::webhooks
