#include "harness/apiserver/admission/admission.h"

#include <gtest/gtest.h>

#include <fstream>

#include "harness/cases/minors.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

/// The recorded admissions of a file, one test each, so that a failure names its line.
std::vector<Value> lines_of(const char* file) {
  std::ifstream stream(std::string(FIXPOINT_SOURCE "/corpus/conformance/kubernetes/") + file);
  std::vector<Value> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(document::read_json(line, {}, document::Strictness::foreign).value());
  }
  return lines;
}

/// The differences between the simulated and the recorded Outcome of a Case.
std::vector<std::string> disagreements(const Value& line) {
  const auto value = cases::read_case(line["case"]);
  if (!value) return {value.error().text()};
  const auto expected = cases::read_outcome(line["outcome"]);
  const auto handlers = webhooks::handlers(*value, {});
  const auto admission = admit(*value, webhooks::with_all_faults(*handlers, value->faults));
  if (!admission) return {admission.error().text()};
  return cases::differences(*expected, outcome_of(*value, *admission));
}

void expect_agreement(const char* file, std::size_t lines_min) {
  const auto lines = lines_of(file);
  ASSERT_GE(lines.size(), lines_min) << "the recorded vectors are part of the repository";
  for (const Value& line : lines) {
    const auto found = disagreements(line);
    EXPECT_TRUE(found.empty()) << file << " " << line["id"].text() << "\n"
                               << (found.empty() ? "" : found.front());
  }
}

TEST(Admission, AgreesWithRecordedAdmissions) { expect_agreement("admit.ndjson", 643); }
TEST(Admission, AgreesWithRecordedAdmissionsUnderFieldTracking) {
  expect_agreement("admit-managed.ndjson", 115);
}

TEST(Admission, AgreesWithRecordedVerdictsOnTheFinalPod) { expect_agreement("validating.ndjson", 325); }

TEST(Admission, AgreesWithWhatLiveRunsFoundAndWhatSingleRulesSay) {
  std::size_t asked = 0;
  for (const char* file : {"found.ndjson", "rules.ndjson"}) {
    for (const Value& line : lines_of(file)) {
      if (line["kind"].text() != "admit") continue;
      ++asked;
      const auto found = disagreements(line);
      EXPECT_TRUE(found.empty()) << line["id"].text() << "\n" << (found.empty() ? "" : found.front());
    }
  }
  EXPECT_GE(asked, 50u);
}

/// Other tests check the other kinds of lines; the command `conform` checks all of them.
TEST(Admission, AgreesWithOlderMinors) {
  for (const std::string& version : cases::versions()) {
    const std::string file = "versions/" + version + ".ndjson";
    std::size_t asked = 0;
    for (const Value& line : lines_of(file.c_str())) {
      if (line["kind"].text() != "admit") continue;
      ++asked;
      const auto found = disagreements(line);
      EXPECT_TRUE(found.empty()) << file << " " << line["id"].text() << (found.empty() ? "" : found.front());
    }
    EXPECT_GT(asked, 0u) << file;
  }
}

TEST(Admission, ReadsBackEveryRecordedCase) {
  for (const char* file : {"admit.ndjson", "admit-managed.ndjson", "validating.ndjson"}) {
    for (const Value& line : lines_of(file)) {
      const auto value = cases::read_case(line["case"]).value();
      const std::string text = cases::canonical_text(value);
      const auto again =
          cases::read_case(document::read_json(text, {}, document::Strictness::foreign).value());
      ASSERT_TRUE(again.ok()) << again.error().text();
      EXPECT_EQ(*again, value) << line["id"].text();
      EXPECT_EQ(cases::canonical_text(*again), text) << line["id"].text();
    }
  }
}

cases::Case case_with(const Value& webhook, const char* script) {
  cases::Case value;
  value.request.object =
      document::read_json(R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"x"}]}})")
          .value();
  value.cluster.objects = {{{"apiVersion", "admissionregistration.k8s.io/v1"},
                            {"kind", "MutatingWebhookConfiguration"},
                            {"metadata", {{"name", "c"}}},
                            {"webhooks", Value::list({webhook})}}};
  value.webhooks.emplace("c/a.b.c", cases::read_script(document::read_json(script).value()).value());
  return value;
}

Value webhook_with(const char* expression) {
  return {
      {"name", "a.b.c"},
      {"admissionReviewVersions", Value::list({"v1"})},
      {"sideEffects", "None"},
      {"rules", document::read_json(
                    R"([{"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":["pods"]}])")
                    .value()},
      {"matchConditions", Value::list({Value{{"name", "m"}, {"expression", expression}}})}};
}

