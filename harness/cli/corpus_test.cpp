#include "harness/cli/corpus.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "corpus/audit_log.h"
#include "corpus/seed_pod.h"
#include "harness/cases/redaction.h"
#include "harness/cli/command.h"
#include "harness/cli/program_test.h"
#include "harness/cli/running_model.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/runner/examine.h"
#include "injectors/bundled.h"

namespace fixpoint::cli {
namespace {

namespace files = std::filesystem;
using corpus::AuditLog;

/// An event as kube-apiserver 1.36 writes it at level Request, with one webhook that patched in both rounds.
/// The event is one line of the audit log, wrapped here.
constexpr const char* kEvent =
    R"(
{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Request","auditID":"1","stage":"ResponseComplete
","requestURI":"/api/v1/namespaces/team/pods","verb":"create","user":{"username":"alice"},"objectRef":{"
resource":"pods","namespace":"team","name":"web","apiVersion":"v1"},"responseStatus":{"code":201},"reque
stObject":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web","creationTimestamp":null},"spec":{"co
ntainers":[{"name":"app","image":"app:1","env":[{"name":"PASSWORD","value":"hunter2-hunter2"}]}]},"statu
s":{}},"annotations":{"mutation.webhook.admission.k8s.io/round_0_index_0":"{\"configuration\":\"hooks\",
\"webhook\":\"a.example.io\",\"mutated\":true}","patch.webhook.admission.k8s.io/round_0_index_0":"{\"con
figuration\":\"hooks\",\"webhook\":\"a.example.io\",\"patch\":[{\"op\":\"add\",\"path\":\"/spec/volumes\
",\"value\":[]},{\"op\":\"add\",\"path\":\"/spec/volumes/-\",\"value\":{\"name\":\"certs\",\"emptyDir\":
{}}},{\"op\":\"add\",\"path\":\"/spec/containers/-\",\"value\":{\"name\":\"proxy\",\"image\":\"p\",\"env
\":[{\"name\":\"TOKEN\",\"value\":\"a-secret-of-the-proxy\"}]}}],\"patchType\":\"JSONPatch\"}","mutation
.webhook.admission.k8s.io/round_0_index_1":"{\"configuration\":\"later\",\"webhook\":\"b.example.io\",\"
mutated\":true}","patch.webhook.admission.k8s.io/round_0_index_1":"{\"configuration\":\"later\",\"webhoo
k\":\"b.example.io\",\"patch\":[{\"op\":\"add\",\"path\":\"/metadata/labels\",\"value\":{\"seen\":\"yes\
"}}],\"patchType\":\"JSONPatch\"}","mutation.webhook.admission.k8s.io/round_1_index_0":"{\"configuration
\":\"hooks\",\"webhook\":\"a.example.io\",\"mutated\":true}","patch.webhook.admission.k8s.io/round_1_ind
ex_0":"{\"configuration\":\"hooks\",\"webhook\":\"a.example.io\",\"patch\":[{\"op\":\"add\",\"path\":\"/
spec/volumes/1\",\"value\":{\"name\":\"certs\",\"emptyDir\":{}}}],\"patchType\":\"JSONPatch\"}","authori
zation.k8s.io/decision":"allow"}})";

std::string one_line(std::string text) {
  std::erase(text, '\n');
  return text;
}

TEST(AuditLog, MakesACaseThatReplaysWhatWasSeen) {
  AuditLog log(false, {});
  const auto problem = log.take(one_line(kEvent));
  ASSERT_FALSE(problem) << problem->text();
  ASSERT_EQ(log.seeds().size(), 1U);
  const cases::Case& seed = log.seeds().front();
  EXPECT_EQ(seed.request.namespace_name, "team");
  const std::string text = cases::canonical_text(seed);
  EXPECT_EQ(text.find("hunter2"), std::string::npos) << text;
  EXPECT_EQ(text.find("a-secret-of-the-proxy"), std::string::npos) << text;
  EXPECT_EQ(text.find("alice"), std::string::npos) << text;
  const auto prepared = runner::prepare(seed, injectors::bundled().resolve, {});
  ASSERT_TRUE(prepared) << prepared.error().text();
  ASSERT_EQ(prepared->admission.calls.size(), 3U) << "the first webhook again, the second not";
  EXPECT_EQ(prepared->admission.calls[2].pass, 2);
  const auto volumes = prepared->admission.object["spec"]["volumes"].elements();
  EXPECT_EQ(std::count_if(volumes.begin(), volumes.end(),
                          [](const Value& volume) { return volume["name"].text() == "certs"; }),
            2);
  EXPECT_FALSE(prepared->admission.invalid.empty()) << "the duplicate volume, as it was then";
  const auto& seen = log.webhooks().at("hooks/a.example.io");
  EXPECT_EQ(seen.requests, 1U);
  EXPECT_EQ(seen.patched_again, 1U);
  EXPECT_EQ(seen.added_again, std::set<std::string>{"spec.volumes[certs]"});
  EXPECT_EQ(log.webhooks().at("later/b.example.io").patched_again, 0U);
}

TEST(AuditLog, PassesOverWhatIsNoFinishedCreation) {
  const struct {
    const char* from;
    const char* to;
  } rows[] = {{"\"verb\":\"create\"", "\"verb\":\"list\""},
              {"\"stage\":\"ResponseComplete\"", "\"stage\":\"RequestReceived\""},
              {"\"resource\":\"pods\"", "\"resource\":\"pods\",\"subresource\":\"eviction\""},
              {"\"resource\":\"pods\"", "\"resource\":\"services\""},
              {"\"requestObject\"", "\"other\""}};
  AuditLog log(false, {});
  for (const auto& row : rows) {
    std::string line = one_line(kEvent);
    line.replace(line.find(row.from), std::string(row.from).size(), row.to);
    EXPECT_FALSE(log.take(line)) << row.to;
  }
  EXPECT_TRUE(log.seeds().empty());
  EXPECT_EQ(log.without_object(), 1U);
  EXPECT_EQ(log.without_stage(), 0U);
  EXPECT_FALSE(log.take(one_line(R"({"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"create"})")));
  EXPECT_EQ(log.without_stage(), 1U);
  EXPECT_TRUE(log.take("{\"kind\":\"Pod\"}"));
  EXPECT_TRUE(log.take("not JSON"));
}

constexpr const char* kStored = R"(
{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"web-","name":"web-ab2cd","uid":"u","reso
urceVersion":"7","ownerReferences":[{"uid":"o"}],"labels":{"app":"web"},"annotations":{"kubectl.kube
rnetes.io/last-applied-configuration":"{}"}},"spec":{"nodeName":"n","priority":0,"serviceAccount":"d
efault","serviceAccountName":"default","containers":[{"name":"a","volumeMounts":[{"name":"kube-api-a
ccess-ab2cd","mountPath":"/var/run/secrets"}],"env":[{"name":"A","value":"long and secret"},{"name":
"B","value":"true"},{"name":"C","value":"$(A)/x"},{"name":"D","value":"8080"},{"name":"E","valueFrom
":{"fieldRef":{"fieldPath":"spec.nodeName"}}}]}],"volumes":[{"name":"kube-api-access-ab2cd"}],"toler
ations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationS
econds":300},{"key":"mine"}]},"status":{"phase":"Running"}})";

TEST(SeedPod, IsWhatAClientSent) {
  const Value pod = document::read_json(one_line(kStored), {}).value();
  EXPECT_EQ(
      document::write_json(cases::redacted(corpus::as_sent(pod))),
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"web-","labels":{"app":"web"}},"spec":{)"
      R"("containers":[{"name":"a","env":[{"name":"A","value":"redacted"},{"name":"B","value":"true"},)"
      R"({"name":"C","value":"$(A)/x"},{"name":"D","value":"8080"},{"name":"E","valueFrom":{"fieldRef":)"
      R"({"fieldPath":"spec.nodeName"}}}]}],"tolerations":[{"key":"mine"}]}})");
}

class Corpus : public ProgramTest {
 protected:
  int run(const std::string& arguments) const { return ProgramTest::run(arguments, "").code; }
  std::size_t seeds() const {
    std::error_code none;
    return static_cast<std::size_t>(std::distance(files::directory_iterator(folder_ / "corpus/seeds", none),
                                                  files::directory_iterator()));
  }
};

TEST_F(Corpus, TakesPodsAndAuditLogsAndListsThem) {
  write("pods.yaml",
        "apiVersion: v1\nkind: List\nitems:\n"
        "  - {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: x}, spec: {containers: [{name: c, "
        "image: i}]}}\n"
        "  - {apiVersion: v1, kind: Service, metadata: {name: s}}\n");
  write("audit.log", one_line(kEvent) + "\n" + one_line(kEvent) + "\n");
  EXPECT_EQ(run("corpus add pods.yaml --audit-log audit.log"), 0) << read("err");
  EXPECT_EQ(read("out"),
            "hooks/a.example.io: called in 2 requests, patched again in 2; does not converge, added again: "
            "spec.volumes[certs]\nlater/b.example.io: called in 2 requests, patched again in 0\n"
            "2 seeds added to corpus/seeds, 1 were there\n");
  EXPECT_EQ(read("err"), "fixpoint: pods.yaml: document 1: Service is passed over\n");
  EXPECT_EQ(seeds(), 2U);
  EXPECT_EQ(run("corpus list"), 0);
  EXPECT_NE(read("out").find("From an audit log: the webhooks patch as they were seen to."),
            std::string::npos);
  EXPECT_EQ(run("replay corpus/seeds/*.json"), 1) << "the audit log's own failure is in its seed";
}

TEST_F(Corpus, AddsNothingWhenSomethingIsWrong) {
  write("good.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: []}\n");
  write("bad.log", one_line(kEvent) + "\n{\"kind\":\n");
  write("odd.yaml", "just: text\n");
  const struct {
    const char* arguments;
    const char* says;
  } rows[] = {
      {"corpus add good.yaml --audit-log bad.log", "bad.log: line 2: "},
      {"corpus add good.yaml odd.yaml", "odd.yaml: document 1: expected a Pod"},
      {"corpus add good.yaml --audit-log none.log", "none.log: is no regular file"},
      {"corpus add good.yaml --audit-log bad.log --limit document_bytes_max=100", "document_bytes_max = 100"},
      {"corpus add", "expected a file of Pods or --audit-log FILE"},
      {"corpus ad", "did you mean \"add\"?"},
      {"corpus", "expected a subcommand"}};
  for (const auto& row : rows) {
    EXPECT_EQ(run(row.arguments), 2) << row.arguments;
    EXPECT_NE(read("err").find(row.says), std::string::npos) << row.arguments << ": " << read("err");
    EXPECT_EQ(seeds(), 0U) << row.arguments;
  }
}

}  // namespace
}  // namespace fixpoint::cli
