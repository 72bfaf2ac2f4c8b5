#include "harness/external/backends/external_webhooks.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "harness/cli/program_test.h"
#include "harness/document/document_stream.h"
#include "harness/webhooks/tls_server_model.h"

namespace {

namespace files = std::filesystem;
namespace cli = fixpoint::cli;
namespace webhooks = fixpoint::webhooks;

const std::string kHostile = FIXPOINT_HOSTILE_WEBHOOK;

/// The output of a Helm chart, with other kinds of objects, a webhook for Deployments, and a service.
constexpr const char* kManifest = R"(# Source: chart/templates/all.yaml
apiVersion: v1
kind: Service
metadata: {name: hooks, namespace: hooks-system}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: hooks
webhooks:
  - name: proxy.example.io
    admissionReviewVersions: [v1]
    sideEffects: None
    reinvocationPolicy: IfNeeded
    clientConfig:
      service: {name: hooks, namespace: hooks-system, path: /mutate}
    rules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  - name: leases.example.io
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: {service: {name: hooks, namespace: hooks-system}}
    rules:
      - {apiGroups: [coordination.k8s.io], apiVersions: [v1], operations: [CREATE], resources: [leases]}
---
---
apiVersion: v1
kind: ConfigMap
metadata: {name: last}
)";

class OutsideProgram : public fixpoint::cli::ProgramTest {
 protected:
  void SetUp() override {
    cli::ProgramTest::SetUp();
    write("m.yaml", kManifest);
  }
  Outcome run(const std::string& arguments) const { return cli::ProgramTest::run(arguments, "nowhere"); }
  /// Returns the file of the finding of that property.
  std::string finding_of(const std::string& property) const {
    for (const auto& entry : files::directory_iterator(folder_ / "run/findings")) {
      const auto documents = fixpoint::document::read_file(entry.path().string());
      if (documents && documents->front()["property"].text() == property) return entry.path().string();
    }
    return "none";
  }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
std::string behind(const std::string& behaviour) {
  return " --webhook 'proxy.example.io=exec:" + kHostile + " " + behaviour + "'";
}

TEST_F(OutsideProgram, FuzzesACommandBehindAManifestAndReplaysWhatItFound) {
  const Outcome fuzz = run("fuzz m.yaml --seed 7 --cases 64 --jobs 2 --all" + behind("sidecar"));
  EXPECT_EQ(fuzz.code, 1) << fuzz.out << fuzz.err;
  EXPECT_TRUE(has(fuzz.out, "FOUND  no-duplicate-names")) << fuzz.out;
  EXPECT_TRUE(has(fuzz.out, " --allow-exec")) << fuzz.out;
  EXPECT_FALSE(has(fuzz.err, "m.yaml: document 1: Service hooks is passed over")) << fuzz.err;
  EXPECT_TRUE(has(fuzz.err, "hooks/leases.example.io is for leases.coordination.k8s.io and is passed over"))
      << fuzz.err;
  const std::string finding = finding_of("no-duplicate-names");
  const Outcome refused = run("replay " + finding);
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(has(refused.err, "runs only with --allow-exec")) << refused.err;
  EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1);
  EXPECT_EQ(run("admit " + finding).code, 2);
  EXPECT_EQ(run("shrink " + finding).code, 2);
  EXPECT_EQ(run("replay --allow-remote " + finding).code, 2) << "a command is no URL";
  const Outcome replay = run("replay --allow-exec " + finding);
  EXPECT_EQ(replay.code, 1) << replay.err;
  EXPECT_TRUE(has(replay.out, "still failing")) << replay.out;
  EXPECT_EQ(run("shrink --allow-exec " + finding).code, 1);
  const Outcome healed = run("replay " + finding + behind("allow"));
  EXPECT_EQ(healed.code, 3) << healed.out << healed.err;
  EXPECT_TRUE(has(healed.out, "not reached: no webhook under test acts on this Case any more")) << healed.out;
}

TEST_F(OutsideProgram, GivesEqualBytesForEqualSeeds) {
  const std::string line = "fuzz m.yaml --seed 7 --cases 32 --json" + behind("sidecar");
  const auto stable = [](std::string text) {
    for (const char* key : {"\"milliseconds\":", "\"seconds\":", "\"rate\":", "\"elapsed\":"}) {
      for (auto at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
        const auto end = text.find_first_of(",}", at);
        text.erase(at, end - at);
      }
    }
    return text;
  };
  const Outcome first = run(line + " --out a --jobs 1"), second = run(line + " --out b --jobs 2");
  EXPECT_FALSE(first.out.empty());
  EXPECT_EQ(stable(first.out), stable(second.out));
}

