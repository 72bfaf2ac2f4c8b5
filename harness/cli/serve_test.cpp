#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "harness/cli/command.h"
#include "harness/cli/program_test.h"
#include "harness/cli/running_model.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/document/yaml.h"
#include "harness/external/backends/served_webhook.h"
#include "harness/runner/examine.h"
#include "harness/webhooks/authority.h"
#include "harness/webhooks/https.h"
#include "harness/webhooks/process.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::cli {
namespace {

namespace files = std::filesystem;

class Serve : public ProgramTest {
 protected:
  int run(const std::string& arguments) const { return ProgramTest::run(arguments, "nowhere").code; }
  /// Returns the findings of one property in a run's folder.
  std::vector<cases::Finding> findings(const std::string& run, const std::string& property) const {
    std::vector<cases::Finding> all;
    for (const auto& entry : files::directory_iterator(folder_ / run / "findings")) {
      const auto documents = document::read_file(entry.path().string());
      auto finding = cases::read_finding(documents->front());
      if (finding && finding->property == property) all.push_back(*std::move(finding));
    }
    return all;
  }
};

std::string base_of(const std::string& out) {
  const auto at = out.find("https://");
  return at == std::string::npos ? "" : out.substr(at, out.find('\n', at) - at);
}

webhooks::Answer call(const webhooks::Handler& handler, const Value& pod, const char* version) {
  const cases::Request request;
  const cases::Cluster cluster;
  const Value none;
  return handler({.object = pod,
                  .old_object = none,
                  .request = request,
                  .cluster = cluster,
                  .webhook = "c/w",
                  .review_version = version,
                  .uid = "u",
                  .name = "p"});
}

const char* const kPod =
    R"({"metadata":{"name":"p","namespace":"default"},"spec":{"containers":[{"name":"a"}]}})";

TEST_F(Serve, PrintsAConfigurationThatCanBeAppliedAndEndsWithItsStandardOutput) {
  Running serving({FIXPOINT_PROGRAM, "serve", "peers/sidecar-guarded", "kserve/agent@0.14.1"});
  const auto documents = document::read_stream(serving.out(), {});
  ASSERT_TRUE(documents) << serving.out();
  ASSERT_EQ(documents->size(), 2U) << serving.out();
  const std::string base = base_of(serving.out());
  for (const Value& configuration : *documents) {
    EXPECT_EQ(configuration["kind"].text(), "MutatingWebhookConfiguration");
    const Value& client = configuration["webhooks"].at(0)["clientConfig"];
    EXPECT_EQ(client["url"].text(), base + "/" + std::string(configuration["metadata"]["name"].text()) + "/" +
                                        std::string(configuration["webhooks"].at(0)["name"].text()));
    EXPECT_TRUE(client["service"].is_null());
    const auto handler = webhooks::https(
        {.url = std::string(client["url"].text()), .ca_bundle = std::string(client["caBundle"].text())});
    ASSERT_TRUE(handler);
    for (const char* version : {"v1", "v1beta1"}) {
      const auto answer = call(*handler, document::read_json(kPod, {}).value(), version);
      EXPECT_EQ(answer.problem, "");
      EXPECT_EQ(answer.api_version, std::string("admission.k8s.io/") + version);
      EXPECT_TRUE(answer.uid_echoed);
      EXPECT_TRUE(answer.allowed);
    }
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(serving.stop(SIGTERM), 0) << "though connections are kept";
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
}

TEST_F(Serve, NamesAServiceAndItsCertificateIsGoodForIt) {
  Running serving({FIXPOINT_PROGRAM, "serve", "peers/sidecar-guarded", "--service", "chaos/hooks",
                   "--write-ca", path("ca.pem")});
  const auto documents = document::read_stream(serving.out(), {});
  ASSERT_TRUE(documents) << serving.out();
  std::ofstream(path("m.yaml")) << serving.out();
  const Value& client = documents->front()["webhooks"].at(0)["clientConfig"];
  EXPECT_EQ(client["service"]["namespace"].text(), "chaos");
  EXPECT_EQ(client["service"]["name"].text(), "hooks");
  EXPECT_TRUE(client["url"].is_null());
  EXPECT_EQ(
      run("fuzz m.yaml --seed 7 --cases 16 --ca ca.pem --service chaos/hooks=" + base_of(serving.out())), 0)
      << read("out") << read("err");
  EXPECT_EQ(serving.stop(SIGINT), 0);
}

/// The client and the server of fixpoint test each other: a run over HTTPS finds what a run in the process
/// finds.
TEST_F(Serve, IsFuzzedAsTheInjectorIsInProcess) {
  const std::string subject = "kserve/metrics-aggregator@0.14.1";
  Running serving({FIXPOINT_PROGRAM, "serve", subject, "--write-ca", path("ca.pem")});
  const auto found = injectors::find_subject(subject);
  const std::string webhook = found->webhooks.begin()->first;
  EXPECT_EQ(run("fuzz " + subject + " --seed 77 --cases 192 --out here"), 1) << read("err");
  EXPECT_EQ(run("fuzz " + subject + " --seed 77 --cases 192 --out there --ca ca.pem --webhook " + webhook +
                "=" + base_of(serving.out()) + external::path_of(webhook)),
            1)
      << read("out") << read("err");
  const auto here = findings("here", "idempotent"), there = findings("there", "idempotent");
  ASSERT_FALSE(here.empty());
  ASSERT_FALSE(there.empty()) << read("out");
  std::set<std::string> prints, through;
  for (const auto& finding : here) prints.insert(finding.fingerprint);
  for (cases::Finding finding : there) {
    auto& backend = finding.value.webhooks.at(webhook);
    ASSERT_TRUE(std::holds_alternative<cases::Url>(backend));
    backend = cases::InjectorName{subject};
    // Uses the objects that the server saw in the cluster, instead of those of the Case.
    finding.value.cluster.objects = found->objects;
    finding.value.cluster.objects.push_back(found->configuration);
    const auto prepared = runner::prepare(finding.value, injectors::bundled().resolve, {});
    ASSERT_TRUE(prepared) << prepared.error().text();
    const auto judgement =
        properties::find("idempotent")->ask({prepared->value, prepared->handlers, prepared->admission, {}});
    const auto* violated = std::get_if<properties::Violated>(&judgement);
    ASSERT_NE(violated, nullptr) << "the Case shows it in process, too";
    through.insert(runner::fingerprint(finding.value, "idempotent", violated->violations.front()));
  }
  for (const std::string& print : through) EXPECT_TRUE(prints.contains(print)) << print;
}

TEST_F(Serve, RefusesWhatIsNoReview) {
  const auto authority = webhooks::make_authority({"127.0.0.1"});
  const auto server = webhooks::Server::start(
      {.identity = authority.server, .limits = {.document_bytes_max = 10'000}},
      {{"/c/w", [](const cases::Request& request, std::string_view, std::string_view, std::string_view) {
          return request.object["broken"].is_true() ? webhooks::fail("broken") : webhooks::allow();
        }}});
  ASSERT_TRUE(server);
  const std::string base = "https://127.0.0.1:" + std::to_string((*server)->port());
  const auto handler_of = [&](const std::string& at) {
    return *webhooks::https({.url = base + at, .ca_bundle = authority.authority.certificate});
  };
  EXPECT_EQ(call(handler_of("/c/w"), Value::empty_object(), "v1").problem, "");
  EXPECT_EQ(call(handler_of("/c/w"), Value{{"broken", true}}, "v1").problem, "status 500");
  EXPECT_EQ(call(handler_of("/c/w"), Value{{"long", std::string(20'000, 'x')}}, "v1").problem, "status 413");
  EXPECT_EQ(call(handler_of("/c/w"), Value::empty_object(), "v2").problem, "status 400");
  EXPECT_EQ(call(handler_of("/cxw"), Value::empty_object(), "v1").problem, "status 404");
}

TEST_F(Serve, AnswersManyConnectionsAtOnce) {
  const auto authority = webhooks::make_authority({"127.0.0.1"});
  std::atomic<int> together{0}, most{0};
  const auto server = webhooks::Server::start(
      {.identity = authority.server},
      {{"/c/w", [&](const cases::Request&, std::string_view, std::string_view, std::string_view) {
          const int now_here = ++together;
          for (int seen = most; seen < now_here && !most.compare_exchange_weak(seen, now_here);) continue;
          std::this_thread::sleep_for(std::chrono::milliseconds(50));
          --together;
          return webhooks::allow();
        }}});
  ASSERT_TRUE(server);
  const auto handler =
      *webhooks::https({.url = "https://127.0.0.1:" + std::to_string((*server)->port()) + "/c/w",
                        .ca_bundle = authority.authority.certificate});
  std::vector<std::thread> callers;
  std::atomic<int> good{0};
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&] {
      for (int j = 0; j < 4; ++j) good += call(handler, Value::empty_object(), "v1").problem.empty() ? 1 : 0;
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(good, 32);
  EXPECT_GT(most, 1);
}

/// Opens a connection that sends nothing, as a port scanner does.
int silent_connection(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  EXPECT_EQ(connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  return socket;
}

TEST_F(Serve, IsNotHeldUpByThoseWhoSayNothing) {
  const auto authority = webhooks::make_authority({"127.0.0.1"});
  auto server = webhooks::Server::start(
      {.identity = authority.server}, {{"/c/w", [](const cases::Request&, std::string_view, std::string_view,
                                                   std::string_view) { return webhooks::allow(); }}});
  ASSERT_TRUE(server);
  const int port = (*server)->port();
  std::vector<int> silent;
  for (int i = 0; i < 20; ++i) silent.push_back(silent_connection(port));
  const auto handler = *webhooks::https({.url = "https://127.0.0.1:" + std::to_string(port) + "/c/w",
                                         .ca_bundle = authority.authority.certificate});
  EXPECT_EQ(call(handler, Value::empty_object(), "v1").problem, "");
  const auto begin = std::chrono::steady_clock::now();
  server->reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
  for (const int socket : silent) close(socket);
}

TEST_F(Serve, SaysWhatItCannotServe) {
  const struct {
    const char* arguments;
    const char* says;
  } rows[] = {{"serve kserve/agnt", "did you mean \"kserve/agent\"?"},
              {"serve kserve/hpa", "a reconciler is no webhook"},
              {"serve kserve/agent kserve/modelcar", "another subject has the configuration"},
              {"serve kserve/agent --listen 9443", "--listen 9443: expected HOST:PORT"},
              {"serve kserve/agent --listen 192.0.2.1:0", "192.0.2.1:0: cannot listen"},
              {"serve kserve/agent --service hooks", "--service hooks: expected NAMESPACE/NAME"},
              {"serve kserve/agent --cert x.pem", "--cert and --key: expected both or neither"},
              {"serve kserve/agent --objects none.yaml", "none.yaml"}};
  for (const auto& row : rows) {
    EXPECT_EQ(run(row.arguments), 2) << row.arguments;
    EXPECT_NE(read("err").find(row.says), std::string::npos) << row.arguments << ": " << read("err");
    EXPECT_EQ(read("out"), "");
  }
}

}  // namespace
}  // namespace fixpoint::cli
