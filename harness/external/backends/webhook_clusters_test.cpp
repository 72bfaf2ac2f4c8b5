#include "harness/external/backends/webhook_clusters.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "harness/cases/faults.h"
#include "harness/document/base64.h"
#include "harness/document/document_stream.h"
#include "harness/document/yaml.h"
#include "harness/external/backends/reachable.h"
#include "harness/webhooks/process.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::external {
namespace {

namespace files = std::filesystem;
using document::Value;

std::string text_of(const std::string& path) {
  const auto text = document::read_text_file(path);
  return text ? *text : "";
}

/// Returns the value of a variable of a process.
std::string variable(const webhooks::ProcessCluster& cluster, const std::string& name) {
  for (const std::string& one : cluster.environment) {
    if (one.starts_with(name + "=")) return one.substr(name.size() + 1);
  }
  return "";
}

/// Returns the status of a read with what a kubeconfig says.
int read_with(const std::string& kubeconfig, const std::string& path) {
  const Value config = document::read_yaml(kubeconfig).value();
  const Value& cluster = config["clusters"].at(0)["cluster"];
  webhooks::Rest rest({.server = std::string(cluster["server"].text()),
                       .ca_bundle = *document::decode_base64(cluster["certificate-authority-data"].text()),
                       .token = std::string(config["users"].at(0)["user"]["token"].text())});
  const auto answer = rest.send("GET", path);
  return answer ? answer->status : -1;
}

constexpr const char* kSecret = "/api/v1/namespaces/default/secrets/db";

/// Everything that a call refers to.
struct CallParts {
  Value object = {{"metadata", {{"name", "web"}}}}, none = {};
  cases::Request request = {};
  cases::Cluster cluster = {};
  webhooks::Call call(std::string_view read_fault = {}) const {
    return {.object = object,
            .old_object = none,
            .request = request,
            .cluster = cluster,
            .webhook = "c/a.b.c",
            .review_version = "v1",
            .uid = "u",
            .name = "web",
            .read_fault = read_fault};
  }
};
CallParts with_secret() {
  CallParts parts;
  parts.cluster.objects = {
      {{"apiVersion", "v1"}, {"kind", "Secret"}, {"metadata", {{"name", "db"}, {"namespace", "default"}}}}};
  return parts;
}

TEST(WebhookClusters, ShowEachProcessItsOwnCluster) {
  WebhookClusters clusters({});
  auto one = clusters.make(), other = clusters.make();
  ASSERT_TRUE(one && other);
  const std::string kubeconfig = variable(*one, "KUBECONFIG");
  const auto status_of_one = [&] { return read_with(text_of(kubeconfig), kSecret); };
  one->show(CallParts().call());
  EXPECT_EQ(status_of_one(), 404);
  ASSERT_EQ(one->take_accesses().size(), 1u);
  one->show(with_secret().call());
  EXPECT_EQ(status_of_one(), 200);
  EXPECT_EQ(read_with(text_of(variable(*other, "KUBECONFIG")), kSecret), 404);
  EXPECT_EQ(variable(*one, "KUBERNETES_SERVICE_HOST"), "127.0.0.1");
  EXPECT_EQ(variable(*one, "KUBERNETES_SERVICE_PORT"), variable(*other, "KUBERNETES_SERVICE_PORT"));
  const files::path account = variable(*one, "FIXPOINT_SERVICE_ACCOUNT");
  const Value config = document::read_yaml(text_of(kubeconfig)).value();
  EXPECT_EQ(text_of((account / "token").string()), config["users"].at(0)["user"]["token"].text());
  EXPECT_EQ(text_of((account / "namespace").string()), "default");
  EXPECT_NE(text_of((account / "ca.crt").string()), "");
  EXPECT_EQ(files::status(kubeconfig).permissions(), files::perms::owner_read | files::perms::owner_write);
  one = webhooks::ProcessCluster{};
  EXPECT_FALSE(files::exists(kubeconfig)) << "the files vanish with the cluster";
}

/// A server that a kubelet starts again: the Case that meets it meanwhile is not blamed.
TEST(Reachable, ACallThatNothingAcceptsIsMadeAgainWhenTheServerIsBack) {
  int calls = 0, waits = 0;
  bool is_there = true, comes_back = true;
  const auto restarts = std::make_shared<Restarts>();
  const webhooks::Handler handler = across_restarts(
      [&](const webhooks::Call&) {
        ++calls;
        return is_there ? webhooks::allow() : webhooks::fail("connection refused: port 9443");
      },
      [&] { return ++waits, is_there = comes_back; }, restarts);
  const CallParts parts;
  is_there = false;
  EXPECT_NE(handler(parts.call()).problem, "") << "it never was there";
  is_there = true;
  EXPECT_EQ(handler(parts.call()).problem, "");
  is_there = false;
  EXPECT_EQ(handler(parts.call()).problem, "");
  EXPECT_EQ(waits, 1);
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(restarts->count, 1);
  is_there = comes_back = false;
  for (int i = 0; i < 3; ++i) EXPECT_NE(handler(parts.call()).problem, "");
  EXPECT_EQ(waits, 2) << "one that does not come back is waited for once";
}

/// A client in a Pod looks for its token in one place.
TEST(WebhookClusters, HaveTheFilesOfAServiceAccountWhereAContainerHasThem) {
  const files::path place = "/var/run/secrets/kubernetes.io/serviceaccount";
  if (files::exists(place) || std::system("unshare --mount mount -t tmpfs none /mnt 2>/dev/null") != 0)
    GTEST_SKIP() << "the machine has such files, or does not let this process mount";
  WebhookClusters clusters({});
  const std::string answering =
      R"(read it; ls /var/run > /dev/null && cd /var/run/secrets/kubernetes.io && space=$(cat */namespace)
      echo '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",' | tr -d '\n'
      echo '"response":{"uid":"u","allowed":false,"status":{"message":"'$space'"}}}')";
  const webhooks::Handler reading =
      webhooks::process({"sh", "-c", answering}, {}, {}, [&] { return clusters.make(); });
  const webhooks::Answer answer = reading(CallParts().call());
  EXPECT_EQ(answer.status.message, "default") << answer.problem;
  EXPECT_FALSE(files::exists(place)) << "nobody else sees them";
}

