#include "harness/conformance/live_cluster.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "harness/cli/command.h"
#include "harness/cli/program_test.h"
#include "harness/cli/running_model.h"
#include "harness/conformance/cluster_as_run.h"
#include "harness/conformance/cluster_cleanup.h"
#include "harness/conformance/kubeconfig.h"
#include "harness/conformance/live_policies.h"
#include "harness/conformance/real_server_test.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/webhooks/tls_server_model.h"

namespace fixpoint::conformance {
namespace {

namespace files = std::filesystem;
using document::Value;

Value json(const char* text) { return document::read_json(text, {}).value(); }

TEST(LiveCase, RunsInANamespaceOfItsOwn) {
  cases::Case value;
  value.request.namespace_name = "models";
  value.request.managed_fields = false;
  value.request.user_info.emplace().username = "somebody";
  value.request.object = json(R"({"metadata":{"name":"p","namespace":"models"},"spec":{}})");
  value.cluster.version = "1.30";
  value.cluster.admission_plugins = {};
  value.cluster.objects = {json(R"({"kind":"Namespace","metadata":{"name":"models","labels":{"a":"b"}}})"),
                           json(R"({"kind":"Secret","metadata":{"name":"s","namespace":"models"}})"),
                           json(R"({"kind":"ConfigMap","metadata":{"name":"c","namespace":"kserve"}})")};
  const auto run = as_run(value, "own", "1.36", true);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->request.namespace_name, "own");
  EXPECT_EQ(run->request.object["metadata"]["namespace"].text(), "own");
  EXPECT_TRUE(run->request.dry_run);
  EXPECT_TRUE(run->request.managed_fields);
  ASSERT_TRUE(run->request.user_info);
  EXPECT_EQ(run->request.user_info->groups, std::vector<std::string>{"system:authenticated"});
  EXPECT_EQ(run->cluster.version, "1.36");
  EXPECT_EQ(run->cluster.admission_plugins.size(), 5U);
  EXPECT_NE(run->cluster.find("Namespace", "", "own"), nullptr);
  EXPECT_NE(run->cluster.find("Secret", "own", "s"), nullptr);
  EXPECT_NE(run->cluster.find("ConfigMap", "kserve", "c"), nullptr);
  value.request.operation = "UPDATE";
  value.request.old_object = json(R"({"metadata":{"name":"p","deletionTimestamp":"2020-01-01T00:00:00Z"}})");
  EXPECT_FALSE(as_run(value, "own", "1.36", true)) << "nobody can create it";
}

TEST(LiveCase, HasNamesOfItsOwnForWhatTheWholeClusterSees) {
  cases::Case value;
  value.request.object = json(R"({"spec":{"priorityClassName":"high","runtimeClassName":"other"}})");
  value.cluster.objects = {
      json(R"({"kind":"PriorityClass","metadata":{"name":"high"},"globalDefault":true})"),
      json(R"({"kind":"RuntimeClass","metadata":{"name":"gvisor"},"handler":"runsc"})")};
  ASSERT_NE(cluster_wide_object(value), nullptr);
  const auto run = as_run(value, "own", "1.36", true);
  ASSERT_TRUE(run);
  EXPECT_NE(run->cluster.find("PriorityClass.scheduling.k8s.io", "", "own-high"), nullptr);
  EXPECT_EQ(run->cluster.find("PriorityClass.scheduling.k8s.io", "", "high"), nullptr);
  EXPECT_NE(run->cluster.find("RuntimeClass.node.k8s.io", "", "own-gvisor"), nullptr);
  EXPECT_EQ(run->request.object["spec"]["priorityClassName"].text(), "own-high");
  EXPECT_EQ(run->request.object["spec"]["runtimeClassName"].text(), "other") << "it is not the Case's";
  value.cluster.objects = {json(R"({"kind":"Secret","metadata":{"name":"s"}})")};
  EXPECT_EQ(cluster_wide_object(value), nullptr);
}

TEST(LiveCase, AsksItsWebhooksAboutNoProbes) {
  cases::Case value;
  value.request.object = json(R"({"metadata":{"name":"p"}})");
  for (const char* kind : {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"})
    value.cluster.objects.push_back(
        {{"kind", kind}, {"metadata", {{"name", "c"}}}, {"webhooks", json(R"([{"name":"a.b.c",
                                         "objectSelector":{"matchLabels":{"a":"b"}}}])")}});
  const auto run = as_run(value, "own", "1.36", true);
  ASSERT_TRUE(run) << run.error().text();
  for (const Value& configuration : run->cluster.objects) {
    const Value& selector = configuration["webhooks"].at(0)["objectSelector"];
    EXPECT_EQ(selector["matchLabels"]["a"].text(), "b");
    EXPECT_EQ(selector["matchExpressions"].at(0)["key"].text(), kProbeLabel);
    EXPECT_EQ(selector["matchExpressions"].at(0)["operator"].text(), "DoesNotExist");
  }
}

TEST(LiveCase, RegistersNothingThatMatchesBeyondItsNamespace) {
  const Value narrow = narrowed(json(R"({"webhooks":[{"name":"a","rules":[{"resources":["*/*"]},
      {"resources":["nodes"],"scope":"Cluster"},{"resources":["*"],"scope":"*"}],
      "namespaceSelector":{"matchLabels":{"a":"b"}}},{"name":"b"}]})"),
                                "own");
  for (const Value& webhook : narrow["webhooks"].elements()) {
    const auto expressions = webhook["namespaceSelector"]["matchExpressions"].elements();
    ASSERT_EQ(expressions.size(), 1U);
    EXPECT_EQ(document::write_json(expressions[0]),
              R"({"key":"kubernetes.io/metadata.name","operator":"In","values":["own"]})");
    for (const Value& rule : webhook["rules"].elements())
      EXPECT_EQ(rule["scope"].text(), "Namespaced") << "a selector lets what has no namespace pass";
  }
  EXPECT_EQ(narrow["webhooks"].at(0)["rules"].size(), 2U) << "a rule for the whole cluster is left out";
  EXPECT_EQ(narrow["webhooks"].at(0)["namespaceSelector"]["matchLabels"]["a"].text(), "b");
}

TEST(LiveClean, KnowsWhetherTheProcessThatMadeAnObjectIsGone) {
  const std::string ours = owner_of_run();
  EXPECT_FALSE(is_gone(ours));
  EXPECT_TRUE(is_gone(ours + "1")) << "another process with its number";
  EXPECT_FALSE(is_gone("another-machine/pid:[1]/1/2"));
  EXPECT_FALSE(is_gone(""));
  EXPECT_FALSE(is_gone(ours.substr(0, ours.rfind('/'))));
  EXPECT_FALSE(is_gone(ours.substr(0, ours.rfind('/')) + "/../1"));
}

/// A fake API server with one object of each owner in each collection; it records deletions.
class HalfCleanServer : public testing::Test {
 protected:
  std::vector<std::string> clean(Clean which, const std::vector<std::string>& owners, const char* born) {
    const auto authority = webhooks::make_identity({.name = "authority"});
    std::vector<std::string> deleted;
    const webhooks::TlsServer server(
        webhooks::make_identity({.alternative = "IP:127.0.0.1", .issuer = &authority}),
        [&](const webhooks::Conversation& c) {
          Value items = Value::empty_list();
          for (const std::string& owner : owners) {
            Value item = marked({{"metadata", {{"name", "of-" + owner.substr(0, 5)}}}}, "run");
            item.edit("metadata").set("creationTimestamp", born);
            item.edit("metadata").edit("annotations").set("fixpoint-live/owner", owner);
            items.push_back(item);
          }
          if (c.head.starts_with("DELETE ")) deleted.push_back(c.head.substr(7, c.head.find(' ', 7) - 7));
          const bool is_ours =
              c.head.find("?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dfixpoint-live ") !=
              std::string::npos;
          const std::string body = document::write_json({{"items", is_ours ? items : Value::empty_list()}});
          return c.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                        body);
        });
    const std::string url = server.url();
    const auto removed =
        clean_cluster({.server = url.substr(0, url.rfind('/')), .ca_bundle = authority.certificate}, which);
    EXPECT_TRUE(removed) << removed.error().text();
    const std::size_t count = removed ? removed->size() : 0;
    constexpr std::size_t kCollections = 9;
    EXPECT_EQ(count + count / kCollections, deleted.size()) << "and the Pods of a namespace";
    return deleted;
  }
  const std::string ours_ = owner_of_run(), gone_ = ours_ + "1";
};

TEST_F(HalfCleanServer, IsCleanedOfWhatProcessesLeftThatAreGone) {
  const auto deleted =
      clean(Clean::what_is_left, {ours_, gone_, "other/pid:[1]/1/2"}, "2999-01-01T00:00:00Z");
  ASSERT_EQ(deleted.size(), 10U);
  EXPECT_TRUE(deleted.front().starts_with(std::string(kPolicyBindingsPath) + "/of-"));
  EXPECT_TRUE(
      deleted[2].starts_with("/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/of-"));
  EXPECT_TRUE(deleted[7].starts_with("/api/v1/namespaces/of-"));
  EXPECT_TRUE(deleted[7].ends_with("/pods"));
}

TEST_F(HalfCleanServer, IsCleanedOfWhatIsOldAndOfEverythingWhenAsked) {
  EXPECT_EQ(clean(Clean::what_is_left, {"other/pid:[1]/1/2"}, "2020-01-01T00:00:00Z").size(), 10U);
  EXPECT_EQ(clean(Clean::what_is_left, {"other/pid:[1]/1/2"}, "2999-01-01T00:00:00Z").size(), 0U);
  EXPECT_EQ(clean(Clean::everything, {ours_, "other/pid:[1]/1/2"}, "2999-01-01T00:00:00Z").size(), 20U);
}

constexpr const char* kAnswer = R"({"metadata":{"name":"p","uid":"u","resourceVersion":"1",
"creationTimestamp":"t","managedFields":[]},"spec":{"volumes":[{"name":"kube-api-access-ab2cd"},
{"name":"kube-api-access-mine-own"}],"containers":[{"volumeMounts":[{"name":"kube-api-access-ab2cd"}]}]},
"status":{"phase":"Pending"}})";

TEST(LiveCase, ForgetsWhatDiffersFromRunToRun) {
  const Value pod = without_fleeting(json(kAnswer));
  EXPECT_EQ(document::write_json(pod),
            R"({"metadata":{"name":"p"},"spec":{"volumes":[{"name":"kube-api-access-xxxxx"},)"
            R"({"name":"kube-api-access-mine-own"}],"containers":[{"volumeMounts":[{"name":)"
            R"("kube-api-access-xxxxx"}]}]}})");
}

TEST(LiveCase, KnowsTheTokenVolumesOfBothPasses) {
  const Value pod = without_fleeting(json(R"({"spec":{"volumes":[{"name":"kube-api-access-ab2cd"},
      {"name":"kube-api-access-fg4hi"}],"containers":[{"volumeMounts":[{"name":"kube-api-access-fg4hi"},
      {"name":"kube-api-access-ab2cd"}]}]}})"));
  EXPECT_EQ(document::write_json(pod),
            R"({"spec":{"volumes":[{"name":"kube-api-access-xxxxx"},{"name":"kube-api-access-yyyyy"}],)"
            R"("containers":[{"volumeMounts":[{"name":"kube-api-access-yyyyy"},)"
            R"({"name":"kube-api-access-xxxxx"}]}]}})");
}

using Kubeconfig = Folder;

constexpr const char* kConfig = R"(apiVersion: v1
kind: Config
current-context: main
contexts:
  - {name: main, context: {cluster: here, user: me}}
  - {name: other, context: {cluster: here, user: nobody}}
clusters:
  - name: here
    cluster: {server: "https://127.0.0.1:6443/", certificate-authority: ca.pem}
users:
  - name: me
    user: {token: secret}
)";

TEST_F(Kubeconfig, ReadsCertificatesAndTokens) {
  write("ca.pem", "the authority");
  const auto read = read_kubeconfig(write("config", kConfig));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->server, "https://127.0.0.1:6443");
  EXPECT_EQ(read->ca_bundle, "the authority") << "beside the file that names it";
  EXPECT_EQ(read->token, "secret");
  std::string text = kConfig;
  text.replace(text.find("token: secret"), 13, "client-certificate-data: Yw==, client-key-data: aw==");
  const auto certified = read_kubeconfig(write("certified", text));
  ASSERT_TRUE(certified) << certified.error().text();
  EXPECT_EQ(certified->client_certificate, "c");
  EXPECT_EQ(certified->client_key, "k");
}

TEST_F(Kubeconfig, RefusesInOneLineWhatItDoesNotDo) {
  write("ca.pem", "the authority");
  const struct {
    const char* from;
    const char* to;
    const char* says;
  } rows[] = {
      {"token: secret", "exec: {command: aws}", "/users/user/exec: credential plugins are not run"},
      {"token: secret", "auth-provider: {name: oidc}",
       "/users/user/auth-provider: credential plugins are not run"},
      {"token: secret", "username: me, password: x", "/users/user/username: passwords are not supported"},
      {"token: secret",
       "client-key-data: aw==", "expected client-certificate and client-key, both or neither"},
      {"token: secret", "client-key-data: '*'", "/users/user/client-key-data: expected base64"},
      {"token: secret", "tokenFile: none", "none"},
      {"certificate-authority: ca.pem", "insecure-skip-tls-verify: true", "TLS is always verified"},
      {"certificate-authority: ca.pem", "proxy-url: 'http://x'", "/clusters/cluster/proxy-url"},
      {"https://127", "http://127", "expected an https URL"},
      {"current-context: main", "current-context: none", "there is no context \"none\""},
      {"current-context: main", "current-context: other", "the context's user is not there"},
      {"kind: Config", "kind: Pod", "expected one kubeconfig"},
  };
  write("case.json", R"({"apiVersion":"fixpoint/v1","kind":"Case","request":{"object":{}}})");
  for (const auto& row : rows) {
    std::string text = kConfig;
    text.replace(text.find(row.from), std::string(row.from).size(), row.to);
    write("config", text);
    EXPECT_EQ(run("live case.json --kubeconfig config"), 2) << row.to;
    const std::string said = read("err");
    EXPECT_NE(said.find(row.says), std::string::npos) << said;
    EXPECT_NE(said.find("config"), std::string::npos) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  }
}

TEST_F(Kubeconfig, CannotFinishWithoutAServer) {
  write("ca.pem", "");
  std::string text = kConfig;
  text.replace(text.find("6443"), 4, "1");
  write("config", text);
  write("case.json", R"({"apiVersion":"fixpoint/v1","kind":"Case","request":{"object":{}}})");
  EXPECT_EQ(run("live case.json --kubeconfig config"), 3);
}

constexpr const char* kConfigurationsPath =
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
constexpr const char* kPriorityClassesPath = "/apis/scheduling.k8s.io/v1/priorityclasses";

/// A Case with a webhook whose rules match everything, which must answer, and a PriorityClass that is the
/// default of the whole cluster.
constexpr const char* kClusterWideCase = R"({"apiVersion":"fixpoint/v1","kind":"Case",
"request":{"object":{"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"x"}]}}},
"cluster":{"objects":[{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"high"},
"value":7,"globalDefault":true},{"apiVersion":"admissionregistration.k8s.io/v1",
"kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},"webhooks":[{"name":"a.b.c",
"admissionReviewVersions":["v1"],"sideEffects":"None","failurePolicy":"Fail",
"rules":[{"apiGroups":["*"],"apiVersions":["*"],"operations":["*"],"resources":["*"],"scope":"*"}]}]}]},
"webhooks":{"c/a.b.c":{"injector":"peers/sidecar-guarded"}}})";

/// An update by a certain user, whose condition fails for every Pod without annotations, such as a probe's.
constexpr const char* kUpdateCase = R"({"apiVersion":"fixpoint/v1","kind":"Case",
"request":{"operation":"UPDATE",
"userInfo":{"username":"somebody","groups":["team"],"extra":{"Example.com/Key":["v"]}},
"oldObject":{"metadata":{"name":"p","annotations":{"a":"b"}},
"spec":{"containers":[{"name":"a","image":"x:1"}]}},
"object":{"metadata":{"name":"p","annotations":{"a":"b"},"labels":{"new":"yes"}},
"spec":{"containers":[{"name":"a","image":"x:2"}]}}},
"cluster":{"objects":[{"apiVersion":"admissionregistration.k8s.io/v1",
"kind":"MutatingWebhookConfiguration","metadata":{"name":"a"},"webhooks":[{"name":"a.b.c",
"admissionReviewVersions":["v1"],"sideEffects":"None","failurePolicy":"Fail",
"matchConditions":[{"name":"annotated","expression":"object.metadata.annotations['a'] == 'b'"},
{"name":"user","expression":"request.userInfo.username == 'somebody'"}],
"rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE","UPDATE"],"resources":["pods"]}]}]}]},
"webhooks":{"a/a.b.c":{"script":[{"patch":[{"op":"add","path":"/metadata/labels/seen","value":"yes"}]}]}}})";

constexpr const char* kCrashCase = R"({"apiVersion":"fixpoint/v1","kind":"Case","request":{
"object":{"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"x:1"}]}}},
"cluster":{"objects":[{"apiVersion":"admissionregistration.k8s.io/v1",
"kind":"MutatingWebhookConfiguration","metadata":{"name":"a"},"webhooks":[{"name":"a.b.c",
"admissionReviewVersions":["v1"],"sideEffects":"None",
"rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":["pods"]}]}]}]},
"webhooks":{"a/a.b.c":{"script":[{"warn":["unheard"]},{"patch":[{"op":"replace","path":""}]}]}}})";

/// The old Pod is created first, and the request is made as the Case's user; the webhook that would refuse a
/// probe is not asked about it.
TEST_F(RealServer, RunsUpdatesAsTheUserOfTheCase) {
  write("case.json", kUpdateCase);
  const auto events =
      live("case.json " FIXPOINT_SOURCE "/corpus/regressions/modelcar-volume-added-again.json", 0);
  ASSERT_EQ(events.size(), 2U);
  const Value& line = events.front()["line"];
  EXPECT_EQ(events.front()["answer"].text(), "agrees") << document::write_json(events.front());
  EXPECT_EQ(line["code"].text(), "200") << document::write_json(line);
  EXPECT_EQ(line["calls"].size(), 1U);
  EXPECT_EQ(line["object"]["metadata"]["labels"]["seen"].text(), "yes");
  EXPECT_EQ(line["object"]["spec"]["containers"].at(0)["image"].text(), "x:2");
  EXPECT_EQ(events.back()["answer"].text(), "agrees") << "the batch went on";
}

/// A Case that cannot be read, or that no server stores, is named, and the others run, also after a request
/// that makes the server panic: its stream is reset.
TEST_F(RealServer, GoesOnBehindWhatItCannotRunAndAfterACrash) {
  write("cases.json", std::string(R"({"apiVersion":"fixpoint/v1","kind":"Case","request":{"object":
      {"metadata":{"name":"p"}}},"cluster":{"objects":[{"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},"webhooks":[{"name":"a.b.c",
      "sideEffects":"Some","admissionReviewVersions":["v1"]}]}]},"webhooks":{"c/a.b.c":{"script":[]}}})") +
                          "\n" + kCrashCase + "\n" + kUpdateCase);
  const auto events = live("missing.json cases.json", 0);
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0]["answer"].text(), "not runnable");
  EXPECT_EQ(events[1]["answer"].text(), "not runnable");
  EXPECT_NE(events[1]["detail"].text().find("is invalid"), std::string::npos);
  EXPECT_EQ(events[2]["line"]["code"].text(), "0") << document::write_json(events[2]);
  for (std::size_t i : {2U, 3U})
    EXPECT_EQ(events[i]["answer"].text(), "agrees") << document::write_json(events[i]);
}

/// Two runs at once do not disturb each other, and leave nothing.
TEST_F(RealServer, AgreesOnRandomCases) {
  const std::string command =
      "live --random 25 --allow-cluster-objects --kubeconfig state/kubeconfig --seed ";
  int beside = -1;
  std::thread other([&] {
    const std::string line =
        "cd " + folder_.string() + " && " FIXPOINT_PROGRAM " " + command + "5 >other 2>&1";
    beside = std::system(line.c_str());
  });
  EXPECT_EQ(run(command + "4"), 0) << read("out") << read("err");
  other.join();
  EXPECT_EQ(beside, 0) << read("other");
  EXPECT_NE(read("err").find(" agreed, 0 differed, "), std::string::npos) << read("err");
  for (const char* collection : {kPriorityClassesPath, kConfigurationsPath, "/api/v1/namespaces"})
    EXPECT_TRUE(left(collection).empty()) << collection;
}

TEST_F(RealServer, AgreesOnDrawnCustomResources) {
  EXPECT_EQ(run("live --random 48 --custom-resources --allow-cluster-objects --kubeconfig state/kubeconfig "
                "--seed 11"),
            0)
      << read("out") << read("err");
  EXPECT_NE(read("err").find(" agreed, 0 differed, "), std::string::npos) << read("err");
}

TEST_F(RealServer, AgreesOnDrawnWorkloads) {
  EXPECT_EQ(
      run("live --random 32 --workloads --allow-cluster-objects --kubeconfig state/kubeconfig --seed 11"), 0)
      << read("out") << read("err");
  EXPECT_NE(read("err").find(" agreed, 0 differed, "), std::string::npos) << read("err");
}

TEST_F(RealServer, IsCleanedOfWhatAKilledRunLeft) {
  write("case.json", kClusterWideCase);
  const auto refused = live("case.json", 3);
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused.front()["answer"].text(), "not runnable");
  EXPECT_NE(refused.front()["detail"].text().find("--allow-cluster-objects"), std::string_view::npos);
  const auto allowed = live("--allow-cluster-objects case.json", 0);
  ASSERT_EQ(allowed.size(), 1U);
  EXPECT_EQ(allowed.front()["line"]["object"]["spec"]["priority"].text(), "7");
  EXPECT_TRUE(left(kPriorityClassesPath).empty());
  // A run is killed while its configurations are seen there, which it may yet have deleted meanwhile.
  const auto is_registered = [&] { return left(kConfigurationsPath).size() == 2; };
  for (int i = 0; i < 20 && !is_registered(); ++i) {
    std::vector<std::string> argv{
        FIXPOINT_PROGRAM,         "live", "--json", "--kubeconfig", (folder_ / "state/kubeconfig").string(),
        "--allow-cluster-objects"};
    argv.insert(argv.end(), 50, (folder_ / "case.json").string());
    cli::Running run(argv, "agrees");
    for (int asked = 0; asked < 500 && !is_registered(); ++asked) {
    }
    run.stop(SIGKILL);
  }
  EXPECT_FALSE(left(kPriorityClassesPath).empty());
  EXPECT_FALSE(left("/api/v1/namespaces").empty());
  EXPECT_EQ(left(kConfigurationsPath).size(), 2U) << "the Case's and the probe's";
  webhooks::Rest rest(*read_kubeconfig((folder_ / "state/kubeconfig").string()));
  for (const char* collection :
       {"/api/v1/namespaces/default/configmaps", "/api/v1/namespaces", kPriorityClassesPath}) {
    Value object = json(R"({"metadata":{"name":"of-somebody-else"}})");
    if (collection == kPriorityClassesPath) object.set("value", 1);
    const auto made = rest.send("POST", collection, object);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->status, 201) << "the webhook that is gone is called: "
                                 << document::write_json(made->body);
  }
  live(FIXPOINT_SOURCE "/corpus/regressions/modelcar-volume-added-again.json", 0);
  EXPECT_NE(read("err").find("which an earlier run left"), std::string::npos) << read("err");
  for (const char* collection : {kPriorityClassesPath, kConfigurationsPath, "/api/v1/namespaces"})
    EXPECT_TRUE(left(collection).empty()) << collection;
  EXPECT_EQ(run("live --clean --kubeconfig state/kubeconfig"), 0);
  EXPECT_EQ(read("err"), "");
}

/// Returns the server's answer to the Case of that file.
const Value* answer_to(const std::vector<Value>& events, const std::string& file) {
  for (const Value& event : events) {
    if (event["place"].text().find("/" + file + ".json") != std::string::npos) return &event;
  }
  return nullptr;
}

TEST_F(RealServer, DoesWhatTheSimulatorSaysOnEverySeedAndRegression) {
  const auto events = live("--allow-cluster-objects " FIXPOINT_SOURCE
                           "/corpus/regressions/*.json " FIXPOINT_SOURCE "/corpus/seeds/*.yaml",
                           0);
  int agreed = 0;
  for (const Value& event : events) {
    agreed += event["answer"].text() == "agrees" ? 1 : 0;
    EXPECT_NE(event["answer"].text(), "differs") << document::write_json(event);
  }
  EXPECT_EQ(static_cast<std::size_t>(agreed), events.size());
  EXPECT_GE(agreed, 63);
  // Failures of KServe as they occur in a real cluster.
  const struct {
    const char* file;
    const char* code;
    const char* type;
  } failures[] = {{"modelcar-volume-added-again", "422", "FieldValueDuplicate"},
                  {"modelcar-container-added-again", "422", "FieldValueDuplicate"},
                  {"metrics-path-env-appended-again", "201", ""},
                  {"storage-container-under-its-own-name-added-again", "422", "FieldValueDuplicate"}};
  for (const auto& failure : failures) {
    const Value* event = answer_to(events, failure.file);
    ASSERT_NE(event, nullptr) << failure.file;
    const Value& line = (*event)["line"];
    EXPECT_EQ(line["code"].text(), failure.code) << document::write_json(line);
    EXPECT_GE(line["calls"].size(), 2U) << "the webhook was called again";
    if (*failure.type == '\0') {
      EXPECT_NE(line["warnings"].at(0).text().find("hides previous definition"), std::string_view::npos);
      continue;
    }
    const auto errors = line["invalid"].elements();
    EXPECT_TRUE(std::any_of(errors.begin(), errors.end(), [&](const Value& error) {
      return error["type"].text() == failure.type;
    })) << failure.file;
  }
  // The seeds are made from the server's own audit log.
  EXPECT_EQ(run("corpus add --audit-log audit.log --to seeds"), 0) << read("err");
  EXPECT_NE(read("out").find("does not converge, added again: "), std::string::npos) << read("out");
  EXPECT_NE(read("out").find("spec.volumes["), std::string::npos) << read("out");
}

TEST_F(RealServer, IsLeftAsItWas) {
  live(FIXPOINT_SOURCE "/corpus/regressions/modelcar-volume-added-again.json", 0);
  live("--store " FIXPOINT_SOURCE "/corpus/regressions/metrics-aggregate-env-appended-again.json", 0);
  auto options = read_kubeconfig((folder_ / "state/kubeconfig").string());
  ASSERT_TRUE(options) << options.error().text();
  webhooks::Rest rest(*options);
  const auto left = rest.send("GET", "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations");
  ASSERT_TRUE(left);
  EXPECT_TRUE(left->body["items"].empty());
  const auto pods = rest.send("GET", "/api/v1/pods");
  ASSERT_TRUE(pods);
  EXPECT_TRUE(pods->body["items"].empty());
  const auto namespaces = rest.send("GET", "/api/v1/namespaces");
  ASSERT_TRUE(namespaces);
  for (const Value& one : namespaces->body["items"].elements()) {
    if (one["metadata"]["name"].text().starts_with("fixpoint-live-")) {
      EXPECT_EQ(one["status"]["phase"].text(), "Terminating") << "no controller is there to finish it";
    }
  }
}

}  // namespace
}  // namespace fixpoint::conformance
