#include "corpus/examples.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/document/yaml.h"

namespace fixpoint::corpus {
namespace {

namespace files = std::filesystem;
using document::Value;

class ExamplePods : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = files::temp_directory_path() / ("fixpoint-examples-" + std::to_string(getpid()));
    files::remove_all(folder_);
    files::create_directories(folder_);
  }
  void TearDown() override { files::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    files::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::vector<cases::Case> read(const std::string& text) const {
    auto examples = read_examples({write("x.yaml", text)}, {});
    EXPECT_TRUE(examples.ok()) << examples.error().text();
    return examples.ok() ? examples->cases : std::vector<cases::Case>{};
  }
  std::string error_of(const std::string& text) const {
    const auto examples = read_examples({write("x.yaml", text)}, {});
    return examples.ok() ? "none" : examples.error().text().substr(folder_.string().size() + 1);
  }

  files::path folder_;
};

struct Workload {
  const char* head;  ///< the text before the template, which follows with its indentation
  const char* end;
};

/// The template of each kind is where its controller has it; that of an unknown kind, where most kinds have
/// it.
TEST_F(ExamplePods, AreThoseOfEveryWorkload) {
  constexpr const char* kTemplate =
      "{metadata: {labels: {app: web}}, spec: {serviceAccountName: reader, containers: [{name: a, image: "
      "b}]}}";
  const Workload rows[] = {{"kind: Deployment\nspec: {template: ", "}"},
                           {"kind: StatefulSet\nspec: {template: ", "}"},
                           {"kind: DaemonSet\nspec: {template: ", "}"},
                           {"kind: ReplicaSet\nspec: {template: ", "}"},
                           {"kind: Job\nspec: {template: ", "}"},
                           {"kind: ReplicationController\nspec: {template: ", "}"},
                           {"kind: CronJob\nspec: {jobTemplate: {spec: {template: ", "}}}"},
                           {"kind: Rollout\nspec: {template: ", "}"},
                           {"kind: PodTemplate\ntemplate: ", ""}};
  for (const Workload& row : rows) {
    const auto cases = read("apiVersion: any/v1\nmetadata: {name: shop, namespace: team-a}\n" +
                            std::string(row.head) + kTemplate + row.end + "\n");
    ASSERT_EQ(cases.size(), 1u) << row.head;
    EXPECT_EQ(cases[0].request.namespace_name, "team-a") << row.head;
    EXPECT_EQ(cases[0].request.object, *document::read_yaml(R"(
apiVersion: v1
kind: Pod
metadata: {labels: {app: web}, generateName: shop-}
spec: {serviceAccountName: reader, containers: [{name: a, image: b}]}
)")) << row.head;
  }
}

TEST_F(ExamplePods, AreReadAsKubectlPrintsThem) {
  const auto cases = read(R"({"apiVersion": "v1", "kind": "List", "items": [
    {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ml", "labels": {"mesh": "on"}}},
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one", "namespace": "ml", "uid": "7"},
     "spec": {"nodeName": "n", "containers": [{"name": "a", "image": "b"}]}, "status": {"phase": "Running"}},
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "two"},
     "spec": {"containers": [{"name": "a", "image": "b"}]}}]})");
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].request.namespace_name, "ml");
  EXPECT_TRUE(cases[0].request.object["status"].is_null());
  EXPECT_TRUE(cases[0].request.object["metadata"]["uid"].is_null());
  EXPECT_NE(cases[0].cluster.find("Namespace", "", "ml"), nullptr);
  EXPECT_EQ(cases[1].request.namespace_name, "default");
}

TEST_F(ExamplePods, AreReadFromFolders) {
  write("pods/b.yaml", "kind: Pod\nmetadata: {name: b}\nspec: {containers: [{name: a, image: b}]}\n");
  write("pods/a.json",
        R"({"kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{"name": "a"}]}})");
  write("pods/c.yml", "kind: Service\nmetadata: {name: c}\n");
  write("pods/notes.txt", "no document");
  const auto examples = read_examples({(folder_ / "pods").string()}, {});
  ASSERT_TRUE(examples.ok()) << examples.error().text();
  ASSERT_EQ(examples->cases.size(), 2u);
  EXPECT_EQ(examples->cases[0].request.object["metadata"]["name"].text(), "a");
  ASSERT_EQ(examples->others.size(), 1u);
  EXPECT_EQ(examples->others[0].object["kind"].text(), "Service");
  EXPECT_TRUE(examples->others[0].place.ends_with("c.yml: document 1"));
}

