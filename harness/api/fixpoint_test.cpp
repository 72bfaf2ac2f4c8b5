#include "harness/api/fixpoint.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "harness/cases/finding.h"
#include "harness/document/base64.h"
#include "harness/document/json.h"

namespace fixpoint {
namespace {

constexpr const char* kConfiguration = R"(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: own}
webhooks:
  - name: inject.example.io
    admissionReviewVersions: [v1]
    sideEffects: None
    reinvocationPolicy: IfNeeded
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
)";

std::string answer(const document::Value& review, const std::string& patch) {
  document::Value response{{"uid", review["request"]["uid"].text()}, {"allowed", true}};
  if (!patch.empty()) {
    response.set("patchType", "JSONPatch");
    response.set("patch", document::encode_base64(patch));
  }
  return document::write_json({{"apiVersion", "admission.k8s.io/v1"},
                               {"kind", "AdmissionReview"},
                               {"response", std::move(response)}});
}

/// Adds an env variable to the first container, and again in every further call.
std::string append(const std::string& text) {
  const auto review = document::read_json(text, {}).value();
  const auto& containers = review["request"]["object"]["spec"]["containers"];
  if (containers.empty()) return answer(review, "");
  const bool has_env = containers.elements()[0]["env"].is_array();
  const std::string env = R"({"name":"OWN","value":"1"})";
  return answer(review, R"([{"op":"add","path":"/spec/containers/0/env)" +
                            (has_env ? R"(/-","value":)" + env : R"(","value":[)" + env + "]") + "}]");
}

TEST(Check, FindsABugAndSaysItReadyToPrint) {
  const auto report = check(append, kConfiguration, {.seed = 3, .cases = 400});
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.cases, 400u);
  EXPECT_EQ(report.problem, "");
  bool is_found = false;
  for (const CheckFinding& finding : report.findings) {
    EXPECT_NE(report.text.find(finding.text), std::string::npos);
    const auto read = cases::read_finding(document::read_json(finding.document, {}).value());
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->fingerprint, finding.fingerprint);
    is_found = is_found || (finding.property == "no-duplicate-names" && finding.verdict == "growing" &&
                            finding.webhook == "own/inject.example.io");
  }
  EXPECT_TRUE(is_found) << report.text;
  const auto again = check(append, kConfiguration, {.seed = 3, .cases = 400, .jobs = 2});
  ASSERT_EQ(again.findings.size(), report.findings.size()) << "the same seed, whatever the jobs";
  for (std::size_t i = 0; i < again.findings.size(); ++i)
    EXPECT_EQ(again.findings[i].fingerprint, report.findings[i].fingerprint);
}

TEST(Check, AWebhookThatDoesNothingIsOkAlsoInALongRun) {
  const auto nothing = [](const std::string& text) {
    return answer(document::read_json(text, {}).value(), "");
  };
  const auto report = check(nothing, kConfiguration, {.cases = 1200, .peers = {"peers/sidecar-guarded"}});
  EXPECT_TRUE(report.ok()) << report.text;
}

/// Only one of the configuration's values makes the webhook act, and it is not the first one.
TEST(Check, LeadsTheHandlerToAct) {
  const std::string selector = R"(
    objectSelector:
      matchExpressions:
        - {key: team, operator: In, values: [red, blue, green]}
        - {key: team, operator: In, values: [green]}
)";
  const auto label = [](const std::string& text) {
    const auto review = document::read_json(text, {}).value();
    return answer(review, R"([{"op":"add","path":"/metadata/labels/seen","value":"yes"}])");
  };
  const auto report = check(label, kConfiguration + selector, {.seed = 5, .cases = 1000});
  EXPECT_EQ(report.problem, "");
  EXPECT_GE(2 * report.acted, report.cases) << report.acted;
  EXPECT_LT(report.acted, report.cases);
}

TEST(Check, WhatAHandlerThrowsIsACallThatFailed) {
  const auto report = check([](const std::string&) -> std::string { throw std::runtime_error("no"); },
                            kConfiguration, {.cases = 50});
  EXPECT_EQ(report.problem, "");
  EXPECT_EQ(report.cases, 50u);
  EXPECT_FALSE(report.ok()) << report.text;
}

TEST(Check, SaysWhatIsWrongWithAConfiguration) {
  const std::string good = kConfiguration;
  const struct {
    std::string text;
    const char* says;
  } rows[] = {{"", "configuration: expected one MutatingWebhookConfiguration"},
              {"kind: Pod", "configuration: expected one MutatingWebhookConfiguration"},
              {"{", "configuration: "},
              {good + "---\n" + good, "configuration: expected one MutatingWebhookConfiguration"},
              {good + "---\nkind: Pod\n", "configuration: expected objects of the webhook's cluster"},
              {"kind: MutatingWebhookConfiguration\nmetadata: {name: x}", "configuration: /webhooks: "},
              {"kind: MutatingWebhookConfiguration", "configuration: /metadata/name: "}};
  for (const auto& row : rows) {
    const auto report = check(append, row.text);
    EXPECT_FALSE(report.ok());
    EXPECT_TRUE(report.problem.starts_with(row.says)) << row.text << ": " << report.problem;
    EXPECT_EQ(report.text, report.problem + "\n");
  }
  EXPECT_NE(check(append, good, {.peers = {"peers/none"}}).problem.find("peers"), std::string::npos);
}

TEST(Webhook, IsAConfigurationWithAHandler) {
  const Webhook own(kConfiguration, append);
  EXPECT_EQ(own.name(), "own");
  EXPECT_EQ(own.problem(), "");
  const CheckReport& report = own.report({.seed = 3, .cases = 200});
  const CheckReport again = check(append, kConfiguration, {.seed = 3, .cases = 200});
  ASSERT_EQ(report.findings.size(), again.findings.size());
  for (std::size_t i = 0; i < again.findings.size(); ++i)
    EXPECT_EQ(report.findings[i].document, again.findings[i].document);
  EXPECT_EQ(report.decided, again.decided);
  EXPECT_EQ(&report, &Webhook(own).report({.seed = 3, .cases = 200})) << "computed once, also for copies";
  EXPECT_GT(report.decided.at("idempotent"), 0u);
  const Webhook broken("kind: Pod", append);
  EXPECT_EQ(broken.problem(), "configuration: expected one MutatingWebhookConfiguration");
  EXPECT_EQ(broken.report().problem, broken.problem());
}

TEST(Webhook, IsABundledInjector) {
  EXPECT_EQ(Webhook::bundled("kserve/agent@0.12.0").name(), "kserve/agent@0.12.0");
  EXPECT_NE(Webhook::bundled("kserve/none").problem(), "");
  EXPECT_EQ(Webhook::bundled().name(), "");
  const auto report = check(Webhook::bundled("defects/env-without-guard"), {.cases = 200});
  EXPECT_FALSE(report.ok()) << report.text;
}

}  // namespace
}  // namespace fixpoint
