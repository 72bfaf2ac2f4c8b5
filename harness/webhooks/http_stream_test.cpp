#include "harness/webhooks/http_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "harness/webhooks/http_server.h"
#include "harness/webhooks/identity.h"
#include "harness/webhooks/tls_client_model.h"

namespace fixpoint::webhooks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr const char* kGet = "GET /stream HTTP/1.1\r\nHost: h\r\n\r\n";

/// A server whose every answer is a stream, which the test holds.
class HttpServerStream : public ::testing::Test {
 protected:
  void host(const Limits& limits, std::size_t unsent_bytes_max = 1u << 20) {
    const Identity authority = make_identity({.name = "authority"});
    auto started =
        HttpServer::start({.identity = make_identity({.alternative = "IP:127.0.0.1", .issuer = &authority}),
                           .limits = limits,
                           .handlers_wait = false},
                          [this, unsent_bytes_max](const HttpRequest&) {
                            auto stream = std::make_shared<HttpStream>(unsent_bytes_max);
                            stream->push("begin;");
                            const std::lock_guard lock(mutex_);
                            streams_.push_back(stream);
                            return HttpAnswer{.content_type = "text/plain", .stream = stream};
                          });
    ASSERT_TRUE(started) << started.error().text();
    server_ = *std::move(started);
  }
  /// Opens a stream and reads its beginning.
  std::pair<TlsClient, std::shared_ptr<HttpStream>> open() {
    TlsClient client(server_->port());
    client.send(kGet);
    EXPECT_NE(client.read(5000, "begin;").find("begin;"), std::string::npos);
    const std::lock_guard lock(mutex_);
    return {std::move(client), streams_.back()};
  }
  static bool ends_within(const HttpStream& stream, int milliseconds) {
    const auto latest = Clock::now() + std::chrono::milliseconds(milliseconds);
    while (stream.is_open() && Clock::now() < latest)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return !stream.is_open();
  }

  std::mutex mutex_;
  std::vector<std::shared_ptr<HttpStream>> streams_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerStream, SendsWhatIsPushedAtOnce) {
  host({});
  auto [client, stream] = open();
  for (int i = 0; i < 50; ++i) {
    const std::string text = "event " + std::to_string(i) + ";";
    const auto begin = Clock::now();
    EXPECT_TRUE(stream->push(text));
    EXPECT_TRUE(stream->wait_until_written(Clock::now() + std::chrono::seconds(5)));
    EXPECT_NE(client.read(5000, text).find(text), std::string::npos);
    EXPECT_LT(Clock::now() - begin, std::chrono::milliseconds(150)) << "nothing holds a small part back";
  }
  stream->end();
  EXPECT_NE(client.read(5000, "0\r\n\r\n").find("0\r\n\r\n"), std::string::npos);
  EXPECT_FALSE(stream->push("late"));
  client.send(kGet);
  EXPECT_NE(client.read(5000, "begin;").find("begin;"), std::string::npos) << "the connection goes on";
}

TEST_F(HttpServerStream, LosesNothingThatSeveralThreadsPush) {
  host({}, 64u << 20);
  auto [client, stream] = open();
  constexpr int kThreads = 4, kEach = 500;
  const std::string line(1000, 'x');
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, &to = stream] {
      for (int j = 0; j < kEach; ++j) to->push(line);
    });
  }
  std::size_t taken = 0;
  while (taken < kThreads * kEach * line.size()) {
    const std::string part = client.read(200, "x");
    if (part.empty()) break;
    taken += static_cast<std::size_t>(std::count(part.begin(), part.end(), 'x'));
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, kThreads * kEach * line.size());
}

TEST_F(HttpServerStream, NoticesThatTheClientHasLeft) {
  host({});
  std::shared_ptr<HttpStream> left;
  {
    left = open().second;
  }
  EXPECT_TRUE(ends_within(*left, 2000));
}

TEST_F(HttpServerStream, CutsAClientThatReadsNothing) {
  host({.request_milliseconds_max = 300}, 1u << 20);
  auto [client, stream] = open();
  int pushed = 0;
  for (const std::string part(100'000, 'x'); pushed < 1000 && stream->push(part); ++pushed)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_LT(pushed, 1000);
  EXPECT_FALSE(stream->is_open());
  EXPECT_FALSE(stream->wait_until_written(Clock::now() + std::chrono::seconds(1)));
  EXPECT_TRUE(open().second->is_open()) << "others are served";
}

TEST_F(HttpServerStream, SleepsLongerThanASlowClientMay) {
  host({.request_milliseconds_max = 100, .idle_milliseconds_max = 100});
  auto [client, stream] = open();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_TRUE(stream->push("still here;"));
  EXPECT_NE(client.read(5000, "here;").find("still here;"), std::string::npos);
}

TEST_F(HttpServerStream, EndsWithItsServer) {
  host({});
  auto [client, stream] = open();
  server_.reset();
  EXPECT_FALSE(stream->is_open());
  EXPECT_FALSE(stream->push("late"));
  EXPECT_TRUE(client.is_ended_within(1000));
}

}  // namespace
}  // namespace fixpoint::webhooks