TEST_F(OutsideProgram, LearnsWhatAStrangerLooksFor) {
  std::string text = kManifest;
  text.insert(text.find("    rules"),
              "    objectSelector: {matchExpressions: [{key: inject.example.io/proxy, operator: Exists}]}\n"
              "    matchConditions:\n      - name: asked\n        expression: "
              "object.metadata.labels['inject.example.io/proxy'] == 'please'\n");
  write("m.yaml", text);
  const Outcome fuzz = run("fuzz m.yaml --seed 7 --cases 256 --json" + behind("sidecar"));
  EXPECT_TRUE(has(fuzz.out, "no-duplicate-names")) << fuzz.out;
  EXPECT_EQ(fuzz.code, 1) << fuzz.err;
}

/// No selector contains the value that makes this webhook act, and it sends no patch: only the text of its
/// script contains the value.
TEST_F(OutsideProgram, LearnsWhatAScriptSays) {
  write("asks.sh", R"(# annotations.get("mode.example.io/of") == "strict"
while read -r line; do
  case "$line" in *'"mode.example.io/of":"strict"'*) exit 3 ;; esac
  rest=${line#*\"uid\":\"}
  answer='"kind":"AdmissionReview","response":{"uid":"%s","allowed":true}}'
  printf "{\"apiVersion\":\"admission.k8s.io/v1\",$answer\\n" "${rest%%\"*}"
done
)");
  const Outcome fuzz =
      run("fuzz m.yaml --seed 7 --cases 64 --all --webhook 'proxy.example.io=exec:sh asks.sh'");
  EXPECT_EQ(fuzz.code, 1) << fuzz.out << fuzz.err;
  EXPECT_TRUE(has(fuzz.out, "the process ended without an answer (exit 3)")) << fuzz.out;
}

/// A bundled neighbour has a volume of the same name. Both are right, and they never meet in a cluster.
TEST_F(OutsideProgram, LeavesOutANeighbourThatIsARival) {
  write("scratch.sh",
        R"(append=W3sib3AiOiJhZGQiLCJwYXRoIjoiL3NwZWMvdm9sdW1lcy8tIiwidmFsdWUiOnsibmFtZSI6InNjcmF0\
Y2giLCJlbXB0eURpciI6eyJzaXplTGltaXQiOiIxR2kifX19XQ==
make=W3sib3AiOiJhZGQiLCJwYXRoIjoiL3NwZWMvdm9sdW1lcyIsInZhbHVlIjpbeyJuYW1lIjoic2NyYXRj\
aCIsImVtcHR5RGlyIjp7InNpemVMaW1pdCI6IjFHaSJ9fV19XQ==
while read -r line; do
  rest=${line#*\"uid\":\"}
  case "$line" in
    *'"name":"scratch"'*) patch= ;;
    *'"volumes":'*) patch=$append ;;
    *) patch=$make ;;
  esac
  answer="\"uid\":\"${rest%%\"*}\",\"allowed\":true"
  answer="$answer${patch:+,\"patchType\":\"JSONPatch\",\"patch\":\"$patch\"}"
  echo "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"response\":{$answer}}"
done
)");
  const Outcome fuzz =
      run("fuzz m.yaml --seed 7 --cases 400 --webhook 'proxy.example.io=exec:sh scratch.sh'");
  EXPECT_EQ(fuzz.code, 0) << fuzz.out << fuzz.err;
  EXPECT_TRUE(has(fuzz.out, "nothing found")) << fuzz.out;
}

/// Restarting a process takes as long as many calls.
TEST_F(OutsideProgram, LearnsLittleFromOneThatDies) {
  const Outcome fuzz = run("fuzz m.yaml --seed 7 --cases 0" + behind("die-in-the-answer"));
  const auto processes = fuzz.err.find(" processes");
  ASSERT_NE(processes, std::string::npos) << fuzz.err;
  const auto before = fuzz.err.rfind(' ', processes - 1);
  EXPECT_LE(std::stoi(fuzz.err.substr(before + 1)), 10) << fuzz.err;
}

