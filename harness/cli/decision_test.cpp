#include <algorithm>
#include <filesystem>
#include <regex>

#include "harness/cli/command.h"
#include "harness/cli/program_test.h"
#include "harness/golden_test.h"
#include "harness/webhooks/tls_server_model.h"

namespace fixpoint::cli {
namespace {

constexpr const char* kPod = R"(apiVersion: v1
kind: Pod
metadata: {name: demo, annotations: {logs.example.io/inject: "true"}}
spec:
  containers:
    - name: app
      image: example/app:1
      env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx1g}, {name: PYTHONPATH, value: /app}]
)";

class Decision : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    std::filesystem::create_symlink(FIXPOINT_HOSTILE_WEBHOOK, path("hook"));
    write("pod.yaml", kPod);
    configure("CREATE");
  }
  void configure(const std::string& operations, const std::string& reinvocation = "IfNeeded") const {
    write("m.yaml",
          "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\n"
          "metadata: {name: shipper}\nwebhooks:\n  - name: pods.logs.example.io\n"
          "    admissionReviewVersions: [v1]\n    sideEffects: None\n    reinvocationPolicy: " +
              reinvocation + "\n    rules: [{apiGroups: [''], apiVersions: [v1], operations: [" + operations +
              "], resources: [pods]}]\n");
  }
  Outcome run(const std::string& arguments) const { return ProgramTest::run(arguments, path("no-corpus")); }
  static std::string backend(const std::string& modes) { return "exec:./hook ship " + modes; }
  /// Writes a policy for the webhook with these words, keeping what it accepts.
  void policy(const std::string& modes) const {
    const std::string old = read("fixpoint.yaml");
    const auto accepted = old.find("accepted:");
    write("fixpoint.yaml",
          "apiVersion: fixpoint/v1\nkind: Policy\nsubjects: [m.yaml]\nwebhooks: "
          "[\"pods.logs.example.io=" +
              backend(modes) + "\"]\nexamples: [pod.yaml]\nbudget: {cases: 24}\n" +
              (accepted == std::string::npos ? "" : old.substr(accepted)));
  }
  Outcome gate(const std::string& more = "") const { return run("gate --allow-exec --jobs 1 " + more); }
  Outcome accept(const std::string& out = "run/gate") const {
    return run("gate --accept " + out + " --all --reason known --until 2999-12-31");
  }
  /// Fuzzes the webhook, and returns the files of its findings of a property.
  std::vector<std::string> findings(const std::string& modes, const std::string& property) const {
    run("fuzz m.yaml --webhook 'pods.logs.example.io=" + backend(modes) +
        "' --example pod.yaml --seed 1 --cases 24 --jobs 1 --quiet --out found");
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(path("found/findings")))
      if (read("found/findings/" + entry.path().filename().string())
              .find("\"property\": \"" + property + "\"") != std::string::npos)
        files.push_back("found/findings/" + entry.path().filename().string());
    std::sort(files.begin(), files.end());
    return files;
  }
  Outcome replay(const std::string& file, const std::string& modes) const {
    return run("replay " + file + " --webhook 'pods.logs.example.io=" + backend(modes) + "'");
  }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A webhook that became worse is not fixed by that.
TEST_F(Decision, OnlyAWebhookThatStillDoesItsWorkIsFixed) {
  const auto files = findings("agent java", "bounded-growth");
  ASSERT_FALSE(files.empty());
  const std::string& file = files.front();
  const struct {
    const char *modes, *says;
    int code;
  } rows[] = {{"agent java", ": still failing: bounded-growth: ", 1},
              {"agent java-fixed", ": fixed: bounded-growth holds", 0},
              {"nothing", ": not reached: no webhook under test acts on this Case any more", 3},
              {"deny", ": not reached: shipper/pods.logs.example.io refuses the Pod: no Pods today", 3},
              {"broken", ": fails otherwise: the call of shipper/pods.logs.example.io now fails: ", 1},
              {"dead", ": not run: shipper/pods.logs.example.io answered no call: ", 3}};
  for (const auto& row : rows) {
    const auto said = replay(file, row.modes);
    EXPECT_EQ(said.code, row.code) << row.modes << said.out << said.err;
    EXPECT_TRUE(has(said.out, row.says)) << row.modes << ": " << said.out;
  }
}

