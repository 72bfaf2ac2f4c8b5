#include "harness/webhooks/http_server.h"

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "harness/webhooks/attack_model.h"
#include "harness/webhooks/tls_client_model.h"

namespace fixpoint::webhooks {
namespace {

/// The memory that an attack may cost: the buffers of a few connections, and the client's own memory.
constexpr double kHeldMegabytesMax = 48;

/// A server that answers with the size of the body; /wait is slow, /long has a long answer.
class Hosting : public ::testing::Test {
 protected:
  void host(const Limits& limits) {
    const Identity authority = make_identity({.name = "authority"});
    auto started = HttpServer::start(
        {.identity = make_identity({.alternative = "IP:127.0.0.1", .issuer = &authority}), .limits = limits},
        [](const HttpRequest& request) {
          if (request.path == "/wait") std::this_thread::sleep_for(std::chrono::milliseconds(300));
          if (request.path == "/long") return HttpAnswer{.body = std::string(64u << 20, 'x')};
          return HttpAnswer{.body = "read " + std::to_string(request.body.size()) + ";"};
        });
    ASSERT_TRUE(started) << started.error().text();
    server_ = *std::move(started);
  }
  TlsClient client() const { return TlsClient(server_->port()); }
  /// Sends a well-formed request on a new connection and returns the seconds until its answer.
  double good_request() const {
    const auto begin = std::chrono::steady_clock::now();
    TlsClient good = client();
    good.send(post("hello"));
    EXPECT_NE(good.read(10'000, ";").find("read 5;"), std::string::npos);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  static std::string post(const std::string& body, const std::string& path = "/") {
    return "POST " + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
  }
  static Limits quick() {
    return {.document_bytes_max = 1u << 20, .request_milliseconds_max = 400, .idle_milliseconds_max = 800};
  }

  std::unique_ptr<HttpServer> server_;
};

constexpr const char* kChunkedHead = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";

/// Sends chunks until the server closes the connection, at most `megabytes`; returns the number sent.
std::size_t send_chunks(TlsClient& client, std::size_t megabytes) {
  const std::string chunk = "100000\r\n" + std::string(1u << 20, 'x') + "\r\n";
  std::size_t sent = 0;
  while (sent < megabytes && client.send(chunk)) ++sent;
  return sent;
}

TEST_F(Hosting, AnswersRequestAfterRequestOfAConnection) {
  host({});
  TlsClient one = client();
  for (std::size_t size : {0U, 5U, 100'000U}) {
    ASSERT_TRUE(one.send(post(std::string(size, 'x'))));
    EXPECT_NE(one.read(10'000, ";").find("read " + std::to_string(size) + ";"), std::string::npos);
  }
}

TEST_F(Hosting, AnswersPipelinedRequestsInTheirOrder) {
  host({});
  TlsClient one = client();
  ASSERT_TRUE(one.send(post("1", "/wait") + post("22") + post("333")));
  const std::string text = one.read(10'000, "read 3;");
  EXPECT_LT(text.find("read 1;"), text.find("read 2;"));
  EXPECT_LT(text.find("read 2;"), text.find("read 3;"));
  EXPECT_NE(text.find("read 3;"), std::string::npos) << text;
}

TEST_F(Hosting, AnswersAClientThatHasEndedItsSide) {
  host({});
  TlsClient one = client();
  ASSERT_TRUE(one.send(post("hello", "/wait")));
  one.end_sending();
  EXPECT_NE(one.read(10'000, ";").find("read 5;"), std::string::npos);
}

TEST_F(Hosting, SpeaksNoTlsBeforeVersionTwo) {
  host({});
  EXPECT_TRUE(TlsClient(server_->port(), TLS1_2_VERSION).is_connected());
  EXPECT_FALSE(TlsClient(server_->port(), TLS1_1_VERSION).is_connected());
}

TEST_F(Hosting, AnswersOthersWhileSlowHeadersFillIt) {
  host({});
  AttackRow row;
  std::vector<TlsClient> slow;
  for (int i = 0; i < 256; ++i) {
    slow.push_back(client());
    slow.back().send("POST / HTTP/1.1\r\nX-Slow: ");
  }
  for (int i = 0; i < 5; ++i) EXPECT_LT(good_request(), 5.0);
  row.print("256 slow headers", "the slowest are ended, others are answered");
}

TEST_F(Hosting, AnswersOthersWhileClientsThatSayNothingFillIt) {
  host({.connections_max = 16});
  std::vector<TlsClient> silent;
  for (int i = 0; i < 16; ++i) silent.push_back(client());
  for (int i = 0; i < 5; ++i) EXPECT_LT(good_request(), 5.0);
}

TEST_F(Hosting, KeepsAClientThatWaitsForItsAnswer) {
  host({.connections_max = 2});
  TlsClient waiting = client();
  waiting.send(post("hello", "/wait"));
  std::thread crowd([&] {
    for (int i = 0; i < 4; ++i) good_request();
  });
  EXPECT_NE(waiting.read(10'000, ";").find("read 5;"), std::string::npos);
  crowd.join();
}

TEST_F(Hosting, EndsARequestThatTakesTooLong) {
  const struct {
    const char* what;
    std::string begin, drip;
  } rows[] = {{"slow headers", "POST / HTTP/1.1\r\n", "X: y\r\n"},
              {"slow body", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n", "x"},
              {"slow chunks", kChunkedHead, "1\r\nx\r\n"}};
  host(quick());
  for (const auto& row : rows) {
    TlsClient slow = client();
    slow.send(row.begin);
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::seconds(5)) {
      if (!slow.send(row.drip) || slow.is_ended_within(20)) break;
    }
    const auto took = std::chrono::steady_clock::now() - begin;
    EXPECT_GT(took, std::chrono::milliseconds(200)) << row.what;
    EXPECT_LT(took, std::chrono::milliseconds(3000)) << row.what;
  }
}

TEST_F(Hosting, EndsAConnectionThatIsIdleOrReadsTooSlowly) {
  host(quick());
  TlsClient idle = client();
  idle.send(post("hello"));
  EXPECT_NE(idle.read(5000, ";").find("read 5;"), std::string::npos);
  EXPECT_TRUE(idle.is_ended_within(5000));
  TlsClient deaf = client();
  deaf.send(post("hello", "/long"));
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  EXPECT_LT(deaf.read(1000).size(), 64u << 20) << "the connection was ended in the middle of the answer";
}

TEST_F(Hosting, RefusesALongBodyWithoutHoldingIt) {
  host({.document_bytes_max = 1u << 20});
  AttackRow row;
  TlsClient declared = client();
  declared.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10000000000\r\n\r\n");
  EXPECT_NE(declared.read(5000, "\n").find(" 413 "), std::string::npos) << "at once";
  TlsClient written = client();
  written.send(post(std::string((1u << 20) + 1, 'x')));
  EXPECT_NE(written.read(5000, "document_bytes_max").find(" 413 "), std::string::npos);
  TlsClient chunked = client();
  chunked.send(kChunkedHead);
  send_chunks(chunked, 2);
  chunked.send("0\r\n\r\n");
  EXPECT_NE(chunked.read(5000, "document_bytes_max").find(" 413 "), std::string::npos);
  row.print("bodies beyond the limit", "413");
  EXPECT_LT(row.megabytes(), kHeldMegabytesMax);
}

TEST_F(Hosting, EndsAnEndlessBodyWithoutHoldingIt) {
  host({.document_bytes_max = 1u << 20});
  AttackRow row;
  TlsClient chunked = client();
  chunked.send(kChunkedHead);
  const std::size_t sent = send_chunks(chunked, 256);
  row.print("chunked without end", "ended after " + std::to_string(sent) + " MB");
  EXPECT_LT(sent, 64U);
  EXPECT_LT(row.megabytes(), kHeldMegabytesMax);
}

TEST_F(Hosting, TakesNoBodyWithoutItsLength) {
  host({.document_bytes_max = 1u << 20});
  AttackRow row;
  TlsClient one = client();
  one.send("POST / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_NE(one.read(5000, ";").find("read 0;"), std::string::npos);
  const std::string junk(1u << 20, 'x');
  std::size_t sent = 0;
  while (sent < 256 && one.send(junk)) ++sent;
  row.print("a body without its length", "ended after " + std::to_string(sent) + " MB");
  EXPECT_LT(sent, 64U);
  EXPECT_LT(row.megabytes(), kHeldMegabytesMax);
}

TEST_F(Hosting, RefusesHeadersBeyondTheLimit) {
  host({.header_bytes_max = 4096});
  TlsClient longer = client();
  longer.send("POST / HTTP/1.1\r\nX: " + std::string(5000, 'x') + "\r\nContent-Length: 0\r\n\r\n");
  EXPECT_NE(longer.read(5000, "header_bytes_max").find(" 431 "), std::string::npos);
  AttackRow row;
  TlsClient bomb = client();
  bomb.send("POST / HTTP/1.1\r\n");
  const std::string header = "X-Header: " + std::string(10'000, 'x') + "\r\n";
  std::size_t sent = 0;
  while (sent < 10'000 && bomb.send(header)) ++sent;
  row.print("headers without end", "ended after " + std::to_string(sent * 10) + " kB");
  EXPECT_LT(sent, 5000U);
  EXPECT_LT(row.megabytes(), kHeldMegabytesMax);
}

TEST_F(Hosting, HoldsNoMoreOfAllBodiesThanTheLimit) {
  host({.bodies_bytes_max = 1000});
  TlsClient first = client(), second = client();
  first.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 901\r\n\r\n" + std::string(900, 'x'));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  second.send(post(std::string(200, 'x')));
  EXPECT_NE(second.read(5000, "\n").find(" 503 "), std::string::npos);
  first.send("x");
  EXPECT_NE(first.read(5000, ";").find("read 901;"), std::string::npos);
  EXPECT_LT(good_request(), 5.0) << "what was held is free again";
}

TEST_F(Hosting, EndsAtOnceWhateverItsClientsDo) {
  host({});
  TlsClient silent = client(), idle = client(), waiting = client(), slow = client();
  idle.send(post("hello"));
  idle.read(5000, ";");
  slow.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nx");
  waiting.send(post("hello", "/wait"));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto begin = std::chrono::steady_clock::now();
  server_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(5000));
  EXPECT_TRUE(idle.is_ended_within(1000));
}

TEST(HttpServer, WantsACertificateWithItsKey) {
  const Identity one = make_identity({}), other = make_identity({});
  EXPECT_FALSE(HttpServer::start({.identity = {one.certificate, other.key}}, {}));
  EXPECT_FALSE(HttpServer::start({.identity = {"x", "y"}}, {}));
}

}  // namespace
}  // namespace fixpoint::webhooks