TEST(Admission, TheAuthorizerAnswersFromTheRolesOfTheCluster) {
  auto value =
      case_with(webhook_with("authorizer.group('').resource('secrets').check('get').allowed()"), "[]");
  value.request.user_info.emplace().username = "ann";
  EXPECT_TRUE(admit(value, *webhooks::handlers(value, {})).value().calls.empty()) << "she is allowed nothing";
  value.cluster.objects.push_back({{"apiVersion", "rbac.authorization.k8s.io/v1"},
                                   {"kind", "ClusterRole"},
                                   {"metadata", {{"name", "reader"}}},
                                   {"rules", Value::list({Value{{"apiGroups", Value::list({""})},
                                                                {"resources", Value::list({"secrets"})},
                                                                {"verbs", Value::list({"get"})}}})}});
  value.cluster.objects.push_back({{"apiVersion", "rbac.authorization.k8s.io/v1"},
                                   {"kind", "ClusterRoleBinding"},
                                   {"metadata", {{"name", "ann-reads"}}},
                                   {"subjects", Value::list({Value{{"kind", "User"}, {"name", "ann"}}})},
                                   {"roleRef", {{"kind", "ClusterRole"}, {"name", "reader"}}}});
  EXPECT_EQ(admit(value, *webhooks::handlers(value, {})).value().calls.size(), 1U);
  value.request.user_info->username = "bob";
  EXPECT_TRUE(admit(value, *webhooks::handlers(value, {})).value().calls.empty());
  value.request.user_info->groups = {"system:masters"};
  EXPECT_EQ(admit(value, *webhooks::handlers(value, {})).value().calls.size(), 1U);
}

TEST(Admission, PlainExpressionsAreTrueOrFalse) {
  for (const auto& [expression, calls] :
       {std::pair("object.metadata.name == 'p'", 1u),
        {"object.spec.containers.size() > 1", 0u},
        {"size(object.metadata.name) in [1, 2]", 1u},
        {"object.metadata.name.matches('^p+$') && quantity('1Gi').isLessThan(quantity('2Gi'))", 1u},
        {"object.metadata.?labels[?'x'].orValue('no') == 'y'", 0u},
        {"object.spec.containers.all(c, c.name != 'b')", 1u},
        {"!has(object.metadata.labels) || object.metadata.labels.x == 'y'", 1u}}) {
    const auto value = case_with(webhook_with(expression), "[]");
    const auto admission = admit(value, *webhooks::handlers(value, {}));
    ASSERT_TRUE(admission.ok()) << admission.error().text();
    EXPECT_EQ(admission->calls.size(), calls) << expression;
  }
}

/// Recorded admissions do not cover this (docs/simulator.md#3-5, docs/simulator.md#3-8): the client and the
/// audit log get the warnings and annotations of a valid answer only.
constexpr const char* kTalks =
    R"([{"warn":["heard"]},{"audit":{"k":"v"}},{"patch":[{"op":"replace","path":""}]}])";

bool has_annotation(const Admission& admission) { return admission.webhook_annotations.contains("a.b.c/k"); }

TEST(Admission, ABadAnswersWarningsAndAnnotationsDoNotCount) {
  Value webhook = webhook_with("true");
  webhook.set("failurePolicy", "Ignore");
  auto value = case_with(webhook, R"([{"warn":["heard"]},{"audit":{"k":"v"}}])");
  const auto good = admit(value, *webhooks::handlers(value, {})).value();
  EXPECT_EQ(good.warnings, std::vector<std::string>{"heard"});
  EXPECT_TRUE(has_annotation(good));
  value.faults.push_back({.webhook = "c/a.b.c", .fault = "wrong-uid"});
  const auto bad =
      admit(value, webhooks::with_all_faults(*webhooks::handlers(value, {}), value.faults)).value();
  EXPECT_TRUE(bad.allowed);
  EXPECT_TRUE(bad.warnings.empty());
  EXPECT_FALSE(has_annotation(bad));
}

TEST(Admission, ACrashLeavesNoAnnotations) {
  const auto value = case_with(webhook_with("true"), kTalks);
  const auto crashed = admit(value, *webhooks::handlers(value, {})).value();
  EXPECT_TRUE(crashed.crashed);
  EXPECT_EQ(crashed.warnings, std::vector<std::string>{"heard"});
  EXPECT_FALSE(has_annotation(crashed));
}

}  // namespace
}  // namespace fixpoint::apiserver