/// The configuration of today is put into the stored Case, and its match step proves the repair.
TEST_F(Decision, ARepairByConfigurationIsFixed) {
  configure("CREATE, UPDATE");
  policy("volume");
  EXPECT_EQ(gate().code, 1);
  EXPECT_EQ(accept().code, 0);
  const auto green = gate();
  EXPECT_EQ(green.code, 0) << green.out << green.err;
  configure("CREATE");
  const auto fixed = gate();
  EXPECT_TRUE(has(fixed.out, "fixed (by configuration: rules leave out UPDATE)")) << fixed.out;
  EXPECT_EQ(fixed.code, 0) << fixed.out << fixed.err;
}

/// Two bugs of one kind in two variables of the user's containers are two problems.
TEST_F(Decision, AnAcceptedGrowthDoesNotCoverThatOfAnotherVariable) {
  policy("agent java");
  EXPECT_EQ(gate().code, 1);
  EXPECT_EQ(accept().code, 0);
  EXPECT_EQ(gate().code, 0) << read("out");
  policy("agent java-fixed python");
  const auto red = gate();
  EXPECT_EQ(red.code, 1) << red.out;
  EXPECT_TRUE(red.out.starts_with("GATE FAILED: new problem ")) << red.out;
  EXPECT_TRUE(has(red.out, "env[PYTHONPATH]")) << red.out;
  EXPECT_TRUE(has(red.out, "is fixed: take it out of fixpoint.yaml")) << red.out;
}

/// The server names one field for every change of an update; the change is the place.
TEST_F(Decision, AnAcceptedChangeOnUpdateDoesNotCoverAnother) {
  configure("CREATE, UPDATE");
  policy("volume");
  EXPECT_EQ(gate().code, 1);
  EXPECT_EQ(accept().code, 0);
  policy("network");
  const auto red = gate();
  EXPECT_EQ(red.code, 1) << red.out;
  EXPECT_TRUE(has(red.out, "new problem ")) << red.out;
  EXPECT_TRUE(has(red.out, "spec.hostNetwork")) << red.out;
  policy("volume network");
  const auto both = gate();
  EXPECT_EQ(both.code, 1) << both.out;
  EXPECT_TRUE(has(both.out, "still there")) << both.out;
}

/// A name of --since means one webhook, however the policy writes it.
TEST_F(Decision, SinceTakesANameShortOrWhole) {
  policy("agent java");
  for (const char* name : {"pods.logs.example.io", "shipper/pods.logs.example.io"}) {
    const std::string since = std::string("--since '") + name + "=";
    EXPECT_EQ(gate(since + backend("agent java") + "'").code, 0) << read("out") << read("err");
    const auto red = gate(since + backend("agent java-fixed") + "'");
    EXPECT_EQ(red.code, 1) << red.out << red.err;
    EXPECT_TRUE(red.out.starts_with("GATE FAILED: new since " + std::string(name))) << red.out;
    const auto dead = gate(since + backend("dead") + "'");
    EXPECT_EQ(dead.code, 3) << dead.out << dead.err;
    EXPECT_TRUE(dead.out.starts_with("GATE WITHOUT VERDICT: cannot compare with ")) << dead.out;
  }
  EXPECT_EQ(gate("--since 'logs.example.io=" + backend("java") + "'").code, 2);
}

