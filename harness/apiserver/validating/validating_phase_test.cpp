#include "harness/apiserver/validating/validating_phase.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "generators/requests.h"
#include "harness/apiserver/validating/pod_security_checks.h"
#include "harness/apiserver/validating/pod_totals.h"
#include "harness/document/json.h"
#include "harness/runner/choices.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;
using validating::SecurityLevel;

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
  EXPECT_EQ(judged({}, parsed(kAskingPod)).verdict, cases::Validating());
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

/// A Pod that was drawn by the seed, with whatever its security contexts ask for.
Value drawn_pod(std::uint64_t seed) {
  runner::Choices choices(seed, 0);
  return generators::draw_edited_pod(choices, 8, true, cases::kNewestMinor);
}

/// A level admits nothing that a laxer one refuses, whatever the version of its checks.
RC_GTEST_PROP(PodSecurityLaw, RestrictedIsStricterThanBaseline, (std::uint64_t seed)) {
  const int version = *rc::gen::inRange(0, cases::kNewestMinor + 1);
  const Value pod = drawn_pod(seed);
  if (broken_checks(pod, SecurityLevel::baseline, version))
    RC_ASSERT(broken_checks(pod, SecurityLevel::restricted, version).has_value());
  RC_ASSERT(!broken_checks(pod, SecurityLevel::privileged, version).has_value());
}

/// A further container never makes a Pod ask for less.
RC_GTEST_PROP(PodTotalsLaw, GrowWithContainers, (std::uint64_t seed)) {
  const Value pod = drawn_pod(seed);
  if (!pod["spec"]["containers"].is_array()) return;
  Value larger = pod;
  larger.edit("spec")
      .edit("containers")
      .push_back(parsed(R"({"name":"more","resources":{"requests":{"cpu":"1"}}})"));
  const auto less = validating::pod_requests(pod, cases::kNewestMinor, validating::StatusCounts::no);
  const auto more = validating::pod_requests(larger, cases::kNewestMinor, validating::StatusCounts::no);
  for (const auto& [resource, amount] : less)
    RC_ASSERT(compare(more.at(resource).quantity, amount.quantity) >= 0);
}

}  // namespace
}  // namespace fixpoint::apiserver
