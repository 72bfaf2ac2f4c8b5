#include "harness/external/manifests/manifest.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/cli/program_test.h"

namespace fixpoint::external {
namespace {

class ManifestOfUser : public cli::ProgramTest {
 protected:
  Outcome fuzz(const std::string& manifest) const {
    write("m.yaml", manifest);
    write("hook.sh", cli::webhook_in_bash(":"));
    return run("fuzz m.yaml --seed 1 --cases 20 --webhook 'proxy.example.io=exec:bash hook.sh'",
               path("corpus"));
  }
  /// The manifest of one webhook with a text of it replaced.
  static std::string with(const std::string& from, const std::string& to) {
    std::string text = cli::kOneWebhook;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }
};

/// Each is refused with the server's error and its place, before a webhook is called.
TEST_F(ManifestOfUser, IsRefusedWhereNoServerStoresIt) {
  struct Row {
    std::string manifest, error;
  };
  const std::string webhook = "webhooks[0].";
  const std::string again =
      std::string(cli::kOneWebhook).substr(std::string(cli::kOneWebhook).find("  - name"));
  const Row rows[] = {
      {with("sideEffects: None", "failurePolicy: Sometimes\n    sideEffects: None"),
       webhook + "failurePolicy: Unsupported value: \"Sometimes\": supported values: \"Fail\", \"Ignore\""},
      {with("sideEffects: None", "timeoutSeconds: 99\n    sideEffects: None"),
       webhook + "timeoutSeconds: Invalid value: 99: the timeout value must be between 1 and 30 seconds"},
      {with("sideEffects: None", "failurePolic: Fail\n    sideEffects: None"),
       "strict decoding error: unknown field \"webhooks[0].failurePolic\""},
      {cli::kOneWebhook + again, "webhooks[1].name: Duplicate value: \"proxy.example.io\""},
      {with("sideEffects: None",
            "objectSelector: {matchExpressions: [{key: a, operator: In}]}\n    sideEffects: None"),
       webhook + "objectSelector.matchExpressions[0].values: Required value"},
      {with("sideEffects: None", "matchConditions: [{name: a, expression: \"'a'\"}]\n    sideEffects: None"),
       webhook + "matchConditions[0].expression: Invalid value: \"'a'\""},
      {with("sideEffects: None", "sideEffects: Some"),
       webhook + "sideEffects: Unsupported value: \"Some\": supported values: \"None\", \"NoneOnDryRun\""},
  };
  for (const Row& row : rows) {
    const Outcome refused = fuzz(row.manifest);
    EXPECT_EQ(refused.code, 2) << row.error << refused.out << refused.err;
    EXPECT_NE(refused.err.find(row.error), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("m.yaml: document 1"), std::string::npos) << refused.err;
  }
}

/// Settings that a server would act on are named, at the start and in the verdict, and the run goes on.
TEST_F(ManifestOfUser, NamesWhatIsNotSimulated) {
  const std::string policy =
      "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n"
      "metadata: {name: checks}\n";
  const Outcome said = fuzz(cli::kOneWebhook + policy);
  EXPECT_NE(said.err.find("m.yaml: document 2: not simulated: ValidatingWebhookConfiguration \"checks\""),
            std::string::npos)
      << said.err;
  EXPECT_NE(said.out.find("not simulated: ValidatingWebhookConfiguration \"checks\""), std::string::npos)
      << said.out;
  const Outcome text = run("report run --format text", path("corpus"));
  EXPECT_NE(text.out.find("not simulated: ValidatingWebhookConfiguration \"checks\""), std::string::npos)
      << text.out;
}

/// The manifest of a validating webhook that is called where the command line gives it a backend.
constexpr const char* kValidator = R"(---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: checks}
webhooks:
  - name: judge.example.io
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: {service: {name: hooks, namespace: hooks}}
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
)";

TEST_F(ManifestOfUser, AValidatingWebhookWithABackendJudgesTheFinalPod) {
  const Outcome unnamed = fuzz(std::string(cli::kOneWebhook) + kValidator);
  EXPECT_NE(unnamed.out.find("not simulated: ValidatingWebhookConfiguration \"checks\""), std::string::npos)
      << unnamed.out << unnamed.err;
  EXPECT_EQ(unnamed.err.find("left out"), std::string::npos) << "said once: " << unnamed.err;
  write("judge.sh", cli::webhook_in_bash(":"));
  const Outcome named =
      run("fuzz m.yaml --seed 1 --cases 20 --webhook 'proxy.example.io=exec:bash hook.sh' --webhook "
          "'judge.example.io=exec:bash judge.sh'",
          path("corpus"));
  EXPECT_NE(named.code, 2) << named.err;
  EXPECT_EQ(named.out.find("not simulated"), std::string::npos) << named.out;
}

TEST_F(ManifestOfUser, WhoNamesOneWebhookLeavesTheOthersOut) {
  std::string second(kValidator);
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"Validating", "Mutating"},
                                 {"judge.example.io", "other.example.io"}})
    second.replace(second.find(from), from.size(), to);
  const Outcome named = fuzz(std::string(cli::kOneWebhook) + second);
  EXPECT_NE(named.code, 2) << named.err;
  EXPECT_NE(named.err.find("webhook checks/other.example.io is left out"), std::string::npos) << named.err;
  std::string many = second;
  for (const char* name : {"a.example.io", "b.example.io", "c.example.io"})
    many += second.substr(second.find("  - name")).replace(10, 16, name);
  EXPECT_NE(
      fuzz(std::string(cli::kOneWebhook) + many)
          .err.find("webhooks checks/other.example.io, checks/a.example.io, checks/b.example.io and 1 more "
                    "are left out"),
      std::string::npos);
  fuzz(std::string(cli::kOneWebhook) + second);
  const Outcome misspelt =
      run("fuzz m.yaml --seed 1 --cases 20 --webhook 'proxy.example.io=exec:bash hook.sh' --webhook "
          "'othr.example.io=exec:bash hook.sh'",
          path("corpus"));
  EXPECT_EQ(misspelt.code, 2) << misspelt.out;
  EXPECT_NE(misspelt.err.find("no webhook here has this name"), std::string::npos) << misspelt.err;
}

