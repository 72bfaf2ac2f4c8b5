#include <gtest/gtest.h>

#include <string>

#include "harness/document/json.h"
#include "harness/properties/one_webhook_test.h"

namespace fixpoint::properties {
namespace {

const cases::Backend kServed =
    script_of(R"([{"patch":[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]}])");

/// A Case whose webhook runs in a Deployment of the namespace `own`; `more` are further members of the
/// webhook.
cases::Case served(const std::string& more, const char* label = "injector") {
  auto value = of_one_webhook(
      kServed, R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1"}]}})");
  Value& webhook = value.cluster.objects.front().edit("webhooks").edit(0);
  const Value members =
      document::read_json(R"({"clientConfig":{"service":{"name":"injector","namespace":"own"}})" + more + "}")
          .value();
  for (const auto& member : members.members()) webhook.set(member.key.name(), member.value);
  for (const std::string& object :
       {std::string(R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"injector","namespace":"own"},
          "spec":{"selector":{"app":"injector"}}})"),
        R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"injector","namespace":"own"},
          "spec":{"template":{"metadata":{"labels":{"app":")" +
            std::string(label) + R"("}},"spec":{"containers":[{"name":"c","image":"x:1"}]}}}})"})
    value.cluster.objects.push_back(document::read_json(object).value());
  return value;
}

TEST(ConfigurationSound, AsksForTheWebhooksOwnPods) {
  const auto violations = violations_of("configuration-sound", served(R"(,"failurePolicy":"Fail")"));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].reason,
            "has failurePolicy Fail and selects the Pods of its own Deployment own/injector: if none of them "
            "runs, none can be created");
  EXPECT_EQ(violations_of("configuration-sound", served("")).size(), 1u) << "Fail is the default";
}

TEST(ConfigurationSound, IsSilentWhereThePodsAreLeftOut) {
  for (const char* more :
       {R"(,"failurePolicy":"Ignore")",
        R"(,"namespaceSelector":{"matchExpressions":[{"key":"kubernetes.io/metadata.name",
            "operator":"NotIn","values":["own","kube-system"]}]})",
        R"(,"objectSelector":{"matchLabels":{"inject":"true"}})",
        R"(,"matchConditions":[{"name":"not-own","expression":"request.namespace != 'own'"}])"})
    EXPECT_TRUE(violations_of("configuration-sound", served(more)).empty()) << more;
  EXPECT_TRUE(violations_of("configuration-sound", served("", "other")).empty()) << "others run there";
}

TEST(ConfigurationSound, ObservesThatKubeSystemIsSelected) {
  const auto seen = observations_of(judgement_of("configuration-sound", served("", "other")));
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].kind, "system-selected");
}

}  // namespace
}  // namespace fixpoint::properties