/// A program that does not work is reported before the run, with its own words.
TEST_F(Decision, AProgramThatDoesNotWorkIsNoFinding) {
  const auto dead =
      run("fuzz m.yaml --cases 8 --jobs 1 --webhook 'pods.logs.example.io=" + backend("dead") + "'");
  EXPECT_EQ(dead.code, 3) << dead.out << dead.err;
  EXPECT_TRUE(has(dead.err, "  ship: no module named shipper\n")) << dead.err;
  EXPECT_TRUE(has(dead.err,
                  "shipper/pods.logs.example.io does not work: ./hook ship dead answers no "
                  "request: the process ended without an answer (exit 1)"))
      << dead.err;
  const auto denying =
      run("fuzz m.yaml --cases 8 --jobs 1 --seed 1 --webhook 'pods.logs.example.io=" + backend("deny") + "'");
  EXPECT_EQ(denying.code, 3) << denying.out << denying.err;
  EXPECT_TRUE(has(denying.err, " with \"no Pods today\"")) << denying.err;
}

/// Each plain Pod ends it; a Pod with annotations does not.
TEST_F(Decision, AProgramThatCrashesOnPlainPodsHasABug) {
  const auto crashing = run("fuzz m.yaml --cases 60 --jobs 1 --seed 1 --webhook 'pods.logs.example.io=" +
                            backend("agent needs-annotations") + "'");
  EXPECT_EQ(crashing.code, 1) << crashing.out << crashing.err;
  EXPECT_TRUE(has(crashing.out, "ERROR  crashes: exit 1\n")) << crashing.out << crashing.err;
}

/// The second run in one place says what became of the first one's problems.
/// Each run has another seed, since a seed that is given ends the retrying: it may find more.
TEST_F(Decision, ASecondRunRetriesTheFirst) {
  const auto fuzz = [&](const std::string& modes) {
    return run("fuzz m.yaml --example pod.yaml --cases 24 --jobs 1 --webhook 'pods.logs.example.io=" +
               backend(modes) + "'");
  };
  const auto first = fuzz("agent java");
  EXPECT_EQ(first.code, 1) << first.out << first.err;
  EXPECT_TRUE(has(first.out, ", NEW: ")) << first.out;
  const auto still = fuzz("agent java");
  EXPECT_EQ(still.code, 1);
  EXPECT_TRUE(has(still.out, " of the last run in run\n")) << still.out;
  EXPECT_TRUE(has(still.out, ", STILL: ")) << still.out;
  const auto fixed = fuzz("agent java-fixed");
  EXPECT_TRUE(has(fixed.out, "FIXED  pods.logs.example.io changes ")) << fixed.out;
  const auto back = fuzz("agent java");
  EXPECT_EQ(back.code, 1);
  EXPECT_TRUE(has(back.out, ", REOPENED: ")) << back.out;
}

/// A problem that the old release shows in regular containers alone is new in init containers.
TEST_F(Decision, AProblemThatTheOldReleaseHasInPartIsNewInTheRest) {
  write("pod.yaml", std::string(kPod) + "---\n" + kPod +
                        "  initContainers:\n    - name: first\n      image: example/first:1\n"
                        "      env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx1g}]\n");
  policy("agent java java-init");
  const auto red = gate("--since 'pods.logs.example.io=" + backend("agent java") + "'");
  EXPECT_EQ(red.code, 1) << red.out << red.err;
  EXPECT_TRUE(has(red.out, " has it, too, and ")) << red.out;
  EXPECT_TRUE(std::regex_search(red.out, std::regex("[0-9] findings? more (is|are) new: "))) << red.out;
  EXPECT_EQ(gate("--since 'pods.logs.example.io=" + backend("agent java java-init") + "'").code, 0)
      << read("out");
}

