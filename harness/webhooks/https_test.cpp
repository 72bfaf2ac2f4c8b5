#include "harness/webhooks/https.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "harness/document/base64.h"
#include "harness/document/json.h"
#include "harness/webhooks/attack_model.h"
#include "harness/webhooks/tls_server_model.h"

namespace fixpoint::webhooks {
namespace {

/// Long enough for a valid answer on a busy machine; and the time within which the machine notices the
/// deadline.
constexpr int kMilliseconds = 900, kNoticedWithin = 2000;

const Identity& authority() {
  static const Identity made = make_identity({.name = "authority"});
  return made;
}
const Identity& server_identity() {
  static const Identity made =
      make_identity({.name = "server", .alternative = "IP:127.0.0.1", .issuer = &authority()});
  return made;
}

struct Attempt {
  Answer answer;
  double seconds = 0;
};

Attempt ask(const Handler& handler, std::string_view version = "v1", int timeout_seconds = 10) {
  static const Value kNone;
  const Value object{{"metadata", {{"name", "web"}}}};
  const cases::Request request;
  const cases::Cluster cluster;
  const auto begin = std::chrono::steady_clock::now();
  Attempt attempt{.answer = handler({.object = object,
                                     .old_object = kNone,
                                     .request = request,
                                     .cluster = cluster,
                                     .webhook = "hooks/hook.example.io",
                                     .review_version = version,
                                     .uid = "u",
                                     .name = "web",
                                     .timeout_seconds = timeout_seconds})};
  attempt.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return attempt;
}

HttpsOptions options_for(const TlsServer& server) {
  HttpsOptions options{.url = server.url(), .ca_bundle = authority().certificate};
  options.limits.call_milliseconds_max = kMilliseconds;
  options.limits.answer_bytes_max = 1u << 20;
  return options;
}
Handler handler_for(const TlsServer& server) { return https(options_for(server)).value(); }

std::string uid_of(const Conversation& conversation) {
  return std::string(document::read_json(conversation.body).value()["request"]["uid"].text());
}
std::string review(const std::string& uid, const std::string& more = "") {
  return R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":")" + uid +
         R"(","allowed":true)" + more + "}}";
}
std::string ok(const std::string& body, const std::string& headers = "") {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + headers + "\r\n" +
         body;
}
bool allow_all(const Conversation& conversation) {
  return conversation.send(ok(review(uid_of(conversation))));
}

