// Reports of runs without a verdict, and input that no run may accept silently: a pass must mean something.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "harness/cli/command.h"
#include "harness/cli/program_test.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"

namespace fixpoint::cli {
namespace {

namespace files = std::filesystem;

class RunVerdict : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("m.yaml", kOneWebhook);
    write("idle.sh", webhook_in_bash(":"));
  }
  Outcome run(const std::string& arguments) const { return ProgramTest::run(arguments, "nowhere"); }
  static bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  static constexpr const char* kIdle = " --webhook 'proxy.example.io=exec:bash idle.sh'";
};

/// A Subject file whose script acts on one annotation, with a patch that the server rejects.
constexpr const char* kScripted = R"(apiVersion: fixpoint/v1
kind: Subject
name: scripted
webhooks:
  scripted/hook.example.io:
    script:
      - when: {exists: /metadata/annotations/scripted.example.io~1level}
        patch:
          - {op: add, path: /spec/containers/-, value: {name: proxy, image: "registry.example.io/proxy:3"}}
configuration:
  apiVersion: admissionregistration.k8s.io/v1
  kind: MutatingWebhookConfiguration
  metadata: {name: scripted}
  webhooks:
    - name: hook.example.io
      admissionReviewVersions: [v1]
      sideEffects: None
      reinvocationPolicy: IfNeeded
      objectSelector: {matchExpressions: [{key: team, operator: NotIn, values: [platform]}]}
      rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
)";

/// Returns the same Subject with another patch.
std::string scripted(const std::string& patch) {
  std::string text = kScripted;
  const auto begin = text.find("          - {op: add"), end = text.find('\n', begin);
  return text.replace(begin, end - begin, "          - " + patch);
}
const std::string kLevel = "path: /metadata/annotations/scripted.example.io~1level";

TEST_F(RunVerdict, AWebhookThatNeverActsIsNoPass) {
  const Outcome fuzz = run(std::string("fuzz m.yaml --seed 1 --cases 40 --out run") + kIdle +
                           " --report junit=run.xml --report sarif=run.sarif --report markdown=run.md"
                           " --report html=run.html --report json=run.json");
  EXPECT_EQ(fuzz.code, 3) << fuzz.out << fuzz.err;
  const std::string sentence = "hooks acted in 0 of 40 Cases";
  EXPECT_TRUE(says(fuzz.out, "NO VERDICT: " + sentence)) << fuzz.out;
  EXPECT_TRUE(says(fuzz.err, "fixpoint: no verdict: " + sentence)) << fuzz.err;
  EXPECT_TRUE(says(run("report run").out, "NO VERDICT: " + sentence));
  EXPECT_TRUE(says(read("run.xml"), "message=\"" + sentence + "\"")) << read("run.xml");
  EXPECT_TRUE(says(read("run.sarif"), "\"executionSuccessful\": false")) << read("run.sarif");
  EXPECT_TRUE(says(read("run.md"), "no verdict: " + sentence)) << read("run.md");
  EXPECT_TRUE(says(read("run.html"), "NO VERDICT: " + sentence));
  EXPECT_TRUE(says(read("run.json"), "\"noVerdict\": true")) << read("run.json");
  const Outcome merged = run("corpus merge run --out joined");
  EXPECT_EQ(merged.code, 3) << merged.out << merged.err;
}

TEST_F(RunVerdict, TwoWebhooksThatDoNothingAreNotCompared) {
  std::string other = kOneWebhook;
  other.replace(other.find("hooks"), 5, "other");
  write("other.yaml", other);
  const Outcome compared =
      run("compare m.yaml other.yaml --cases 20 --webhook 'hooks/proxy.example.io=exec:bash idle.sh' "
          "--webhook 'other/proxy.example.io=exec:bash idle.sh'");
  EXPECT_EQ(compared.code, 3) << compared.out << compared.err;
  EXPECT_TRUE(says(compared.out, "NO VERDICT: neither hooks nor other changed or refused a Pod, in 20 Cases"))
      << compared.out;
  EXPECT_EQ(run("compare defects/timestamp@fixed peers/sidecar-guarded --cases 20 --out two").code, 1);
}

TEST_F(RunVerdict, TheGateFailsWithoutOne) {
  write("subject.yaml",
        std::string(kScripted)
            .replace(std::string(kScripted).find("exists:"), 7, "equals:")
            .replace(std::string(kScripted).find("/metadata/annotations/scripted.example.io~1level"), 48,
                     "{path: /spec/hostname, value: never-drawn}"));
  write("policy.yaml",
        "apiVersion: fixpoint/v1\nkind: Policy\nsubjects: [subject.yaml]\nseeds: [1]\nbudget: {cases: 40}\n");
  const Outcome gate = run("gate --config policy.yaml");
  EXPECT_EQ(gate.code, 1) << gate.out << gate.err;
  EXPECT_TRUE(says(gate.out, "no verdict: scripted acted in 0 of 40 Cases")) << gate.out << gate.err;
}

