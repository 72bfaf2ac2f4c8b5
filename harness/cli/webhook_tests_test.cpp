#include <gtest/gtest.h>

#include <string>

#include "harness/cli/program_test.h"

namespace fixpoint::cli {
namespace {

/// A webhook that adds a label and warns, and refuses Pods of team x.
constexpr const char* kLabel = R"(apiVersion: fixpoint/v1
kind: Subject
name: label
configuration:
  apiVersion: admissionregistration.k8s.io/v1
  kind: MutatingWebhookConfiguration
  metadata: {name: label}
  webhooks:
    - name: label.example.io
      admissionReviewVersions: [v1]
      sideEffects: None
      rules: [{apiGroups: ["*"], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [pods, widgets]}]
webhooks:
  label/label.example.io:
    script:
      - when: {equals: {path: /metadata/labels/team, value: x}}
        deny: {code: 403, message: no team x}
      - when: {absent: /metadata/annotations}
        patch: [{op: add, path: /metadata/annotations, value: {seen: "yes"}}]
      - when: {absent: /metadata/annotations}
        warn: [seen]
)";
constexpr const char* kWidgets = R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.io}
spec:
  group: example.io
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: {spec: {type: object, properties: {size: {type: integer}}}}
)";

class WebhookTests : public ProgramTest {
 protected:
  void write_files() const {
    std::filesystem::create_directories(path("hooks/tests"));
    write("hooks/label.yaml", kLabel);
    write("hooks/widgets.yaml", kWidgets);
    const std::string pod =
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n";
    write("hooks/tests/plain.object.yaml", pod);
    write("hooks/tests/team-x.object.yaml",
          "apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {team: x}}\n"
          "spec: {containers: [{name: a, image: a}]}\n");
    write("hooks/tests/widget.object.yaml",
          "apiVersion: example.io/v1\nkind: Widget\nmetadata: {name: a, namespace: default}\nspec: {size: "
          "3}\n");
    write("hooks/tests/patched.object.yaml", pod);
    write("hooks/tests/patched.patch.yaml",
          "[{op: add, path: /metadata/annotations, value: {seen: 'yes'}}]\n");
  }
  Outcome conform(const std::string& arguments) const { return run("conform " + arguments, path("corpus")); }
};

/// Written once, the expectations hold, for Pods and for custom resources, and a changed webhook is reported.
TEST_F(WebhookTests, HoldWhatWasWrittenUntilTheWebhookChanges) {
  write_files();
  const auto first = conform("hooks");
  EXPECT_EQ(first.code, 1) << first.out << first.err;
  EXPECT_NE(first.out.find(
                "test hooks/tests/team-x fails\n  expected it to be admitted, found a refusal: admission "
                "webhook \"label.example.io\" denied the request: no team x\n"),
            std::string::npos)
      << first.out;
  EXPECT_NE(
      first.out.find("test hooks/tests/plain fails\n  /metadata/annotations: expected nothing, found {seen: "
                     "\"yes\"}\n"),
      std::string::npos)
      << first.out;
  EXPECT_EQ(first.out.find("tests/patched fails"), std::string::npos) << first.out;
  EXPECT_EQ(conform("hooks --update").code, 0) << read("err");
  EXPECT_EQ(read("hooks/tests/team-x.message.txt"), "no team x\n");
  EXPECT_EQ(read("hooks/tests/plain.warnings.txt"), "seen\n");
  EXPECT_NE(read("hooks/tests/widget.gold.yaml").find("seen: \"yes\""), std::string::npos);
  EXPECT_EQ(read("hooks/tests/plain.gold.yaml").find("terminationMessagePath"), std::string::npos)
      << "a default";
  const auto held = conform("hooks --junit tests.xml");
  EXPECT_EQ(held.code, 0) << held.out << held.err;
  EXPECT_NE(held.out.find("hooks: 4 agreed, 0 disagreed"), std::string::npos) << held.out;
  EXPECT_NE(read("tests.xml").find("tests=\"4\" failures=\"0\""), std::string::npos) << read("tests.xml");
  std::string changed = kLabel;
  write("hooks/label.yaml", changed.replace(changed.find("seen: \"yes\""), 11, "seen: \"no\""));
  const auto red = conform("hooks --junit tests.xml");
  EXPECT_EQ(red.code, 1);
  EXPECT_NE(
      red.out.find(
          "test hooks/tests/widget fails\n  /metadata/annotations/seen: expected \"yes\", found \"no\"\n"),
      std::string::npos)
      << red.out;
  EXPECT_NE(read("tests.xml").find("failures=\"3\""), std::string::npos) << read("tests.xml");
}

/// The refused team is drawn because a test has it.
TEST_F(WebhookTests, AreExamplesOfARun) {
  write_files();
  const auto ran = run("fuzz hooks --seed 1 --cases 8 --sample-every 1", path("corpus"));
  EXPECT_NE(ran.code, 2) << ran.err;
  EXPECT_NE(ran.out.find("label: seed 1, 8 Cases"), std::string::npos) << ran.out;
  write("hooks/tests/odd.object.yaml", "apiVersion: v1\nkind: Pod\nmetadata: 3\n");
  const auto refused = run("fuzz hooks --seed 1 --cases 8", path("corpus"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("hooks/tests/odd.object.yaml: "), std::string::npos) << refused.err;
}

TEST_F(WebhookTests, RefuseWhatCannotBeMeant) {
  write_files();
  write("hooks/tests/odd.object.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: []}\n---\na: b\n");
  const auto refused = conform("hooks");
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err, "fixpoint: hooks/tests/odd.object.yaml: expected one document, found 2\n");
}

}  // namespace
}  // namespace fixpoint::cli