TEST_F(OutsideProgram, SaysWhatAnswersBehindNothing) {
  const Outcome none = run("fuzz m.yaml");
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(has(none.err, "nothing answers behind hooks/proxy.example.io")) << none.err;
  const Outcome unknown =
      run("fuzz m.yaml --webhook other.example.io=https://127.0.0.1:1/" + behind("allow"));
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown.err, "--webhook other.example.io: no subject here has this webhook"))
      << unknown.err;
  const Outcome near = run("fuzz m.yaml --webhook porxy.example.io=https://127.0.0.1:1/" + behind("allow"));
  EXPECT_EQ(near.code, 2);
  EXPECT_TRUE(has(near.err, "no subject here has this webhook (did you mean \"proxy.example.io\"?)"))
      << near.err;
  const Outcome misspelt = run("fuzz m.yaml --webhook porxy.example.io=exec:x");
  EXPECT_EQ(misspelt.code, 2);
  EXPECT_EQ(
      misspelt.err,
      "fixpoint: m.yaml: document 2: --webhook porxy.example.io: no webhook here has this name (did you "
      "mean \"proxy.example.io\"?)\n");
  const struct {
    const char* arguments;
    const char* says;
  } rows[] = {
      {"--webhook proxy.example.io", "expected NAME=URL or NAME=exec:CMD"},
      {"--webhook proxy.example.io=exec:", "expected a command after exec:"},
      {"--webhook proxy.example.io=http://127.0.0.1/", "expected an https URL"},
      {"--webhook proxy.example.io=https://example.org/", "not a loopback address"},
      {"--service hooks=https://127.0.0.1/", "expected NAMESPACE/NAME=URL"},
      {"--service hooks-system/hooks=https://example.org", "not a loopback address"},
      {"--service hooks-system/hooks=https://127.0.0.1/path", "expected an https URL without a path"},
      {"--limit answer_byte_max=1",
       "there is no limit \"answer_byte_max\" (did you mean \"answer_bytes_max\"?)"},
      {"--limit retries_max=-1", "--limit retries_max=-1: expected a whole number"},
      {"--limit retries_max", "expected NAME=VALUE"},
      {"--webhook proxy.example.io=https://127.0.0.1/ --ca none.pem", "none.pem"},
      {"--webhook proxy.example.io=https://127.0.0.1/ --client-cert m.yaml", "expected both or neither"},
  };
  for (const auto& [arguments, says] : rows) {
    const Outcome outcome = run(std::string("fuzz m.yaml ") + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, says)) << arguments << ": " << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

TEST_F(OutsideProgram, CannotFinishWithoutTheSubject) {
  for (const char* behind : {"exec:./no-such-webhook", "https://127.0.0.1:1/mutate"}) {
    const Outcome outcome = run(std::string("fuzz m.yaml --webhook proxy.example.io=") + behind);
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    EXPECT_TRUE(has(outcome.err, "hooks/proxy.example.io does not work: ")) << outcome.err;
  }
}

TEST_F(OutsideProgram, ReportsAWebhookThatDiesAndGoesOn) {
  const Outcome fuzz = run("fuzz m.yaml --seed 7 --cases 16 --all" + behind("die-in-the-answer"));
  EXPECT_EQ(fuzz.code, 1) << fuzz.out << fuzz.err;
  EXPECT_TRUE(has(fuzz.out, "the process ended in the middle of its answer")) << fuzz.out;
  EXPECT_TRUE(has(fuzz.err, "died")) << fuzz.err;
  EXPECT_TRUE(has(fuzz.err, "last words: panic: out of ideas")) << fuzz.err;
}