/// The values of `NotIn` and `DoesNotExist` keep a webhook away: if every Case had them, the webhook would
/// never act.
TEST_F(RunVerdict, AnOptOutIsNoTrigger) {
  write("subject.yaml", kScripted);
  run("fuzz subject.yaml --seed 1 --cases 200 --quiet");
  const auto summary = document::read_file(path("run/run.json"));
  ASSERT_TRUE(summary.ok());
  EXPECT_GE((*summary)[0]["acted"]["scripted"].integer().value_or(0), 50)
      << document::write_json((*summary)[0]["acted"]);
}

TEST_F(RunVerdict, ShrinkingNeverTouchesTheSubject) {
  write("subject.yaml", kScripted);
  const Outcome fuzz = run("fuzz subject.yaml --seed 1 --cases 100");
  EXPECT_EQ(fuzz.code, 1) << fuzz.out << fuzz.err;
  const document::Value subject = (*document::read_file(path("subject.yaml")))[0];
  const document::Value& hook = subject["configuration"]["webhooks"].at(0);
  std::size_t findings = 0;
  for (const auto& entry : files::directory_iterator(folder_ / "run/findings")) {
    const document::Value value = (*document::read_file(entry.path().string()))[0]["case"];
    ++findings;
    for (const auto& member : value["webhooks"].members()) {
      if (!member.key.text().ends_with("scripted/hook.example.io")) continue;
      EXPECT_EQ(member.value["script"], subject["webhooks"]["scripted/hook.example.io"]["script"])
          << entry.path();
    }
    for (const document::Value& object : value["cluster"]["objects"].elements()) {
      if (!object["metadata"]["name"].text().ends_with("scripted")) continue;
      EXPECT_EQ(object["webhooks"].at(0)["objectSelector"], hook["objectSelector"]) << entry.path();
      EXPECT_EQ(object["webhooks"].at(0)["rules"], hook["rules"]) << entry.path();
    }
  }
  EXPECT_GT(findings, 0u);
}

TEST_F(RunVerdict, ReportsPrintTheFlagsThatAReplayNeeds) {
  const Outcome fuzz = run(std::string("fuzz m.yaml --seed 7 --cases 32 --webhook 'proxy.example.io=exec:") +
                           FIXPOINT_HOSTILE_WEBHOOK + " sidecar'");
  EXPECT_EQ(fuzz.code, 1) << fuzz.err;
  for (const char* format : {"text", "markdown", "html"}) {
    const std::string report = run(std::string("report run --format ") + format).out;
    std::size_t commands = 0;
    for (auto at = report.find("fixpoint replay run/"); at != std::string::npos;
         at = report.find("fixpoint replay run/", at + 1), ++commands)
      EXPECT_EQ(report.substr(report.find(".json", at) + 5, 13), " --allow-exec") << format;
    EXPECT_GT(commands, 0u) << format;
  }
}