TEST(WebhookClusters, LetReadsFailAsTheFaultSays) {
  WebhookClusters clusters({.cluster_timeout_milliseconds = 10});
  const auto one = clusters.make();
  ASSERT_TRUE(one);
  const std::string kubeconfig = text_of(variable(*one, "KUBECONFIG"));
  const CallParts parts = with_secret();
  const auto status_under = [&](std::string_view fault) {
    one->show(parts.call(fault));
    return read_with(kubeconfig, kSecret);
  };
  one->show(CallParts().call());
  EXPECT_EQ(status_under("read-stale"), 404) << "the cluster before had no Secret";
  EXPECT_EQ(status_under("read-forbidden"), 403);
  EXPECT_EQ(status_under("read-not-found"), 404);
  EXPECT_EQ(status_under("read-error"), 500);
  EXPECT_EQ(status_under("read-timeout"), 504);
  EXPECT_EQ(status_under(""), 200);
  for (const std::string_view fault : cases::kReadFaults)
    EXPECT_EQ(read_faults_of(fault).size(), 1u) << fault;
}

TEST(WebhookClusters, ShareOneClusterAmongWebhooksBehindUrls) {
  const std::string file = (files::temp_directory_path() / "fixpoint-shared-kubeconfig").string();
  WebhookClusters clusters({});
  const webhooks::Handler unshared =
      clusters.sharing([](const webhooks::Call&) { return webhooks::allow(); });
  EXPECT_TRUE(unshared(CallParts().call()).accesses.empty());
  ASSERT_FALSE(clusters.share(file));
  EXPECT_TRUE(clusters.is_shared());
  EXPECT_EQ(text_of(file), "") << "a webhook that started now would find nothing";
  ASSERT_FALSE(clusters.show({}));
  const std::string kubeconfig = text_of(file);
  const webhooks::Handler reading = clusters.sharing(
      [&](const webhooks::Call&) { return webhooks::deny(read_with(kubeconfig, kSecret), "", ""); });
  EXPECT_EQ(reading(CallParts().call()).status.code, 404);
  const webhooks::Answer answer = reading(with_secret().call());
  EXPECT_EQ(answer.status.code, 200);
  ASSERT_EQ(answer.accesses.size(), 1u);
  EXPECT_EQ(answer.accesses[0].name, "db");
  clusters.stand_still(CallParts().call());
  EXPECT_EQ(read_with(kubeconfig, kSecret), 404);
  EXPECT_TRUE(clusters.share("/no/such/folder/kubeconfig").has_value());
  files::remove(file);
}

/// Two webhooks of a chain read one cluster, and each finds its own configuration.
TEST(WebhookClusters, ServeTheConfigurationsOfTheWebhooksThatReadThem) {
  const std::string file = (files::temp_directory_path() / "fixpoint-two-configurations").string();
  WebhookClusters clusters({});
  ASSERT_FALSE(clusters.share(file));
  ASSERT_FALSE(clusters.show({}));
  const std::string kubeconfig = text_of(file);
  const auto status_of = [&](const std::string& name) {
    return read_with(kubeconfig,
                     "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/" + name);
  };
  CallParts parts;
  for (const char* name : {"a", "b", "neighbour"}) {
    parts.cluster.objects.push_back({{"apiVersion", "admissionregistration.k8s.io/v1"},
                                     {"kind", "MutatingWebhookConfiguration"},
                                     {"metadata", {{"name", name}}}});
  }
  const auto called = [&](std::string_view webhook, const std::string& own) {
    int status = 0;
    webhooks::Call call = parts.call();
    call.webhook = webhook;
    clusters.sharing([&](const webhooks::Call&) {
      status = status_of(own);
      return webhooks::allow();
    })(call);
    return status;
  };
  EXPECT_EQ(called("a/x.y.z", "a"), 200);
  EXPECT_EQ(called("b/x.y.z", "b"), 200);
  EXPECT_EQ(called("a/x.y.z", "a"), 200);
  EXPECT_EQ(called("a/x.y.z", "neighbour"), 404);
  files::remove(file);
}

}  // namespace
}  // namespace fixpoint::external