TEST_F(ManifestOfUser, AValidatingWebhookWithoutABackendIsRefusedInACase) {
  const std::string text = R"(apiVersion: fixpoint/v1
kind: Case
request: {object: {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, image: b}]}}}
cluster:
  objects:
    - apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingWebhookConfiguration
      metadata: {name: checks}
      webhooks:
        - name: judge.example.io
          admissionReviewVersions: [v1]
          sideEffects: None
          rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
)";
  write("case.yaml", text);
  const Outcome refused = run("admit case.yaml", path("corpus"));
  EXPECT_EQ(refused.code, 2) << refused.out;
  EXPECT_NE(refused.err.find("not simulated: ValidatingWebhookConfiguration \"checks\""), std::string::npos)
      << refused.err;
  write("case.yaml", text + "webhooks: {checks/judge.example.io: {script: [{deny: {message: refused}}]}}\n");
  const Outcome judged = run("admit case.yaml", path("corpus"));
  EXPECT_NE(judged.out.find("denied the request: refused"), std::string::npos) << judged.out << judged.err;
}

/// A condition that builds a protobuf message is right, but not supported yet.
TEST_F(ManifestOfUser, SaysWhichConditionIsNotSupportedYet) {
  const std::string manifest =
      with("sideEffects: None",
           "matchConditions: [{name: may, expression: \"google.protobuf.Int32Value{value: 1} == 1\"}]\n"
           "    sideEffects: None");
  const Outcome refused = fuzz(manifest);
  EXPECT_EQ(refused.code, 2) << refused.out;
  EXPECT_NE(refused.err.find("match condition \"may\" of webhook hooks/proxy.example.io: not supported yet"),
            std::string::npos)
      << refused.err;
  const Outcome assumed = run(
      "fuzz m.yaml --seed 1 --cases 20 --assume-conditions --webhook 'proxy.example.io=exec:bash hook.sh'",
      path("corpus"));
  EXPECT_NE(assumed.code, 2) << assumed.err;
  EXPECT_NE(assumed.out.find("not simulated: match condition \"may\" of webhook hooks/proxy.example.io"),
            std::string::npos)
      << assumed.out;
}

/// A Case says exactly what the cluster has: what is not simulated is refused.
TEST_F(ManifestOfUser, AsACaseIsRefusedForAWebhookWithoutABackend) {
  write("case.yaml", R"(apiVersion: fixpoint/v1
kind: Case
name: policies
request: {object: {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, image: b}]}}}
cluster:
  objects:
    - {apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: a}}
)");
  const Outcome said = run("admit case.yaml", path("corpus"));
  EXPECT_EQ(said.code, 2) << said.out;
  EXPECT_NE(said.err.find("case.yaml: document 1: /cluster/objects/0: not simulated: "
                          "ValidatingWebhookConfiguration \"a\" (calls of validating webhooks"),
            std::string::npos)
      << said.err;
}

}  // namespace
}  // namespace fixpoint::external
