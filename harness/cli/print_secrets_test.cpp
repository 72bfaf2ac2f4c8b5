#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/cli/work_folder_model.h"
#include "harness/patterns_model.h"

namespace fixpoint::cli {
namespace {

namespace files = std::filesystem;

/// A text that is in every secret, and in nothing else.
constexpr const char* kMark = "S3cr3t";

/// A container with a secret of each kind.
constexpr const char* kContainer = R"({name: proxy, image: "proxy:1",
  args: ["--password=S3cr3t-flag", "--token", "S3cr3t-next", "--port", "15001",
         "curl -H \"Authorization: Digest S3cr3t-header\" host"],
  command: [sh, -c, "export P=S3cr3t-shell; KEY=S3cr3t-assigned exec run"],
  env: [{name: PLAIN, value: S3cr3t-env}, {name: PORT, value: "15001"},
        {name: URL, value: "postgres://u:S3cr3t-url@db/x"}],
  livenessProbe: {httpGet: {port: 80, httpHeaders: [{name: Authorization, value: Bearer S3cr3t-bearer}]}}})";
constexpr const char* kAnnotations = R"({x.example.io/api-key: S3cr3t-annotation,
  x.example.io/note: "eyJS3cr3tJwt.e30.x",
  x.example.io/pem: "-----BEGIN PRIVATE KEY----- S3cr3tPem -----END PRIVATE KEY-----"})";
constexpr const char* kLabels = "{x.example.io/token: S3cr3t-label}";

/// Returns a Subject whose webhook adds a container. With an empty `when` it has no guard, and adds the
/// container again when it is called again.
std::string subject(const std::string& name, const std::string& when) {
  return "apiVersion: fixpoint/v1\nkind: Subject\nname: " + name +
         "\nconfiguration:\n  apiVersion: admissionregistration.k8s.io/v1\n  kind: "
         "MutatingWebhookConfiguration\n"
         "  metadata: {name: " +
         name +
         "}\n  webhooks:\n    - name: proxy.example.io\n      admissionReviewVersions: [v1]\n"
         "      sideEffects: None\n      reinvocationPolicy: IfNeeded\n"
         "      rules: [{apiGroups: [\"\"], apiVersions: [v1], operations: [CREATE], resources: [pods]}]\n"
         "webhooks:\n  " +
         name + "/proxy.example.io:\n    script:\n      - " + when +
         "patch:\n          - {op: add, path: /metadata/annotations, value: " + kAnnotations +
         "}\n          - {op: add, path: /metadata/labels, value: " + kLabels +
         "}\n          - {op: add, path: /spec/containers/-, value: " + kContainer +
         "}\ncluster:\n  objects:\n"
         "    - {apiVersion: v1, kind: Secret, metadata: {name: s, namespace: default}, data: {k: "
         "S3cr3tsecret}}\n"
         "    - {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: default},"
         " data: {password: S3cr3t-map, app.yaml: \"apiToken: S3cr3t-yaml\"}}\n";
}

std::string event_with_patch() {
  return R"({"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"create","stage":"ResponseComplete",)"
         R"("objectRef":{"resource":"pods","namespace":"default"},)"
         R"("requestObject":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},)"
         R"("spec":{"containers":[{"name":"a","image":"x"}]}},"annotations":{)"
         R"("mutation.webhook.admission.k8s.io/round_0_index_0":)"
         R"("{\"configuration\":\"c\",\"webhook\":\"w.example.io\",\"mutated\":true}",)"
         R"("patch.webhook.admission.k8s.io/round_0_index_0":)"
         R"("{\"configuration\":\"c\",\"webhook\":\"w.example.io\",\"patchType\":\"JSONPatch\",\"patch\":[)"
         R"({\"op\":\"add\",\"path\":\"/spec/containers/0/args\",\"value\":[\"--token\",\"S3cr3t-audit\"]},)"
         R"({\"op\":\"add\",\"path\":\"/spec/containers/0/env\",)"
         R"(\"value\":[{\"name\":\"A\",\"value\":\"S3cr3t-audit-env\"}]}]}"}})"
         "\n";
}