/// A policy of an older version names its problem by another id: its Case is replayed, and the id is
/// reported.
TEST_F(Decision, AnAcceptedProblemWithAnotherIdIsFoundByItsCase) {
  policy("agent java");
  EXPECT_EQ(gate().code, 1);
  EXPECT_EQ(accept().code, 0);
  const std::regex ids("(problem: |ids: \\[|fingerprints: \\[)[^\n]*");
  std::string text = std::regex_replace(read("fixpoint.yaml"), ids, "$1");
  text = std::regex_replace(text, std::regex("problem: "), "problem: \"aaaaaaaaaaaa\"");
  text = std::regex_replace(text, std::regex("(ids|fingerprints): \\["), "$1: [\"aaaaaaaaaaaa\"]");
  write("fixpoint.yaml", text);
  const auto green = gate();
  EXPECT_EQ(green.code, 0) << green.out << green.err << text;
  EXPECT_TRUE(std::regex_search(green.out, std::regex("still there \\(was aaaaaaaaaaaa, is [0-9a-f]{12}\\)")))
      << green.out;
}

/// A regression that the old release fails as well is debt, and no reason.
TEST_F(Decision, ARegressionOfBothReleasesIsDebt) {
  write("fixpoint.yaml",
        "apiVersion: fixpoint/v1\nkind: Policy\nsubjects: [kserve/agent@0.20.0]\nbudget: {cases: 1}\n");
  const std::string name = "agent-exceeds-what-the-pod-asks-for\\.json";
  const std::regex debt("  0\\.18\\.0 has it, too: the regression .*" + name),
      reason("the regression .*" + name + " fails");
  const auto since = ProgramTest::run("gate --jobs 1 --since 0.18.0", FIXPOINT_SOURCE "/corpus");
  EXPECT_TRUE(std::regex_search(since.out, debt)) << since.out;
  EXPECT_FALSE(std::regex_search(since.out, reason)) << since.out;
  const auto alone = ProgramTest::run("gate --jobs 1", FIXPOINT_SOURCE "/corpus");
  EXPECT_TRUE(std::regex_search(alone.out, reason)) << alone.out;
}

/// A URL with nothing of the kind behind it is reported before the run, and is no finding.
TEST_F(Decision, AUrlThatAnswersNoReviewIsNoFinding) {
  const auto authority = webhooks::make_identity({.name = "authority"});
  const auto identity =
      webhooks::make_identity({.name = "server", .alternative = "IP:127.0.0.1", .issuer = &authority});
  write("ca.pem", authority.certificate);
  const struct {
    const char *head, *body, *says;
  } rows[] = {{"404 Not Found", "", "status 404"},
              {"200 OK\r\nContent-Type: text/html", "<html>Welcome</html>", " answers no request: "}};
  for (const auto& [head, body, says] : rows) {
    const std::string text = std::string("HTTP/1.1 ") + head +
                             "\r\nContent-Length: " + std::to_string(std::string(body).size()) + "\r\n\r\n" +
                             body;
    const webhooks::TlsServer server(identity, [&](const webhooks::Conversation& c) { return c.send(text); });
    const auto said = run(
        "fuzz m.yaml --cases 8 --jobs 1 --ca ca.pem --webhook 'pods.logs.example.io=" + server.url() + "'");
    EXPECT_EQ(said.code, 3) << said.out << said.err;
    EXPECT_TRUE(has(said.err, "shipper/pods.logs.example.io does not work: " + server.url())) << said.err;
    EXPECT_TRUE(has(said.err, says)) << said.err;
    EXPECT_TRUE(has(said.err, "see that the URL's path is the webhook's")) << said.err;
  }
}

/// A server of one thread that keeps connections open hears nobody else meanwhile: that is no late answer.
TEST_F(Decision, AServerOfOneConnectionIsCalledOverOne) {
  const auto authority = webhooks::make_identity({.name = "authority"});
  const auto identity =
      webhooks::make_identity({.name = "server", .alternative = "IP:127.0.0.1", .issuer = &authority});
  write("ca.pem", authority.certificate);
  const webhooks::TlsServer server(identity, [&](const webhooks::Conversation& said) {
    const auto uid = said.body.find(R"("uid":")") + 7;
    const std::string answer =
        R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":")" +
        said.body.substr(uid, said.body.find('"', uid) - uid) + R"(","allowed":true}})";
    return said.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                     std::to_string(answer.size()) + "\r\n\r\n" + answer);
  });
  const auto said = run(
      "fuzz m.yaml --cases 40 --jobs 4 --ca ca.pem --webhook 'pods.logs.example.io=" + server.url() + "'");
  EXPECT_TRUE(has(said.err, server.url() + " serves one connection at a time")) << said.err;
  EXPECT_FALSE(has(said.out, "FOUND")) << said.out;
  EXPECT_FALSE(has(said.out, "ERROR")) << said.out;
}

