#include <gtest/gtest.h>

#include "harness/document/base64.h"
#include "harness/properties/one_webhook_test.h"

namespace fixpoint::properties {
namespace {

constexpr const char* kPodWithSecret =
    R"({"metadata":{"name":"p","namespace":"default"},"spec":{"containers":[{"name":"main","image":"x"}]}})";

std::vector<Violation> leaks_of(const Value& variable) {
  auto value = of_one_webhook(cases::InjectorName{"test/handler"}, kPodWithSecret);
  value.cluster.objects.push_back({{"apiVersion", "v1"},
                                   {"kind", "Secret"},
                                   {"metadata", {{"name", "db"}, {"namespace", "default"}}},
                                   {"data", {{"password", document::encode_base64("correct-horse")}}}});
  return violations_of("secrets-hidden", value, changing([=](Value& pod, int) {
                         pod.edit("spec").edit("containers").edit(0).edit("env").push_back(variable);
                       }));
}

TEST(SecretsHidden, AreNotWrittenInClear) {
  const auto violations = leaks_of({{"name", "URL"}, {"value", "db://u:correct-horse@db"}});
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_NE(violations[0].reason.find("writes password of the Secret db into spec.containers[0].env"),
            std::string::npos)
      << violations[0].reason;
  EXPECT_EQ(violations[0].reason.find("correct-horse"), std::string::npos) << "the sentence hides it, too";
  EXPECT_TRUE(leaks_of({{"name", "URL"}, {"value", "db://db"}}).empty());
}

}  // namespace
}  // namespace fixpoint::properties
