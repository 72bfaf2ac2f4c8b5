#include "harness/cases/admission_plugins.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/document/json.h"

namespace fixpoint::cases {
namespace {

document::Result<Case> case_with(const std::string& plugins) {
  const std::string text = R"({"apiVersion":"fixpoint/v1","kind":"Case","request":{"object":{}},
      "cluster":{"admissionPlugins":)" +
                           plugins + "}}";
  return read_case(document::read_json(text).value());
}

std::string complaint(const std::string& plugins) {
  const auto read = case_with(plugins);
  return read ? "" : read.error().text();
}

TEST(AdmissionPlugins, AreReadInTheServersOrder) {
  const auto read = case_with(R"(["PodTopologyLabels","Priority","LimitRanger","AlwaysPullImages"])");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->cluster.admission_plugins,
            (std::vector<std::string>{"LimitRanger", "AlwaysPullImages", "Priority", "PodTopologyLabels"}));
  EXPECT_EQ(Case().cluster.admission_plugins,
            std::vector<std::string>(kAdmissionPlugins.begin(), kAdmissionPlugins.end()));
}

TEST(AdmissionPlugins, KeepTheirSettings) {
  const auto read = case_with(R"([{"name":"DefaultTolerationSeconds",
      "settings":{"default-not-ready-toleration-seconds":60}},{"name":"PodNodeSelector"},
      {"name":"PodTolerationRestriction","settings":{"default":[{"key":"a","operator":"Exists"}]}}])");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(
      read->cluster.settings_of("DefaultTolerationSeconds")["default-not-ready-toleration-seconds"].text(),
      "60");
  EXPECT_TRUE(read->cluster.settings_of("PodNodeSelector").is_null());
  const auto again = read_case(write_case(*read));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(*again, *read);
  EXPECT_EQ(canonical_text(*again), canonical_text(*read));
}

TEST(AdmissionPlugins, WhatIsNotSimulatedIsRefusedByName) {
  const std::string refused = complaint(R"(["Priority","ImagePolicyWebhook"])");
  EXPECT_NE(refused.find("not simulated: ImagePolicyWebhook"), std::string::npos) << refused;
  EXPECT_NE(refused.find("/cluster/admissionPlugins/1"), std::string::npos) << refused;
  EXPECT_NE(complaint(R"(["ResourceQuota"])").find("is always on"), std::string::npos);
  EXPECT_NE(complaint(R"(["DefaultIngressClass"])").find("does nothing to Pods"), std::string::npos);
  EXPECT_NE(complaint(R"(["Priorty"])").find("did you mean \"Priority\""), std::string::npos);
}

TEST(AdmissionPlugins, UnknownSettingsAreRefused) {
  EXPECT_NE(complaint(R"([{"name":"LimitRanger","settings":{"a":1}}])"), "");
  EXPECT_NE(complaint(R"([{"name":"DefaultTolerationSeconds","settings":{"seconds":1}}])"), "");
  EXPECT_NE(complaint(R"([{"name":"PodNodeSelector","settings":{"default":1}}])"), "");
  EXPECT_NE(complaint(R"([{"name":"PodTolerationRestriction","settings":{"default":[1]}}])"), "");
  EXPECT_NE(complaint(R"([{"settings":{}}])"), "");
}

TEST(AdmissionPlugins, TheClassesOfTheSystemExistInEveryCluster) {
  Cluster cluster;
  const Value* found = cluster.find("PriorityClass.scheduling.k8s.io", "", "system-node-critical");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ((*found)["value"].text(), "2000001000");
  EXPECT_EQ(cluster.find("PriorityClass.scheduling.k8s.io", "", "high"), nullptr);
  EXPECT_EQ(cluster.find("Namespace", "", "default"), nullptr) << "a missing Namespace is implied";
}

}  // namespace
}  // namespace fixpoint::cases