class SecretsOfARun : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("bad.yaml", subject("bad", ""));
    folder_.write("good.yaml",
                  subject("good", "when: {not: {named: {path: /spec/containers, name: proxy}}}\n        "));
    folder_.write("pods.yaml", std::string("apiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: ") +
                                   kAnnotations + ", labels: " + kLabels + "}\nspec:\n  containers:\n    - " +
                                   kContainer + "\n");
    folder_.write("gate.yaml",
                  "apiVersion: fixpoint/v1\nkind: Policy\nsubjects: [bad.yaml]\nseeds: [3]\n"
                  "budget: {cases: 60}\n");
    folder_.write("audit.log", event_with_patch());
  }
  WorkFolder::Ran run(const std::string& arguments) const {
    return folder_.run(FIXPOINT_PROGRAM, folder_.path("corpus"), arguments);
  }
  /// Checks that the program's output, and its files outside the folders of runs, contain no secret.
  void expect_hidden(const std::string& arguments, int code) const {
    const auto ran = run(arguments);
    EXPECT_EQ(ran.code, code) << arguments << "\n" << ran.err;
    EXPECT_FALSE(ran.out.empty() && folder_.names("reports").empty()) << arguments;
    for (const std::string* text : {&ran.out, &ran.err})
      EXPECT_EQ(text->find(kMark), std::string::npos) << arguments << "\n" << text->substr(0, 20'000);
    for (const char* below : {"reports", "seeds"}) {
      for (const std::string& name : folder_.names(below)) {
        const std::string text = folder_.read(std::string(below) + "/" + name);
        const auto at = text.find(kMark);
        EXPECT_EQ(at, std::string::npos)
            << arguments << ": " << name << ": " << text.substr(at < 200 ? 0 : at - 200, 300);
      }
    }
  }
  const WorkFolder folder_{"secrets"};
};

/// A run with a secret of each kind: nothing that leaves the process contains one.
TEST_F(SecretsOfARun, StandInNothingThatLeavesTheProcess) {
  folder_.write("reports/first", "");
  expect_hidden(
      "fuzz bad.yaml --seed 3 --cases 60 --limit shrink_tries_max=1 --out run --report json=reports/a.json "
      "--report html=reports/a.html --report text=reports/a.txt --history history.ndjson",
      1);
  expect_hidden("fuzz bad.yaml --seed 3 --cases 60 --limit shrink_tries_max=1 --json --out events", 1);
  for (const char* format : {"text", "json", "junit", "sarif", "markdown", "html"})
    expect_hidden(std::string("report run --history history.ndjson --format ") + format, 0);
  const std::string finding = "run/findings/" + folder_.names("run/findings").at(0);
  expect_hidden("replay " + finding, 1);
  expect_hidden("replay --json " + finding, 1);
  expect_hidden(
      "gate --config gate.yaml --out gate --markdown reports/gate.md --report sarif=reports/g.sarif", 1);
  expect_hidden("compare bad.yaml peers/sidecar-guarded --seed 3 --cases 20 --out compared --json", 1);
  expect_hidden("compare bad.yaml peers/sidecar-guarded --seed 3 --cases 20 --out compared", 1);
  expect_hidden("advise bad.yaml good.yaml --seed 3 --cases 20 --out advised --json", 1);
  expect_hidden("advise bad.yaml good.yaml --seed 3 --cases 20 --out advised", 1);
  expect_hidden("corpus merge run --out joined", 1);
  expect_hidden("corpus add pods.yaml --audit-log audit.log --to seeds", 0);
  EXPECT_EQ(folder_.names("seeds").size(), 2u);
  // Reports with --show-values do contain the secrets; otherwise this test would prove nothing.
  for (const char* shown : {"--show-values --format json", "--show-values --format html"})
    EXPECT_NE(run(std::string("report run ") + shown).out.find(kMark), std::string::npos) << shown;
  EXPECT_NE(folder_.read("run/events.ndjson").find("S3cr3t-env"), std::string::npos);
}

/// The files of a run keep its secrets, since its Cases must replay; only their owner may read the files.
TEST_F(SecretsOfARun, StayInFilesForTheirOwnerAlone) {
  ASSERT_EQ(run("fuzz bad.yaml --seed 3 --cases 60 --quiet --history history.ndjson").code, 1);
  ASSERT_EQ(run("corpus merge run --out joined").code, 1);
  ASSERT_EQ(run("compare bad.yaml peers/sidecar-guarded --seed 3 --cases 20 --out compared --quiet").code, 1);
  std::vector<std::string> paths{folder_.path("history.ndjson")};
  for (const char* run : {"run", "joined", "compared"}) {
    paths.push_back(folder_.path(run));
    for (const auto& entry : files::recursive_directory_iterator(folder_.path(run)))
      paths.push_back(entry.path());
  }
  EXPECT_GT(paths.size(), 10u);
  for (const std::string& path : paths) {
    struct stat status{};
    ASSERT_EQ(stat(path.c_str(), &status), 0) << path;
    EXPECT_EQ(status.st_mode & 0777, S_ISDIR(status.st_mode) ? 0700u : 0600u) << path;
  }
  for (const std::string& name : folder_.names("run/findings"))
    EXPECT_NE(run("replay run/findings/" + name).out.find("still failing"), std::string::npos) << name;
  EXPECT_NE(run("corpus add --help").out.find("redacted"), std::string::npos);
}

}  // namespace
}  // namespace fixpoint::cli
