#include "harness/api/cases.h"

#include <gtest/gtest.h>

#include "generators/weight.h"
#include "harness/api/append_model.h"
#include "harness/api/object_handler.h"
#include "harness/api/stored_findings.h"
#include "harness/document/json.h"

namespace fixpoint {
namespace {

/// Returns the message with which `call` throws std::invalid_argument; empty if it does not.
template <class Call>
std::string problem_of(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

const std::string kPod = R"({"metadata":{"name":"a"},"spec":{"containers":[{"name":"a","image":"a"}]}})";

TEST(PublicCase, IsTheCreationOfAnEmptyObjectAtFirst) {
  const Case value;
  EXPECT_EQ(value.object(), "{}");
  EXPECT_EQ(value.old_object(), "null");
  EXPECT_EQ(value.webhooks(), std::vector<std::string>{});
  EXPECT_EQ(Case::read(value.text()), value);
  EXPECT_EQ(value.with_object(kPod).object(), kPod);
  EXPECT_FALSE(value.with_object(kPod) == value);
}

TEST(PublicCase, IsReadFromYamlAndFromAFinding) {
  EXPECT_EQ(Case::read("apiVersion: fixpoint/v1\nkind: Case\nrequest: {object: {a: 1}}\n").object(),
            R"({"a":1})");
  const CheckReport& report = unguarded().report({.cases = 100});
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(Case::read(report.findings.front().document).webhooks().back(), "own/own.example.io");
  for (const char* text : {"", "a: 1", "apiVersion: fixpoint/v1\nkind: Case\n---\na: 1\n", "{"})
    EXPECT_NE(problem_of([&] { Case::read(text); }), "") << text;
  EXPECT_NE(problem_of([] {
              Case::read("apiVersion: fixpoint/v1\nkind: Case\nrequest: {object: {}, objct: {}}\n");
            }).find("objct"),
            std::string::npos);
  EXPECT_NE(problem_of([] { Case().with_object("{"); }).find("object: "), std::string::npos);
}

TEST(PublicCase, IsAdmittedAsByTheServer) {
  const Case value = Case().with_object(kPod);
  const Admitted unchanged = admit(value);
  EXPECT_TRUE(unchanged.allowed);
  const Admitted admitted = admit(value, guarded());
  EXPECT_TRUE(admitted.allowed);
  EXPECT_NE(admitted.object.find(R"("name":"own")"), std::string::npos) << admitted.object;
  EXPECT_NE(admitted.document.find("\"kind\": \"Outcome\""), std::string::npos);
  const Webhook refusing =
      on_object([](const std::string&) -> std::string { throw Denied("no Pods today"); });
  const Admitted refused = admit(value, refusing);
  EXPECT_FALSE(refused.allowed);
  EXPECT_EQ(refused.code, 403);
  EXPECT_EQ(refused.message, "admission webhook \"own.example.io\" denied the request: no Pods today");
}

TEST(PublicCase, ThatCannotRunSaysWhy) {
  const Case unknown = Case::read(R"(
apiVersion: fixpoint/v1
kind: Case
request: {object: {}}
cluster:
  objects:
    - apiVersion: admissionregistration.k8s.io/v1
      kind: MutatingWebhookConfiguration
      metadata: {name: a}
      webhooks: [{name: a.b.c, sideEffects: None, admissionReviewVersions: [v1]}]
webhooks: {a/a.b.c: {injector: none/none}}
)");
  EXPECT_NE(problem_of([&] { admit(unknown); }).find("none/none"), std::string::npos);
  EXPECT_NE(problem_of([&] { violations(unknown); }).find("none/none"), std::string::npos);
  const Webhook broken("kind: Pod", [](const std::string& review) { return review; });
  for (const auto& call : std::vector<std::function<void()>>{
           [&] { admit(Case(), broken); }, [&] { draw_case(1, 1, broken); },
           [&] { shrink_candidates(Case(), broken); }, [&] { replay(Case().text(), broken); }})
    EXPECT_NE(problem_of(call).find("expected one MutatingWebhookConfiguration"), std::string::npos);
}

TEST(PublicCase, IsShrunkWithinABoundOfTries) {
  const Case drawn = draw_case(1, 3, unguarded());
  int tries = 0;
  const auto fails = [&](const Case& value) {
    ++tries;
    return !violations(value, unguarded()).empty();
  };
  ASSERT_TRUE(fails(drawn));
  const Case smallest = shrink_case(drawn, fails, unguarded());
  EXPECT_LT(generators::weight_of(smallest.value()), generators::weight_of(drawn.value()));
  EXPECT_FALSE(violations(smallest, unguarded()).empty());
  EXPECT_EQ(smallest.webhooks().size(), 1u) << smallest.text();
  tries = 0;
  shrink_case(drawn, fails, unguarded(), 5);
  EXPECT_EQ(tries, 5);
}

/// A finding of a run shows as a violation of its Case.
TEST(PublicCase, ShowsWhatARunFound) {
  for (const CheckFinding& finding : unguarded().report({.cases = 100}).findings) {
    bool is_shown = false;
    for (const CheckFinding& violation : violations(Case::read(finding.document), unguarded()))
      is_shown = is_shown || violation.fingerprint == finding.fingerprint;
    EXPECT_TRUE(is_shown) << finding.text;
  }
}

}  // namespace
}  // namespace fixpoint