/// Removing a field is a loss for the user, unless the author declares that the webhook owns it.
TEST_F(RunVerdict, WhatIsOwnedMayGo) {
  const std::string removal = scripted("{op: remove, " + kLevel + "}");
  const std::string owns = "owns: ['metadata.annotations[scripted.example.io/*]']\n";
  const std::string policy =
      "apiVersion: fixpoint/v1\nkind: Policy\nsubjects: [subject.yaml]\nbudget: {cases: 60}\n";
  write("subject.yaml", removal);
  write("owner.yaml", removal + owns);
  write("policy.yaml", policy);
  write("owning.yaml", policy + owns);
  const std::string fuzz = " --seed 1 --cases 60 --sample-every 1 --jobs 1 --all";
  const auto finds = [&](const std::string& arguments) {
    const Outcome outcome = run(arguments);
    EXPECT_NE(outcome.code, 2) << outcome.err;
    return says(outcome.out, "preserves-others") && says(outcome.out, "is gone after the call");
  };
  EXPECT_TRUE(finds("fuzz subject.yaml" + fuzz));
  EXPECT_FALSE(finds("fuzz subject.yaml --owns 'metadata.annotations[scripted.example.io/level]'" + fuzz));
  EXPECT_FALSE(finds("fuzz owner.yaml" + fuzz));
  EXPECT_TRUE(finds("gate --jobs 1 --config policy.yaml"));
  EXPECT_FALSE(finds("gate --jobs 1 --config owning.yaml"));
  // A finding stores the owned paths of its run.
  EXPECT_TRUE(finds("fuzz subject.yaml --owns spec.nodeName" + fuzz));
  EXPECT_TRUE(says(read("run/events.ndjson"), R"("fixpoint/owns":"[\"spec.nodeName\"]")"));
}

/// Warnings are printed, and fail a run only under --fail-on warning. The second operation of the patch has
/// no effect.
TEST_F(RunVerdict, ErrorsAloneFailARun) {
  const std::string set = "{op: add, " + kLevel + ", value: done}";
  write("subject.yaml", scripted(set + "\n          - " + set));
  const std::string fuzz =
      "fuzz subject.yaml --seed 1 --cases 60 --sample-every 1 --jobs 1 --all --report junit=run.xml";
  const Outcome warned = run(fuzz);
  EXPECT_TRUE(says(warned.out, "FOUND  patch-well-formed")) << warned.out;
  EXPECT_EQ(warned.code, 0) << warned.out << warned.err;
  EXPECT_TRUE(run("report run").out.starts_with("PASSED: "));
  EXPECT_FALSE(says(read("run.xml"), "<failure")) << read("run.xml");
  EXPECT_EQ(run("corpus merge run --out joined").code, 0);
  EXPECT_EQ(run(fuzz + " --fail-on warning").code, 1);
  EXPECT_TRUE(run("report run").out.starts_with("FAILED: "));
  EXPECT_TRUE(says(read("run.xml"), "<failure"));
}

/// Observations are not defects: they are listed once at the end, counted, and never fail a run.
TEST_F(RunVerdict, ObservationsStandAtTheEnd) {
  write("subject.yaml", scripted("{op: add, " + kLevel + ", value: done}"));
  const Outcome fuzz =
      run("fuzz subject.yaml --seed 1 --cases 60 --sample-every 1 --jobs 1 --all --fail-on error");
  const std::string sentence =
      "scripted/hook.example.io answers its own output with a patch that changes nothing";
  const auto at = fuzz.out.find("observed, and no defect:\n");
  ASSERT_NE(at, std::string::npos) << fuzz.out;
  EXPECT_EQ(fuzz.out.find("FOUND", at), std::string::npos);
  EXPECT_TRUE(says(fuzz.out.substr(at), sentence)) << fuzz.out;
  EXPECT_TRUE(says(read("run/events.ndjson"), R"({"event":"observation","kind":"empty-patch")"));
  EXPECT_TRUE(says(run("report run").out, sentence));
  run("corpus merge run --out joined");
  EXPECT_TRUE(says(run("report joined").out, sentence)) << "a merged run has those of its parts";
}

/// Input without meaning is refused with one line on standard error and exit code 2.
TEST_F(RunVerdict, InputThatSaysNothingIsRefused) {
  write("empty.yaml", "");
  write("bad-pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: {name: a}}\n");
  write("subject.yaml", kScripted);
  write("owner.yaml", std::string(kScripted) + "owns: ['spec.containers[*']\n");
  write("promise.yaml", std::string(kScripted) + "promises: {initContainers: {a: second}}\n");
  write("policy.yaml", "apiVersion: fixpoint/v1\nkind: Policy\nsubjects: [subject.yaml]\nowns: ['[a]']\n");
  const struct {
    const char* command;
    const char* message;
  } rows[] = {
      {"fuzz subject.yaml --owns spec..x", "--owns: spec..x: expected a name in front of a dot"},
      {"fuzz subject.yaml --owns 'a*b'", "--owns: a*b: expected * as the last of a name"},
      {"fuzz subject.yaml --owns 'a[]'", "--owns: a[]: expected a key, an index or * in brackets"},
      {"fuzz owner.yaml", "/owns/0: spec.containers[*: expected a bracket that closes"},
      {"fuzz promise.yaml", "/promises/initContainers: expected first or last for each container"},
      {"gate --config policy.yaml", "/owns/0: [a]: expected a name in front of a bracket"},
      {"validate empty.yaml", "empty.yaml: expected a Pod, found nothing"},
      {"default empty.yaml", "empty.yaml: expected a Pod, found nothing"},
      {"fuzz --seed 18446744073709551616", "--seed: expected a whole number from 0 to 18446744073709551615"},
      {"fuzz --jobs 0", "--jobs: expected a whole number from 1 to 2147483647, found 0"},
      {"fuzz --cases 1e3", "--cases: expected a whole number"},
      {"corpus add bad-pod.yaml --to seeds", "bad-pod.yaml: document 1"},
  };
  for (const auto& [command, message] : rows) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command << outcome.out << outcome.err;
    EXPECT_TRUE(says(outcome.err, message)) << command << ": " << outcome.err;
    EXPECT_LT(outcome.err.size(), 200u) << outcome.err;
  }
}

}  // namespace
}  // namespace fixpoint::cli