TEST_F(OutsideProgram, CallsUrlsOverTls) {
  const auto authority = webhooks::make_identity({.name = "authority"});
  const auto identity = webhooks::make_identity(
      {.name = "server", .alternative = "IP:127.0.0.1,DNS:hooks.hooks-system.svc", .issuer = &authority});
  const webhooks::TlsServer server(identity, [](const webhooks::Conversation& c) {
    const auto at = c.body.find("\"uid\":\"") + 7;
    const std::string body = R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",)"
                             R"("response":{"uid":")" +
                             c.body.substr(at, c.body.find('"', at) - at) +
                             R"(","allowed":true,"warnings":["hello from TLS"]}})";
    return c.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  });
  write("ca.pem", authority.certificate);
  const std::string service =
      " --ca ca.pem --service hooks-system/hooks=" + server.url().substr(0, server.url().rfind('/'));
  const Outcome fuzz = run("fuzz m.yaml --seed 7 --cases 32 --jobs 1" + service);
  EXPECT_EQ(fuzz.code, 3) << "it never acts" << fuzz.out << fuzz.err;
  write("pod.yaml", "metadata: {name: web}\nspec: {containers: [{name: app, image: app}]}\n");
  const Outcome inject = run("inject m.yaml pod.yaml" + service);
  EXPECT_EQ(inject.code, 0) << inject.err;
  EXPECT_TRUE(has(inject.out, "\"allowed\": true")) << inject.out;

  std::string stored =
      R"({"apiVersion":"fixpoint/v1","kind":"Case","request":{"object":{"metadata":{"name":"p"},
"spec":{"containers":[{"name":"a","image":"x"}]}}},"cluster":{"objects":[{"apiVersion":
"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},
"webhooks":[{"name":"a.b.c","admissionReviewVersions":["v1"],"sideEffects":"None",
"rules":[{"apiGroups":[""],"apiVersions":["v1"],
"operations":["CREATE"],"resources":["pods"]}]}]}]},"webhooks":{"c/a.b.c":{"url":"URL"}}})";
  stored.replace(stored.find("URL"), 3, server.url());
  write("case.json", stored);
  const Outcome refused = run("admit case.json --ca ca.pem");
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(
      has(refused.err, "/webhooks/c~1a.b.c/url: a URL that a file names is called only with --allow-remote"))
      << refused.err;
  const Outcome admitted = run("admit case.json --allow-remote --ca ca.pem");
  EXPECT_EQ(admitted.code, 0) << admitted.err;
  EXPECT_TRUE(has(admitted.out, "hello from TLS")) << admitted.out;
  const Outcome named = run("admit case.json --ca ca.pem --webhook c/a.b.c=" + server.url());
  EXPECT_TRUE(has(named.out, "hello from TLS")) << named.out << named.err;
  const Outcome untrusted = run("admit case.json --allow-remote");
  EXPECT_TRUE(has(untrusted.out, "\"error\": \"call\"")) << untrusted.out;
}

/// A server that allows every request, with a certificate for these names.
class Allowing {
 public:
  explicit Allowing(const std::string& names)
      : authority_(webhooks::make_identity({.name = "authority"})),
        identity_(webhooks::make_identity({.name = "server", .alternative = names, .issuer = &authority_})),
        server_(identity_, [](const webhooks::Conversation& c) {
          const auto at = c.body.find("\"uid\":\"") + 7;
          const std::string body =
              R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":")" +
              c.body.substr(at, c.body.find('"', at) - at) + R"(","allowed":true}})";
          return c.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                        body);
        }) {}
  const std::string& authority() const { return authority_.certificate; }
  std::string address() const { return server_.url().substr(0, server_.url().rfind('/')); }
  int requests() const { return server_.requests(); }

 private:
  webhooks::Identity authority_, identity_;
  webhooks::TlsServer server_;
};

TEST_F(OutsideProgram, ChecksTheNameOfTheServiceNotOfTheAddress) {
  const Allowing service("DNS:hooks.hooks-system.svc"), address("IP:127.0.0.1,DNS:localhost");
  write("service.pem", service.authority());
  write("address.pem", address.authority());
  const Outcome right =
      run("fuzz m.yaml --seed 7 --cases 4 --jobs 1 --ca service.pem --service hooks-system/hooks=" +
          service.address());
  EXPECT_TRUE(has(right.err, "no verdict: hooks acted in 0 of ")) << right.out << right.err;
  EXPECT_GT(service.requests(), 0);
  const Outcome wrong = run("fuzz m.yaml --seed 7 --cases 4 --ca address.pem --service hooks-system/hooks=" +
                            address.address());
  EXPECT_EQ(wrong.code, 3) << wrong.out << wrong.err;
  EXPECT_FALSE(has(wrong.err, "no verdict")) << wrong.err;
  EXPECT_TRUE(has(wrong.err, "TLS: ")) << wrong.err;
  EXPECT_TRUE(has(wrong.err, "hooks.hooks-system.svc")) << wrong.err;
  EXPECT_EQ(address.requests(), 0);
}