TEST_F(ExamplePods, AreMadeForServiceAccountsAndNamespaces) {
  const auto accounts = read(R"(
kind: ServiceAccount
metadata: {name: reader, namespace: team-a, annotations: {example.com/role: reader}}
---
kind: Namespace
metadata: {name: team-a, labels: {mesh: "on"}}
)");
  ASSERT_EQ(accounts.size(), 1u);
  EXPECT_EQ(accounts[0].request.namespace_name, "team-a");
  EXPECT_EQ(accounts[0].request.object["spec"]["serviceAccountName"].text(), "reader");
  EXPECT_NE(accounts[0].cluster.find("ServiceAccount", "team-a", "reader"), nullptr);
  EXPECT_NE(accounts[0].cluster.find("Namespace", "", "team-a"), nullptr);
  const auto spaces = read("kind: Namespace\nmetadata: {name: team-b}\n");
  ASSERT_EQ(spaces.size(), 1u);
  EXPECT_EQ(spaces[0].request.namespace_name, "team-b");
}

TEST_F(ExamplePods, OfAFolderHaveAllOfItsObjects) {
  write("app/account.yaml", "kind: ServiceAccount\nmetadata: {name: reader}\n");
  write("app/pod.yaml",
        "kind: Pod\nmetadata: {name: b}\nspec: {serviceAccountName: reader, containers: [{name: a, image: "
        "b}]}\n");
  const auto examples = read_examples({(folder_ / "app").string()}, {});
  ASSERT_TRUE(examples.ok()) << examples.error().text();
  ASSERT_EQ(examples->cases.size(), 1u);
  EXPECT_NE(examples->cases[0].cluster.find("ServiceAccount", "default", "reader"), nullptr);
}

TEST_F(ExamplePods, SayWhatIsWrongInOneLine) {
  EXPECT_EQ(error_of("# nothing\n"),
            "x.yaml: expected an object, such as a Pod or a workload with a Pod template, found none");
  EXPECT_EQ(error_of("kind: Namespace\n"), "x.yaml: document 1: /metadata/name: expected a name");
  EXPECT_EQ(error_of("just: text\n"),
            "x.yaml: document 1: expected an object with a kind, such as a Pod or a Deployment");
  EXPECT_EQ(error_of("kind: Pod\nspec: {containers: []}\n"),
            "x.yaml: document 1: /spec/containers: expected a container");
  EXPECT_NE(error_of("kind: Pod\nspec: {containers: 7}\n"), "none");
  EXPECT_NE(error_of("kind: [\n"), "none");
  EXPECT_FALSE(read_examples({(folder_ / "missing").string()}, {}).ok());
}

TEST(StoredSeeds, AreAboutTheSubjectsOfTheirConfigurations) {
  const auto seeds = read_stored_seeds(std::string(FIXPOINT_SOURCE) + "/corpus", {});
  ASSERT_TRUE(seeds.ok()) << seeds.error().text();
  EXPECT_GE(seeds->size(), 8u);
  runner::Subject kserve{.configuration = {{"metadata", {{"name", "inferenceservice.serving.kserve.io"}}}}};
  runner::Subject stranger{.configuration = {{"metadata", {{"name", "stranger"}}}}};
  for (const cases::Case& seed : *seeds) {
    EXPECT_TRUE(fits(seed, kserve)) << seed.name;
    EXPECT_FALSE(fits(seed, stranger)) << seed.name;
  }
  EXPECT_TRUE(fits({}, stranger)) << "a Pod that says nothing of webhooks";
  EXPECT_TRUE(read_stored_seeds("/nonexistent", {})->empty());
}

}  // namespace
}  // namespace fixpoint::corpus