/// -x ends the run with the problem that it saw first, shrunk and explained.
TEST_F(Decision, AFuzzRunStopsAtAsManyProblemsAsAreAskedFor) {
  const auto fuzz = [&](const std::string& more) {
    return run(
        "fuzz m.yaml --example pod.yaml --cases 200 --seed 1 --jobs 1 --webhook "
        "'pods.logs.example.io=" +
        backend("agent java python") + "' " + more);
  };
  const auto all = fuzz("--out all"), one = fuzz("-x --out one"), two = fuzz("--max-problems 2 --out two");
  EXPECT_TRUE(has(all.out, "problems: ")) << all.out;
  EXPECT_EQ(one.code, 1) << one.err;
  EXPECT_TRUE(has(one.out, "1 problem: ")) << one.out;
  EXPECT_TRUE(has(one.out, "       repair: ")) << one.out;
  EXPECT_TRUE(has(two.out, "2 problems: ")) << two.out;
}

/// A folder that is no run is said to be none, by every command that takes one.
TEST_F(Decision, AFolderThatIsNoRunIsNamed) {
  std::filesystem::create_directory(path("empty"));
  for (const char* command : {"report empty", "corpus merge empty --out merged", "fuzz --resume empty",
                              "replay empty", "explain 0123456789ab --run empty"}) {
    const auto said = run(command);
    EXPECT_EQ(said.code, 2) << command << said.out;
    EXPECT_TRUE(has(said.err, "empty")) << command << ": " << said.err;
    EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << command << ": " << said.err;
  }
}

/// Returns the text without fingerprints, ids and folders, which follow from what is drawn.
std::string stable(std::string text) {
  text = std::regex_replace(text, std::regex("[0-9a-f]{12}"), "ID");
  return text.substr(0, text.find("\n\n"));
}

/// The walk of a release manager: init, accept, repair, the bug again, another bug, a webhook that fails
/// earlier, an old program that is dead.
TEST_F(Decision, TheWalkOfAReleaseManager) {
  std::string walk;
  const auto step = [&](const std::string& what, const Outcome& said) {
    walk += "# " + what + ": exit " + std::to_string(said.code) + "\n" + stable(said.out) + "\n";
    for (const char* sign : {"NEWS ", "  accepted until "})
      for (auto at = said.out.find(sign); at != std::string::npos; at = said.out.find(sign, at + 1))
        walk += stable(said.out.substr(at, said.out.find('\n', at) - at)) + "\n";
  };
  step("init", run("init m.yaml --webhook 'pods.logs.example.io=" + backend("agent java") + "'"));
  policy("agent java");
  step("a first gate", gate());
  step("accept its problems", accept());
  step("the same webhook", gate());
  policy("agent java-fixed");
  step("repaired", gate());
  policy("agent java");
  step("the bug is back", gate());
  policy("agent java-fixed python");
  step("another variable grows", gate());
  policy("broken agent");
  step("its patch does not apply", gate());
  policy("deny");
  step("it refuses every Pod", gate());
  policy("agent java");
  std::filesystem::remove_all(path("accepted"));
  write("fixpoint.yaml", read("fixpoint.yaml").substr(0, read("fixpoint.yaml").find("accepted:")));
  step("the old release has it", gate("--since 'pods.logs.example.io=" + backend("agent java") + "'"));
  step("the old program is dead", gate("--since 'pods.logs.example.io=" + backend("dead") + "'"));
  expect_golden("harness/cli/golden/walk_of_a_release_manager.txt", walk);
}

}  // namespace
}  // namespace fixpoint::cli
