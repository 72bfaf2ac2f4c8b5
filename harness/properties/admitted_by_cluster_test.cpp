#include <gtest/gtest.h>

#include "harness/properties/one_webhook_test.h"

namespace fixpoint::properties {
namespace {

constexpr const char* kQuestion = "admitted-by-cluster";
constexpr const char* kProxyAdded = R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"proxy"}}},
    "patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"proxy","image":"proxy:1",
    "resources":{"limits":{"cpu":"1"}}}}]}])";
constexpr const char* kOwnPod = R"({"metadata":{"name":"p"},"spec":{
    "containers":[{"name":"main","image":"x:1","resources":{"limits":{"cpu":"1"}}}]}})";

/// A Case of a sidecar and one object of the cluster.
cases::Case beside(const char* object, const char* pod = kOwnPod) {
  cases::Case value = of_one_webhook(script_of(kProxyAdded), pod);
  value.cluster.admission_plugins = {"LimitRanger"};
  value.cluster.objects.push_back(document::read_json(object).value());
  return value;
}

TEST(AdmittedByCluster, ASidecarTakesThePodOverTheMaximum) {
  const auto violations = violations_of(kQuestion, beside(R"({"apiVersion":"v1","kind":"LimitRange",
      "metadata":{"name":"limits","namespace":"default"},
      "spec":{"limits":[{"type":"Pod","max":{"cpu":"1500m"}}]}})"));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations.front().severity, Severity::error) << "the object is the user's own";
  EXPECT_EQ(violations.front().shape, "validating:LimitRanger");
  EXPECT_NE(violations.front().reason.find("maximum cpu usage per Pod is 1500m, but limit is 2"),
            std::string::npos);
}

TEST(AdmittedByCluster, WhatWasOnlyDrawnIsAWarning) {
  const auto violations = violations_of(kQuestion, beside(R"({"apiVersion":"v1","kind":"ResourceQuota",
      "metadata":{"name":"q","namespace":"default","annotations":{"fixpoint.example.io/drawn":"yes"}},
      "spec":{"hard":{"limits.cpu":"1"}},
      "status":{"hard":{"limits.cpu":"1"},"used":{"limits.cpu":"0"}}})"));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations.front().severity, Severity::warning);
  EXPECT_EQ(violations.front().shape, "validating:ResourceQuota");
}

TEST(AdmittedByCluster, APodThatIsRefusedAnywayIsNoWebhooksGuilt) {
  const auto judgement = judgement_of(kQuestion, beside(R"({"apiVersion":"v1","kind":"LimitRange",
      "metadata":{"name":"limits","namespace":"default"},
      "spec":{"limits":[{"type":"Pod","max":{"cpu":"500m"}}]}})"));
  EXPECT_TRUE(std::holds_alternative<Skipped>(judgement));
}

TEST(AdmittedByCluster, IsNotReachedWhereNothingJudges) {
  const char* elsewhere = R"({"apiVersion":"v1","kind":"LimitRange",
      "metadata":{"name":"limits","namespace":"other"},
      "spec":{"limits":[{"type":"Pod","max":{"cpu":"1"}}]}})";
  EXPECT_TRUE(std::holds_alternative<Skipped>(judgement_of(kQuestion, beside(elsewhere))));
  EXPECT_TRUE(std::holds_alternative<Held>(judgement_of(kQuestion, beside(R"({"apiVersion":"v1",
      "kind":"LimitRange","metadata":{"name":"limits","namespace":"default"},
      "spec":{"limits":[{"type":"Pod","max":{"cpu":"2"}}]}})"))));
}

/// A Case of the sidecar and a validating webhook with that script.
cases::Case before_a_validator(const char* script) {
  cases::Case value = beside(R"({"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"ValidatingWebhookConfiguration","metadata":{"name":"checks"},"webhooks":[{"name":"v.b.c",
      "sideEffects":"None","admissionReviewVersions":["v1"],"rules":[{"apiGroups":[""],"apiVersions":["v1"],
      "operations":["CREATE"],"resources":["pods"]}]}]})");
  value.webhooks.emplace("checks/v.b.c", script_of(script));
  return value;
}

TEST(AdmittedByCluster, AValidatorRefusesWhatTheMutatorMade) {
  const auto violations = violations_of(
      kQuestion, before_a_validator(R"([{"when":{"named":{"path":"/spec/containers","name":"proxy"}},
                                         "deny":{"message":"no proxies"}}])"));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations.front().severity, Severity::error);
  EXPECT_EQ(violations.front().shape, "validating:ValidatingAdmissionWebhook");
  EXPECT_EQ(violations.front().webhook, "c/a.b.c");
  EXPECT_NE(violations.front().reason.find("denied the request: no proxies"), std::string::npos);
}

TEST(AdmittedByCluster, AValidatorThatRefusesOrFailsAnywayIsNoWebhooksGuilt) {
  const auto refused = judgement_of(kQuestion, before_a_validator(R"([{"deny":{"message":"no Pods"}}])"));
  EXPECT_TRUE(std::holds_alternative<Skipped>(refused));
  const auto failed = judgement_of(
      kQuestion, before_a_validator(R"([{"patch":[{"op":"add","path":"/metadata/labels","value":{}}]}])"));
  EXPECT_TRUE(std::holds_alternative<Skipped>(failed)) << "a validating webhook may not send a patch";
  EXPECT_TRUE(std::holds_alternative<Held>(judgement_of(kQuestion, before_a_validator("[]"))));
}

}  // namespace
}  // namespace fixpoint::properties
