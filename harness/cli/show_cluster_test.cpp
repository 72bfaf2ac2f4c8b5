#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "harness/cli/program_test.h"
#include "harness/cli/running_model.h"
#include "harness/document/base64.h"
#include "harness/document/yaml.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::cli {
namespace {

using document::Value;

constexpr const char* kManifests = R"(apiVersion: v1
kind: Secret
metadata: {name: storage-config, namespace: default}
stringData: {key: value}
---
apiVersion: other.io/v1
kind: Gadget
metadata: {name: g}
)";
constexpr const char* kCase = R"({"apiVersion": "fixpoint/v1", "kind": "Case",
 "request": {"namespace": "team", "object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"},
                                             "spec": {"containers": [{"name": "c", "image": "i"}]}}},
 "cluster": {"objects": []}})";

class ShowCluster : public ProgramTest {
 protected:
  static webhooks::Rest client(const std::string& kubeconfig) {
    const auto read = document::read_yaml(kubeconfig);
    EXPECT_TRUE(read) << kubeconfig;
    const Value& cluster = (*read)["clusters"].at(0)["cluster"];
    return webhooks::Rest(
        {.server = std::string(cluster["server"].text()),
         .ca_bundle =
             document::decode_base64(cluster["certificate-authority-data"].text()).value_or(std::string()),
         .token = std::string((*read)["users"].at(0)["user"]["token"].text())});
  }
  /// Waits until the file of the test's folder has that text.
  bool has_soon(const std::string& name, const std::string& text) const {
    for (int i = 0; i < 500 && read(name).find(text) == std::string::npos; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return read(name).find(text) != std::string::npos;
  }
};

TEST_F(ShowCluster, ServesManifestsAndPrintsTheKubeconfig) {
  Running serving({FIXPOINT_PROGRAM, "cluster", write("manifests.yaml", kManifests)});
  webhooks::Rest rest = client(serving.out());
  const auto found = rest.send("GET", "/api/v1/namespaces/default/secrets/storage-config");
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->body["data"]["key"].text(), "dmFsdWU=");
  EXPECT_EQ(serving.stop(SIGTERM), 0);
}

TEST_F(ShowCluster, ServesACaseAndTracesWhatIsRead) {
  const std::string file = write("case.json", kCase), config = path("kubeconfig");
  Running serving({"/bin/sh", "-c",
                   "exec " FIXPOINT_PROGRAM " cluster --trace --kubeconfig-out " + config + " " + file +
                       " >" + path("out") + " 2>" + path("trace")});
  ASSERT_TRUE(has_soon("trace", "serving the cluster at https://127.0.0.1:")) << read("trace");
  struct stat status{};
  ASSERT_EQ(stat(config.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u) << "the token is a secret";
  webhooks::Rest rest = client(read("kubeconfig"));
  EXPECT_EQ(rest.send("GET", "/api/v1/namespaces/team")->status, 200) << "the request's namespace";
  EXPECT_EQ(rest.send("GET", "/api/v1/namespaces/default/secrets/none")->status, 404);
  EXPECT_TRUE(has_soon("trace", "read Namespace team\nread Secret default/none: not found\n"))
      << read("trace");
}

TEST_F(ShowCluster, IsReadByKubectl) {
  if (std::system("command -v kubectl >/dev/null") != 0) GTEST_SKIP() << "there is no kubectl";
  const std::string config = path("kubeconfig");
  Running serving({"/bin/sh", "-c",
                   "exec " FIXPOINT_PROGRAM " cluster --kubeconfig-out " + config + " " +
                       write("manifests.yaml", kManifests) + " >" + path("out") + " 2>" + path("notes")});
  ASSERT_TRUE(has_soon("notes", "serving")) << read("notes");
  EXPECT_TRUE(has_soon("notes", "Gadget of other.io is served as gadgets, a guess")) << read("notes");
  const auto kubectl = [&](const std::string& arguments) {
    const std::string line = "HOME=" + folder_.string() + " kubectl --kubeconfig " + config + " " +
                             arguments + " >" + path("said") + " 2>&1";
    return std::system(line.c_str()) == 0 ? read("said") : "failed: " + read("said");
  };
  EXPECT_NE(kubectl("get secrets").find("storage-config   Opaque   1"), std::string::npos) << read("said");
  EXPECT_NE(kubectl("get secret storage-config -o yaml").find("key: dmFsdWU="), std::string::npos)
      << read("said");
  EXPECT_NE(kubectl("describe secret storage-config").find("5 bytes"), std::string::npos) << read("said");
  EXPECT_NE(kubectl("delete secret storage-config").find("deleted"), std::string::npos) << read("said");
  EXPECT_NE(kubectl("get secret storage-config").find("NotFound"), std::string::npos) << read("said");
  const std::string dry = kubectl("apply --dry-run=server -f " + write("map.yaml", R"(apiVersion: v1
kind: ConfigMap
metadata: {name: m, namespace: default}
)"));
  EXPECT_NE(dry.find("configmap/m created (server dry run)"), std::string::npos) << dry;
}

TEST_F(ShowCluster, SaysWhatItCannotServe) {
  EXPECT_EQ(run("cluster nowhere.yaml", "nowhere").code, 2);
  EXPECT_EQ(run("cluster --listen 127.0.0.1 " + write("m.yaml", kManifests), "nowhere").code, 2);
  EXPECT_EQ(run("cluster " + write("two.json", std::string(kCase) + kCase), "nowhere").code, 2);
  EXPECT_NE(read("err").find("expected one Case"), std::string::npos) << read("err");
}

}  // namespace
}  // namespace fixpoint::cli
