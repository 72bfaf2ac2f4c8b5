#include "generators/conforming_pod.h"

#include <gtest/gtest.h>

#include "generators/draw_context.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/judges/pod_security_checks.h"
#include "harness/document/json.h"

namespace fixpoint::generators {
namespace {

using apiserver::validating::broken_checks;
using apiserver::validating::SecurityLevel;

constexpr const char* kPod = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{
  "hostNetwork":true,"containers":[
    {"name":"a","image":"x:1","securityContext":{"privileged":true,"runAsUser":0,"runAsNonRoot":false}},
    {"name":"b","image":"x:1","resources":{"requests":{"cpu":"250m"},"limits":{"memory":"1Gi"}}}],
  "initContainers":[{"name":"c","image":"x:1","securityContext":{"capabilities":{"add":["NET_ADMIN"]}}}]}})";

TEST(ConformingPod, MeetsTheLevelRestrictedByThePodOrByItsContainers) {
  bool is_by_pod = false, is_by_container = false;
  for (std::uint64_t i = 0; i < 32; ++i) {
    Choices choices(1, i);
    Value pod = document::read_json(kPod).value();
    harden(pod, choices);
    EXPECT_EQ(broken_checks(pod, SecurityLevel::restricted, 36), std::nullopt) << document::write_json(pod);
    (pod["spec"]["securityContext"].is_object() ? is_by_pod : is_by_container) = true;
  }
  EXPECT_TRUE(is_by_pod && is_by_container);
}

TEST(ConformingPod, SaysForEachContainerWhatItAsksFor) {
  for (std::uint64_t i = 0; i < 8; ++i) {
    Choices choices(1, i);
    Value pod = document::read_json(kPod).value();
    give_amounts(pod, choices);
    for (const char* list : {"containers", "initContainers"})
      for (const Value& container : pod["spec"][document::Name(list)].elements())
        for (const char* resource : {"cpu", "memory"})
          EXPECT_TRUE(container["resources"]["limits"][document::Name(resource)].is_string());
    EXPECT_EQ(pod["spec"]["containers"].at(1)["resources"]["limits"]["cpu"].text(), "250m")
        << "its own bound";
    EXPECT_EQ(pod["spec"]["containers"].at(1)["resources"]["limits"]["memory"].text(), "1Gi");
  }
}

/// A judge says something about the webhook only if the Pod passes without it.
TEST(ConformingPod, IsMostlyAdmittedWhereItIsJudged) {
  Subject subject = script_peers().front();
  for (auto& [key, backend] : subject.webhooks) backend = cases::Command{{"hook"}};
  const DrawContext context({.subjects = {subject}, .has_faults = false, .has_scripts = false});
  int judged = 0, refused = 0, restricted = 0, quotas = 0;
  for (std::uint64_t i = 0; i < 1500; ++i) {
    Choices choices(7, i);
    Case value = draw(choices, context);
    const Value* space = value.cluster.find("Namespace", "", value.request.namespace_name);
    const bool is_restricted =
        space != nullptr &&
        (*space)["metadata"]["labels"]["pod-security.kubernetes.io/enforce"].text() == "restricted";
    const bool has_quota =
        value.cluster.find("ResourceQuota", value.request.namespace_name, "drawn-quota") != nullptr;
    if (!is_restricted && !has_quota) continue;
    ++judged;
    restricted += is_restricted ? 1 : 0;
    quotas += has_quota ? 1 : 0;
    if (is_restricted &&
        broken_checks(value.request.object, SecurityLevel::restricted, apiserver::minor_of(value.cluster)))
      ++refused;
  }
  EXPECT_GT(restricted, 10);
  EXPECT_GT(quotas, 10);
  EXPECT_EQ(refused, 0) << "of " << judged;
}

}  // namespace
}  // namespace fixpoint::generators