TEST_F(OutsideProgram, MeasuresAServiceBehindHttps) {
  const Allowing service("DNS:hooks.hooks-system.svc"), stranger("DNS:hooks.hooks-system.svc");
  write("service.pem", service.authority());
  write("stranger.pem", stranger.authority());
  const std::string line = "bench m.yaml --calls 3 --chain --service hooks-system/hooks=" + service.address();
  const Outcome right = run(line + " --ca service.pem");
  EXPECT_EQ(right.code, 3) << "it sends no patch: " << right.out << right.err;
  EXPECT_TRUE(has(right.err, "no verdict: hooks changed no Pod")) << right.err;
  EXPECT_TRUE(has(right.out, " 1.0 calls per admission\n")) << right.out;
  EXPECT_GT(service.requests(), 0);
  const Outcome wrong = run(line + " --ca stranger.pem");
  EXPECT_EQ(wrong.code, 3) << wrong.out;
  EXPECT_TRUE(has(wrong.err, "hooks, 1 kB Pod: hooks/proxy.example.io: the call failed: ")) << wrong.err;
}

double seconds_of(const std::function<void()>& act) {
  const auto begin = std::chrono::steady_clock::now();
  act();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST_F(OutsideProgram, EndsInTimeWithAWebhookThatHangs) {
  std::string text = kManifest;
  text.insert(text.find("    rules"), "    timeoutSeconds: 1\n");
  write("m.yaml", text);
  Outcome fuzz;
  const double seconds =
      seconds_of([&] { fuzz = run("fuzz m.yaml --seed 7 --time 2s --jobs 2 --all" + behind("hang")); });
  EXPECT_LT(seconds, 2 + 1 + 1 + 1.5) << "the time, that of the names, a call, and what a busy machine adds";
  EXPECT_EQ(fuzz.code, 1) << fuzz.out << fuzz.err;
  EXPECT_TRUE(has(fuzz.err, "within-budget: hooks/proxy.example.io: ")) << fuzz.err;
  EXPECT_TRUE(has(fuzz.err, " calls had no answer within 1 s")) << fuzz.err;
  EXPECT_TRUE(has(fuzz.out, "stopped by time")) << fuzz.out;
}

TEST_F(OutsideProgram, TakesLimitsByName) {
  const Outcome fuzz =
      run("fuzz m.yaml --seed 7 --cases 4 --time 1s --json --limit answer_bytes_max=20" + behind("allow"));
  EXPECT_EQ(fuzz.code, 1) << fuzz.err;
  EXPECT_TRUE(has(fuzz.out, "answer_bytes_max = 20")) << fuzz.out;
  EXPECT_TRUE(has(fuzz.out, "\"answer_bytes_max\":20")) << "the run says which limits it had";
}

TEST_F(OutsideProgram, TakesASubjectFromAFile) {
  write("s.yaml", R"(apiVersion: fixpoint/v1
kind: Subject
name: my-sidecar
peers: [peers/sidecar-guarded]
configuration:
  apiVersion: admissionregistration.k8s.io/v1
  kind: MutatingWebhookConfiguration
  metadata: {name: my-sidecar}
  webhooks:
    - name: inject.example.io
      admissionReviewVersions: [v1]
      sideEffects: None
      reinvocationPolicy: IfNeeded
      rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
webhooks:
  my-sidecar/inject.example.io:
    script:
      - when: {exists: /metadata/annotations/please.example.io~1inject}
        patch: [{op: add, path: /spec/containers/-, value: {name: proxy, image: "proxy:1"}}]
)");
  const Outcome fuzz = run("fuzz s.yaml --seed 7 --cases 256 --all");
  EXPECT_EQ(fuzz.code, 1) << fuzz.out << fuzz.err;
  EXPECT_TRUE(has(fuzz.out, "FOUND  no-duplicate-names")) << fuzz.out;
  std::string text = read("s.yaml");
  text.insert(text.find("peers"), "owner: me\n");
  write("bad.yaml", text);
  const Outcome bad = run("fuzz bad.yaml");
  EXPECT_EQ(bad.code, 2);
  EXPECT_TRUE(has(bad.err, "bad.yaml: document 1: /owner")) << bad.err;
}

}  // namespace
