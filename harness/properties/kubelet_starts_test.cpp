#include <gtest/gtest.h>

#include <string>

#include "harness/document/json.h"
#include "harness/properties/one_webhook_test.h"

namespace fixpoint::properties {
namespace {

constexpr const char* kStartedPod =
    R"({"metadata":{"name":"p","namespace":"default"},"spec":{"containers":[{"name":"main","image":"x"}]}})";
constexpr const char* kWindowsPod = R"({"metadata":{"name":"p","namespace":"default"},"spec":{
    "nodeSelector":{"kubernetes.io/os":"windows"},"containers":[{"name":"main","image":"x"}]}})";

/// Returns the violations of a webhook that appends these elements to lists of the Pod's spec:
/// `{"volumes":[…]}`.
std::string obstacle_of(const std::string& lists, const char* pod = kStartedPod) {
  const Value added = document::read_json(lists).value();
  const auto adds = changing([=](Value& object, int) {
    for (const auto& list : added.members())
      for (const Value& element : list.value.elements())
        object.edit("spec").edit(list.key.name()).push_back(element);
  });
  const auto violations =
      violations_of("kubelet-starts", of_one_webhook(cases::InjectorName{"test/handler"}, pod), adds);
  return violations.empty() ? "" : violations.front().reason;
}

bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(KubeletStarts, NotARootThatMayNotBeRoot) {
  const std::string root =
      R"({"initContainers":[{"name":"i","image":"y","securityContext":{"runAsUser":0}}]})";
  EXPECT_TRUE(says(obstacle_of(root), "runAsUser 0 under runAsNonRoot")) << obstacle_of(root);
  EXPECT_EQ(obstacle_of(R"({"initContainers":[{"name":"i","image":"y",
      "securityContext":{"runAsUser":0,"runAsNonRoot":false}}]})"),
            "");
  EXPECT_EQ(obstacle_of(R"({"initContainers":[{"name":"i","image":"y"}]})"), "");
}

TEST(KubeletStarts, ProbesOfPortsThatAreThere) {
  EXPECT_TRUE(says(obstacle_of(R"({"containers":[{"name":"s","image":"y",
      "readinessProbe":{"httpGet":{"port":"health"}}}]})"),
                   "does not declare"));
  EXPECT_EQ(obstacle_of(R"({"containers":[{"name":"s","image":"y","ports":[{"containerPort":1}],
      "readinessProbe":{"httpGet":{"port":2}}}]})"),
            "")
      << "a container may listen on what it does not declare";
}

TEST(KubeletStarts, WhatIsWaitedForFirst) {
  const std::string wait =
      R"({"initContainers":[{"name":"i","image":"y","args":["--url=http://localhost:15021/"]}])";
  const std::string agent = R"({"name":"s","image":"y","ports":[{"containerPort":15021}])";
  EXPECT_TRUE(says(obstacle_of(wait + R"(,"containers":[)" + agent + "}]}"), "waits for port 15021 of s"));
  EXPECT_EQ(
      obstacle_of(
          R"({"initContainers":[)" + agent +
          R"(,"restartPolicy":"Always"},{"name":"i","image":"y","args":["http://localhost:15021/"]}]})"),
      "");
}

TEST(KubeletStarts, WithATokenAndVolumesThatAreWritten) {
  const std::string empty =
      R"({"volumes":[{"name":"v","emptyDir":{}}],"containers":[{"name":"s","image":"y",)";
  EXPECT_TRUE(
      says(obstacle_of(empty + R"("volumeMounts":[{"name":"v","mountPath":"/v","readOnly":true}]}]})"),
           "every mount of it is read-only"));
  EXPECT_EQ(obstacle_of(empty + R"("volumeMounts":[{"name":"v","mountPath":"/v"}]}]})"), "");
  EXPECT_TRUE(says(obstacle_of(empty + R"("volumeMounts":[{"name":"v",
      "mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}]}]})"),
                   "hides the token"));
}

TEST(KubeletStarts, NoFieldsOfLinuxOnWindows) {
  const std::string agent =
      R"({"containers":[{"name":"s","image":"y","securityContext":{"runAsUser":1000}}]})";
  EXPECT_TRUE(says(obstacle_of(agent, kWindowsPod), "is for Linux"));
  EXPECT_EQ(obstacle_of(agent), "");
}

}  // namespace
}  // namespace fixpoint::properties
