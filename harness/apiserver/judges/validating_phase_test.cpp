#include "harness/apiserver/judges/validating_phase.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/document/json.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

Value parsed(const char* text) { return document::read_json(text).value(); }

struct Judged {
  cases::Validating verdict = {};
  std::vector<std::string> warnings = {};
};

Judged judged(const cases::Cluster& cluster, const Value& pod) {
  Judged result;
  result.verdict = judge_stored({}, cluster, pod, {}, cases::kNewestMinor, result.warnings);
  return result;
}

cases::Cluster cluster_of(std::initializer_list<const char*> objects) {
  cases::Cluster cluster;
  cluster.admission_plugins = {"LimitRanger"};
  for (const char* object : objects) cluster.objects.push_back(parsed(object));
  return cluster;
}

constexpr const char* kAskingPod = R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"x",
    "resources":{"limits":{"cpu":"3"},"requests":{"cpu":"3"}}}]}})";
constexpr const char* kBounds = R"({"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"l",
    "namespace":"default"},"spec":{"limits":[{"type":"Container","max":{"cpu":"2"}}]}})";
constexpr const char* kQuota = R"({"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q",
    "namespace":"default"},"spec":{"hard":{"pods":"0"}},"status":{"hard":{"pods":"0"},"used":{"pods":"0"}}})";

TEST(ValidatingPhase, AdmitsWhereNothingJudges) {
  EXPECT_EQ(judged(cluster_of({}), parsed(kAskingPod)).verdict, cases::Validating());
}

TEST(ValidatingPhase, TheFirstPluginThatRefusesEndsIt) {
  const auto verdict = judged(cluster_of({kQuota, kBounds}), parsed(kAskingPod)).verdict;
  EXPECT_EQ(verdict.code, 403);
  ASSERT_EQ(verdict.causes.size(), 1U);
  EXPECT_EQ(verdict.causes.front().plugin, "LimitRanger");
  EXPECT_EQ(verdict.causes.front().message, "maximum cpu usage per Container is 2, but limit is 3");
  cases::Cluster without = cluster_of({kQuota, kBounds});
  without.admission_plugins.clear();
  EXPECT_EQ(judged(without, parsed(kAskingPod)).verdict.causes.front().plugin, "ResourceQuota")
      << "LimitRanger judges only where it is on";
}

TEST(ValidatingPhase, AWarningIsNoRefusal) {
  const auto [verdict, warnings] = judged(cluster_of({R"({"apiVersion":"v1","kind":"Namespace",
      "metadata":{"name":"default","labels":{"pod-security.kubernetes.io/warn":"restricted"}}})"}),
                                          parsed(kAskingPod));
  EXPECT_FALSE(verdict.refuses());
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings.front().starts_with("would violate PodSecurity \"restricted:latest\": "));
}

}  // namespace
}  // namespace fixpoint::apiserver
