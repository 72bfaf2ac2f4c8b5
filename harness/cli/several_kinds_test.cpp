#include <gtest/gtest.h>

#include <string>

#include "harness/cli/program_test.h"

namespace fixpoint::cli {
namespace {

constexpr const char* kPolicy = R"Y(apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: NAME}
spec:
  failurePolicy: Fail
  reinvocationPolicy: IfNeeded
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
      - {apiGroups: [example.io], apiVersions: [v1], operations: [CREATE], resources: [widgets]}
  matchConditions: [{name: unlabelled, expression: "!has(object.metadata.labels)"}]
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: '[JSONPatch{op: "add", path: "/metadata/labels", value: {"NAME": "x"}}]'
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: NAME}
spec: {policyName: NAME}
)Y";

constexpr const char* kDefinition = R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.io}
spec:
  group: example.io
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            metadata: {type: object}
            spec: {type: object, properties: {size: {type: integer}}}
)";

std::string policy(const std::string& name) {
  std::string text = kPolicy;
  for (auto at = text.find("NAME"); at != std::string::npos; at = text.find("NAME"))
    text.replace(at, 4, name);
  return text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A policy that labels Pods and Widgets, and the definition of Widgets in another file.
class SeveralKinds : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("policy.yaml", policy("team"));
    write("crds.yaml", kDefinition);
  }
  Outcome run(const std::string& arguments) const { return ProgramTest::run(arguments, path("no-corpus")); }
};

TEST_F(SeveralKinds, AreOneRunAndAreDistinguished) {
  const auto said = run("fuzz policy.yaml crds.yaml --cases 300 --seed 1 --jobs 1");
  EXPECT_EQ(said.code, 0) << said.out << said.err;
  EXPECT_TRUE(has(said.out, "  pods: ")) << said.out;
  EXPECT_TRUE(has(said.out, "  widgets.example.io: ")) << said.out;
  EXPECT_TRUE(has(read("run/events.ndjson"), R"("kinds":{"pods":{)"));
}

// A file of definitions is no subject of its own.
TEST_F(SeveralKinds, AreGated) {
  write("fixpoint.yaml",
        "apiVersion: fixpoint/v1\nkind: Policy\nsubjects: [policy.yaml, crds.yaml]\nseeds: [1]\n"
        "budget: {cases: 300}\n");
  const auto said = run("gate --jobs 1");
  EXPECT_EQ(said.code, 0) << said.out << said.err;
  EXPECT_TRUE(has(said.out, "policy.yaml, seed 1: 300 Cases")) << said.out;
  EXPECT_TRUE(has(read("run/gate/runs/1/checkpoint.json"), "\"crds.yaml\"")) << "for --resume by hand";
}

TEST_F(SeveralKinds, AreBegunWithAnExampleOfTheirOwn) {
  std::string widgets = policy("team");
  const auto pods = widgets.find("      - {apiGroups: [\"\"]");
  write("widgets.yaml", widgets.erase(pods, widgets.find('\n', pods) + 1 - pods));
  const auto said = run("init widgets.yaml crds.yaml");
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(has(said.out, "wrote fixpoint-example.yaml: a Widget on which team should act")) << said.out;
  EXPECT_TRUE(has(read("fixpoint-example.yaml"), "kind: Widget")) << read("fixpoint-example.yaml");
  EXPECT_EQ(run("gate --jobs 1").code, 0);
}

TEST_F(SeveralKinds, AreComparedAndAdvisedOn) {
  write("all.yaml", policy("team") + "---\n" + kDefinition);
  write("other.yaml", policy("group") + "---\n" + kDefinition);
  const auto compared = run("compare all.yaml other.yaml --cases 100 --seed 1");
  EXPECT_EQ(compared.code, 1) << compared.out << compared.err;
  EXPECT_TRUE(has(compared.out, "DIFFERS  metadata.labels")) << compared.out;
  const auto advised = run("advise all.yaml --cases 60 --seed 1");
  EXPECT_FALSE(has(advised.out, "the rules of")) << advised.out;
}

}  // namespace
}  // namespace fixpoint::cli
