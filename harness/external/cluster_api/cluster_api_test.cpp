#include "harness/external/cluster_api/cluster_api.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "harness/document/yaml.h"
#include "harness/external/cluster_api/api_client_model.h"
#include "harness/webhooks/attack_model.h"
#include "harness/webhooks/rest.h"
#include "harness/webhooks/tls_client_model.h"

namespace fixpoint::external {
namespace {

using document::Value;
using webhooks::TlsClient;

class ClusterApiServer : public testing::Test {
 protected:
  void serve(const Limits& limits) {
    auto started = ClusterApi::start({.limits = limits});
    ASSERT_TRUE(started) << started.error().text();
    api_ = *std::move(started);
  }
  std::unique_ptr<webhooks::Rest> client(const ClusterView& view) const {
    return std::make_unique<webhooks::Rest>(
        webhooks::RestOptions{.server = "https://127.0.0.1:" + std::to_string(api_->port()),
                              .ca_bundle = api_->ca_pem(),
                              .token = view.token()});
  }
  /// Begins a watch of ConfigMaps on a connection of its own.
  TlsClient watch(const ClusterView& view, const std::string& query = "watch=true") const {
    TlsClient client(api_->port());
    client.send("GET /api/v1/configmaps?" + query + " HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer " +
                view.token() + "\r\n\r\n");
    return client;
  }
  static cases::Cluster maps(const std::string& name, std::size_t bytes = 0) {
    Value map = core_object("ConfigMap", "default", name);
    map.set("data", {{"filler", std::string(bytes, 'x')}});
    return cluster_with({map});
  }
  static bool waits_until(const std::function<bool()>& is_true) {
    for (int i = 0; i < 500 && !is_true(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return is_true();
  }

  std::unique_ptr<ClusterApi> api_;
};

TEST_F(ClusterApiServer, ServesWhatAServersOwnControllersPublish) {
  serve({});
  const auto view = api_->open_view();
  view->show(maps("a"), "team");
  const auto rest = client(*view);
  for (const char* space : {"default", "kube-system", "team"}) {
    const std::string path = std::string("/api/v1/namespaces/") + space + "/configmaps/kube-root-ca.crt";
    const auto found = rest->send("GET", path);
    EXPECT_EQ(found->body["data"]["ca.crt"].text(), api_->ca_pem()) << path;
  }
  EXPECT_EQ(rest->send("GET", "/api/v1/namespaces/default/configmaps")->body["items"].size(), 2U);
  const auto services = rest->send("GET", "/api/v1/services");
  ASSERT_EQ(services->body["items"].size(), 1U);
  const Value& service = services->body["items"].at(0);
  EXPECT_EQ(service["metadata"]["name"].text(), "kubernetes");
  EXPECT_EQ(service["metadata"]["namespace"].text(), "default");
  EXPECT_EQ(service["spec"]["clusterIP"].text(), "10.96.0.1");
  view->show(maps("kube-root-ca.crt", 3), "");
  EXPECT_EQ(rest->send("GET", "/api/v1/namespaces/default/configmaps/kube-root-ca.crt")
                ->body["data"]["filler"]
                .text(),
            "xxx")
      << "the Case's own comes first";
}

TEST_F(ClusterApiServer, TellsViewsApartByTheirTokens) {
  serve({});
  const auto one = api_->open_view(), other = api_->open_view();
  one->show(maps("a"), "");
  const std::string path = "/api/v1/namespaces/default/configmaps/a";
  EXPECT_EQ(client(*one)->send("GET", path)->status, 200);
  EXPECT_EQ(client(*other)->send("GET", path)->status, 404);
  EXPECT_EQ(one->take_accesses().size(), 1u);
  const auto stranger = webhooks::Rest({.server = "https://127.0.0.1:" + std::to_string(api_->port()),
                                        .ca_bundle = api_->ca_pem(),
                                        .token = "another"})
                            .send("GET", path);
  EXPECT_EQ(stranger->status, 401);
  EXPECT_EQ(stranger->body["message"].text(), "Unauthorized");
}

TEST_F(ClusterApiServer, ForgetsAViewWithItsLastOwner) {
  serve({});
  auto view = api_->open_view();
  const auto rest = client(*view);
  TlsClient watching = watch(*view);
  EXPECT_NE(watching.read(5000, "\r\n\r\n").find(" 200 "), std::string::npos);
  EXPECT_EQ(rest->send("GET", "/api")->status, 200);
  view.reset();
  EXPECT_EQ(rest->send("GET", "/api")->status, 401);
  EXPECT_NE(watching.read(5000, "0\r\n\r\n").find("0\r\n"), std::string::npos) << "the watch has ended well";
}

TEST_F(ClusterApiServer, GivesAKubeconfigThatReads) {
  serve({});
  const auto view = api_->open_view();
  const auto read = document::read_yaml(view->kubeconfig());
  ASSERT_TRUE(read) << read.error().text();
  const Value& user = (*read)["users"].at(0)["user"];
  EXPECT_EQ(user["token"].text(), view->token());
  EXPECT_EQ((*read)["contexts"].at(0)["context"]["namespace"].text(), "default");
}

TEST_F(ClusterApiServer, WritesEventsBeforeShowReturns) {
  serve({});
  const auto view = api_->open_view();
  TlsClient watching = watch(*view);
  watching.read(5000, "\r\n\r\n");
  ASSERT_TRUE(waits_until([&] { return view->has_watches(); }));
  for (int i = 0; i < 20; ++i) {
    const std::string name = "n" + std::to_string(i);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(view->show(maps(name, 100'000), ""));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(20)) << "it settles";
    EXPECT_NE(watching.read(1, "\"" + name + "\"").find("\"" + name + "\""), std::string::npos);
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(view->show(maps("n19", 100'000), ""));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(20)) << "nothing changed";
}

TEST_F(ClusterApiServer, ForgetsAWatchWhoseClientHasLeft) {
  serve({});
  const auto view = api_->open_view();
  {
    TlsClient watching = watch(*view);
    watching.read(5000, "\r\n\r\n");
    EXPECT_TRUE(waits_until([&] { return view->has_watches(); }));
  }
  EXPECT_TRUE(waits_until([&] { return !view->has_watches(); }));
}

TEST_F(ClusterApiServer, KeepsAnIdleWatchAndEndsItInTime) {
  serve({.request_milliseconds_max = 200, .idle_milliseconds_max = 200});
  const auto view = api_->open_view();
  TlsClient watching = watch(*view, "watch=true&timeoutSeconds=2");
  watching.read(5000, "\r\n\r\n");
  EXPECT_FALSE(watching.is_ended_within(1000)) << "an idle watch waits for the server";
  EXPECT_NE(watching.read(5000, "0\r\n\r\n").find("0\r\n"), std::string::npos);
}

TEST_F(ClusterApiServer, CutsASlowReader) {
  serve({.request_milliseconds_max = 300,
         .cluster_settle_milliseconds = 0,
         .cluster_unsent_bytes_max = 8u << 20});
  const auto view = api_->open_view();
  TlsClient deaf = watch(*view);
  ASSERT_TRUE(waits_until([&] { return view->has_watches(); }));
  webhooks::AttackRow row;
  int shown = 0;
  for (; shown < 100 && view->has_watches(); ++shown)
    view->show(maps("n" + std::to_string(shown), 1u << 20), "");
  EXPECT_TRUE(waits_until([&] { return !view->has_watches(); }));
  row.print("a watch that is not read", "cut after " + std::to_string(shown) + " MB");
  EXPECT_LT(shown, 100);
  TlsClient other = watch(*view);
  EXPECT_NE(other.read(5000, "ADDED").find("ADDED"), std::string::npos) << "others are served";
}

TEST_F(ClusterApiServer, HoldsNoMoreWatchesThanTheLimit) {
  serve({.cluster_watches_max = 20});
  const auto view = api_->open_view();
  std::vector<TlsClient> open;
  int refused = 0;
  for (int i = 0; i < 40; ++i) {
    open.push_back(watch(*view));
    refused += open.back().read(5000, "\r\n\r\n").find(" 429 ") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(refused, 20);
  EXPECT_EQ(client(*view)->send("GET", "/api/v1/configmaps")->status, 200);
  EXPECT_TRUE(view->show(maps("a"), ""));
}

TEST_F(ClusterApiServer, AnswersOthersWhileAThousandConnectionsAreOpen) {
  serve({.connections_max = 64, .cluster_watches_max = 64});
  const auto view = api_->open_view();
  webhooks::AttackRow row;
  std::vector<TlsClient> open;
  for (int i = 0; i < 1000; ++i) {
    open.emplace_back(api_->port());
    if (i % 4 == 0) open.back().send("GET /api/v1/configmaps?watch=true HTTP/1.1\r\nHost: h\r\n");
    if (i % 4 == 1) open.back().send("GET /api HTTP/1.1\r\nHost: h\r\n\r\n");
  }
  row.print("1,000 connections", "the slowest are ended, others are answered");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(client(*view)->send("GET", "/api/v1/configmaps")->status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST_F(ClusterApiServer, HoldsATimeoutBackWithoutStoppingOthers) {
  serve({.cluster_timeout_milliseconds = 500});
  const auto view = api_->open_view();
  view->show({}, "", {{.resource = "secrets", .fault = "timeout"}});
  const auto begin = std::chrono::steady_clock::now();
  std::thread slow([&] { EXPECT_EQ(client(*view)->send("GET", "/api/v1/secrets")->status, 504); });
  for (int i = 0; i < 20; ++i) EXPECT_EQ(client(*view)->send("GET", "/api/v1/pods")->status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(500));
  slow.join();
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(500));
}

TEST_F(ClusterApiServer, EndsWhileWatchesAreOpen) {
  serve({});
  const auto view = api_->open_view();
  std::vector<TlsClient> open;
  for (int i = 0; i < 10; ++i) open.push_back(watch(*view));
  for (TlsClient& one : open) one.read(5000, "\r\n\r\n");
  api_.reset();
  EXPECT_TRUE(view->show(maps("a"), "")) << "a view may outlive its server";
  EXPECT_FALSE(view->has_watches());
}

TEST_F(ClusterApiServer, WantsAnAddressOfThisMachine) {
  EXPECT_FALSE(ClusterApi::start({.host = "203.0.113.1"}));
}

}  // namespace
}  // namespace fixpoint::external