std::string gzipped(std::size_t size) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string blanks(1u << 20, ' '), out;
  for (std::size_t done = 0; done <= size; done += blanks.size()) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    stream.next_in = reinterpret_cast<Bytef*>(blanks.data());
    stream.avail_in = static_cast<uInt>(blanks.size());
    char buffer[65536];
    do {
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
      stream.next_out = reinterpret_cast<Bytef*>(buffer);
      stream.avail_out = sizeof buffer;
      deflate(&stream, done + blanks.size() > size ? Z_FINISH : Z_NO_FLUSH);
      out.append(buffer, sizeof buffer - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return out;
}

/// Returns a hundred megabytes of blanks in a small gzip, made before any clock runs.
const std::string& gzip_bomb() {
  static const std::string bomb = gzipped(std::size_t{100} << 20);
  return bomb;
}

TEST(Https, SendsWhatTheApiServerSends) {
  std::string head, body;
  const TlsServer server(server_identity(), [&](const Conversation& conversation) {
    head = conversation.head;
    body = conversation.body;
    return allow_all(conversation);
  });
  HttpsOptions options = options_for(server);
  options.limits.call_milliseconds_max = 30'000;
  const Answer answer = ask(https(options).value(), "v1", 7).answer;
  EXPECT_EQ(answer.problem, "");
  EXPECT_TRUE(answer.allowed && answer.uid_echoed);
  EXPECT_TRUE(head.starts_with("POST /mutate?timeout=7s HTTP/1.1\r\n")) << head;
  for (const char* line : {"Content-Type: application/json\r\n", "Accept: application/json, */*\r\n",
                           "User-Agent: kube-apiserver-admission\r\n", "Accept-Encoding: gzip\r\n"}) {
    EXPECT_NE(head.find(line), std::string::npos) << line << head;
  }
  EXPECT_EQ(head.find("Expect"), std::string::npos);
  const Value review = document::read_json(body).value();
  EXPECT_EQ(review["apiVersion"].text(), "admission.k8s.io/v1");
  EXPECT_EQ(review["request"]["object"]["metadata"]["name"].text(), "web");
  EXPECT_EQ(review["request"]["operation"].text(), "CREATE");
  EXPECT_NE(review["request"].find("oldObject"), nullptr);
}

TEST(Https, KeepsItsConnectionAndNeverAUid) {
  std::vector<std::string> uids;
  const TlsServer server(server_identity(), [&](const Conversation& conversation) {
    uids.push_back(uid_of(conversation));
    return allow_all(conversation);
  });
  const Handler handler = handler_for(server);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(ask(handler).answer.problem, "");
  EXPECT_EQ(server.connections(), 1);
  std::sort(uids.begin(), uids.end());
  EXPECT_EQ(std::unique(uids.begin(), uids.end()) - uids.begin(), 5);
}

TEST(Https, TakesPatchesInBase64AndYaml) {
  const TlsServer server(server_identity(), [](const Conversation& conversation) {
    const std::string patch = document::encode_base64(R"([{"op":"remove","path":"/a"}])");
    if (conversation.request == 1) {
      return conversation.send(ok(review(
          uid_of(conversation), R"(,"patchType":"JSONPatch","patch":")" + patch + R"(","unknown":1)")));
    }
    return conversation.send(ok("apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nresponse:\n  uid: " +
                                uid_of(conversation) + "\n  allowed: true\n  warnings: [mind]\n"));
  });
  const Handler handler = handler_for(server);
  const Answer patched = ask(handler).answer;
  ASSERT_TRUE(patched.patch) << patched.problem;
  EXPECT_EQ(document::write_json(*patched.patch), R"([{"op":"remove","path":"/a"}])");
  EXPECT_EQ(ask(handler).answer.warnings, std::vector<std::string>{"mind"});
}

TEST(Https, ShowsItsCertificate) {
  const Identity client =
      make_identity({.name = "client", .alternative = "DNS:client", .issuer = &authority()});
  const TlsServer server(server_identity(), allow_all, authority().certificate);
  HttpsOptions options = options_for(server);
  EXPECT_NE(ask(https(options).value()).answer.problem, "");
  options.client_certificate = client.certificate;
  options.client_key = client.key;
  EXPECT_EQ(ask(https(options).value()).answer.problem, "");
}

TEST(Https, TakesACaBundleInBase64AsWell) {
  const TlsServer server(server_identity(), allow_all);
  HttpsOptions options = options_for(server);
  options.ca_bundle = document::encode_base64(authority().certificate);
  EXPECT_EQ(ask(https(options).value()).answer.problem, "");
  options.ca_bundle = "not one";
  EXPECT_FALSE(https(options));
}

TEST(Https, RefusesUrlsThatTheApiRefusesAndWhatIsNotLoopback) {
  const struct {
    const char* url;
    const char* says;
  } refused[] = {
      {"http://127.0.0.1:1/x", "expected an https URL"},
      {"ftp://127.0.0.1/x", "expected an https URL"},
      {"https://user:word@127.0.0.1/x", "without user info"},
      {"https://127.0.0.1/x?a=b", "without a query"},
      {"https://127.0.0.1/x#a", "without a fragment"},
      {"https:///x", "not a loopback address"},
      {"", "expected a URL"},
      {"https://example.org/x", "not a loopback address"},
      {"https://10.0.0.1/x", "not a loopback address"},
      {"https://127.0.0.1.example.org/x", "not a loopback address"},
      {"https://[::2]/x", "not a loopback address"},
      {"https://localhost.example.org/x", "not a loopback address"},
  };
  for (const auto& [url, says] : refused) {
    const auto handler = https({.url = url});
    ASSERT_FALSE(handler) << url;
    EXPECT_NE(handler.error().message.find(says), std::string::npos) << handler.error().text();
  }
  for (const char* url : {"https://localhost/x", "https://127.3.2.1:9/", "https://[::1]:8443/mutate"})
    EXPECT_TRUE(https({.url = url})) << url;
  EXPECT_TRUE(https({.url = "https://example.org/x", .allow_remote = true}));
}

TEST(Https, NeverTrustsAsAFallback) {
  const Identity other = make_identity({.name = "another authority"});
  const Identity wrong_name =
      make_identity({.name = "127.0.0.1", .alternative = "DNS:elsewhere.example", .issuer = &authority()});
  const Identity expired = make_identity({.name = "server",
                                          .alternative = "IP:127.0.0.1",
                                          .issuer = &authority(),
                                          .days_from = -9,
                                          .days_until = -1});
  const Identity early = make_identity({.name = "server",
                                        .alternative = "IP:127.0.0.1",
                                        .issuer = &authority(),
                                        .days_from = 2,
                                        .days_until = 9});
  const Identity unknown = make_identity({.name = "server", .alternative = "IP:127.0.0.1", .issuer = &other});
  const Identity self_signed = make_identity({.name = "server", .alternative = "IP:127.0.0.1"});
  const struct {
    const char* attack;
    const Identity& identity;
    const char* says;
  } rows[] = {{"wrong name", wrong_name, "subject"},
              {"expired", expired, "expired"},
              {"not valid yet", early, "not yet valid"},
              {"unknown authority", unknown, "unable to get local issuer"},
              {"self-signed", self_signed, "self-signed"}};
  for (const auto& [attack, identity, says] : rows) {
    const TlsServer server(identity, allow_all);
    const Attempt attempt = ask(handler_for(server));
    std::printf("  %-22s %-75s %4.0f ms\n", attack, attempt.answer.problem.c_str(), attempt.seconds * 1000);
    EXPECT_TRUE(attempt.answer.problem.starts_with("TLS: ")) << attempt.answer.problem;
    EXPECT_NE(attempt.answer.problem.find(says), std::string::npos) << attempt.answer.problem;
    EXPECT_TRUE(is_unreachable(attempt.answer));
    EXPECT_EQ(server.requests(), 0) << "nothing may be sent";
  }
}

TEST(Https, TrustsTheSystemsAuthoritiesOnlyWithoutABundle) {
  const TlsServer server(server_identity(), allow_all);
  HttpsOptions options = options_for(server);
  options.ca_bundle = "";
  // With a sanitizer, reading the system's authorities takes seconds.
  options.limits.call_milliseconds_max = 20'000;
  EXPECT_TRUE(ask(https(options).value()).answer.problem.starts_with("TLS: "));
}

/// Sends the block again and again until the other side closes the connection.
bool send_without_end(const Conversation& conversation, const std::string& block) {
  while (conversation.send(block)) {
  }
  return false;
}

struct Attack {
  const char* name;
  bool (*behave)(const Conversation& conversation);
  const char* cut_by;
};

/// The limit on the growth of memory; an answer is cut at one megabyte.
constexpr double kMegabytesMax = 64;

class HttpsAttacks : public ::testing::TestWithParam<Attack> {};

TEST_P(HttpsAttacks, AreCut) {
  if (GetParam().name == std::string("gzip_bomb")) {
    ASSERT_LT(gzip_bomb().size(), 1u << 20);
  }
  const TlsServer server(server_identity(), GetParam().behave);
  AttackRow row;
  const Attempt attempt = ask(handler_for(server));
  row.print(GetParam().name, attempt.answer.problem);
  EXPECT_LT(row.megabytes(), kMegabytesMax);
  EXPECT_TRUE(attempt.answer.problem.starts_with(GetParam().cut_by)) << attempt.answer.problem;
  EXPECT_LT(attempt.seconds * 1000, kMilliseconds + kNoticedWithin);
}

constexpr const char* kTooLong = "the answer is longer than answer_bytes_max = 1048576";
constexpr const char* kChunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

INSTANTIATE_TEST_SUITE_P(
    Https, HttpsAttacks,
    ::testing::Values(
        Attack{"endless_chunks",
               [](const Conversation& c) {
                 c.send(kChunked);
                 return send_without_end(c, "1000\r\n" + std::string(0x1000, ' ') + "\r\n");
               },
               kTooLong},
        Attack{"endless_headers",
               [](const Conversation& c) {
                 c.send("HTTP/1.1 200 OK\r\n");
                 return send_without_end(c, "X-More: " + std::string(8000, 'x') + "\r\n");
               },
               "the headers of the answer are too long"},
        Attack{"endless_continues",
               [](const Conversation& c) { return send_without_end(c, "HTTP/1.1 100 Continue\r\n\r\n"); },
               ""},
        Attack{"300_megabytes",
               [](const Conversation& c) {
                 c.send("HTTP/1.1 200 OK\r\nContent-Length: 314572800\r\n\r\n");
                 return send_without_end(c, std::string(1u << 20, ' '));
               },
               kTooLong},
        Attack{"gzip_bomb",
               [](const Conversation& c) { return c.send(ok(gzip_bomb(), "Content-Encoding: gzip\r\n")); },
               kTooLong},
        Attack{"a_byte_at_a_time",
               [](const Conversation& c) {
                 c.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
                 while (c.send(" ")) std::this_thread::sleep_for(std::chrono::milliseconds(50));
                 return false;
               },
               "context deadline exceeded"},
        Attack{"silence",
               [](const Conversation& c) {
                 for (int i = 0; i < 150 && c.send(""); ++i)
                   std::this_thread::sleep_for(std::chrono::milliseconds(10));
                 return true;
               },
               "context deadline exceeded"},
        Attack{"half_an_answer",
               [](const Conversation& c) {
                 c.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"half\":");
                 return false;
               },
               "the connection ended in the middle of the answer"},
        Attack{"no_answer", [](const Conversation&) { return false; },
               "the connection ended without an answer"},
        Attack{"two_answers",
               [](const Conversation& c) { return c.send(ok(review(uid_of(c)) + review(uid_of(c)))); },
               "cannot decode the answer"},
        Attack{"redirect",
               [](const Conversation& c) {
                 return c.send(
                     "HTTP/1.1 307 Moved\r\nLocation: https://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n");
               },
               "status 307: redirects are not followed"},
        Attack{"status_500",
               [](const Conversation& c) { return c.send("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"); },
               "status 500"},
        Attack{"retry_without_end",
               [](const Conversation& c) {
                 return c.send("HTTP/1.1 503 No\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n");
               },
               "context deadline exceeded"},
        Attack{"empty", [](const Conversation& c) { return c.send(ok("")); }, "the answer is empty"},
        Attack{"deep",
               [](const Conversation& c) { return c.send(ok("{\"a\":" + std::string(100'000, '['))); },
               "cannot decode the answer"},
        Attack{"wrong_type",
               [](const Conversation& c) { return c.send(ok(R"({"response":{"allowed":"yes"}})")); },
               "cannot decode the answer: response.allowed is not a boolean"},
        Attack{"bad_base64",
               [](const Conversation& c) { return c.send(ok(review(uid_of(c), R"(,"patch":"%%%")"))); },
               "cannot decode the answer: response.patch is not base64"},
        Attack{"no_http", [](const Conversation& c) { return c.send("hello\r\n\r\n") && false; },
               "the answer is no HTTP"}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(Https, SaysAWrongUid) {
  const TlsServer server(server_identity(),
                         [](const Conversation& c) { return c.send(ok(review("another"))); });
  const Answer answer = ask(handler_for(server)).answer;
  EXPECT_EQ(answer.problem, "");
  EXPECT_FALSE(answer.uid_echoed);
}

TEST(Https, TriesAgainAsTheApiServerDoes) {
  const struct {
    const char* first;  ///< the answer to all requests except the last one
    int requests;       ///< the number of requests
    const char* problem;
  } rows[] = {{"503 No\r\nRetry-After: 0", 3, ""},  {"429 No\r\nRetry-After: 0", 3, ""},
              {"500 No\r\nRetry-After: -3", 3, ""}, {"503 No\r\nRetry-After: soon", 1, "status 503"},
              {"503 No", 1, "status 503"},          {"404 No\r\nRetry-After: 0", 1, "status 404"}};
  for (const auto& [first, requests, problem] : rows) {
    const std::string refusal = std::string("HTTP/1.1 ") + first + "\r\nContent-Length: 0\r\n\r\n";
    const TlsServer server(server_identity(), [&](const Conversation& c) {
      return c.request < 3 ? c.send(refusal) : allow_all(c);
    });
    EXPECT_EQ(ask(handler_for(server)).answer.problem, problem) << first;
    EXPECT_EQ(server.requests(), requests) << first;
  }
  const TlsServer stubborn(server_identity(), [](const Conversation& c) {
    return c.send("HTTP/1.1 429 No\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n");
  });
  EXPECT_EQ(ask(handler_for(stubborn)).answer.problem, "status 429");
  EXPECT_EQ(stubborn.requests(), 11);
}

TEST(Https, WithNobodyThereSaysSo) {
  const Answer answer =
      ask(https({.url = "https://127.0.0.1:1/", .ca_bundle = authority().certificate}).value()).answer;
  EXPECT_EQ(answer.problem, "connection refused");
  EXPECT_TRUE(is_unreachable(answer));
}

TEST(Https, ServesThreadsAtOnce) {
  // The server announces the close; otherwise a client may send the next request into the closing connection.
  const TlsServer server(server_identity(), [](const Conversation& c) {
    return c.send(ok(review(uid_of(c)), "Connection: close\r\n")) && false;
  });
  HttpsOptions options = options_for(server);
  options.limits.call_milliseconds_max = 5000;
  const Handler handler = https(options).value();
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < 10; ++call) good += ask(handler).answer.problem.empty() ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 40);
}

}  // namespace
}  // namespace fixpoint::webhooks
