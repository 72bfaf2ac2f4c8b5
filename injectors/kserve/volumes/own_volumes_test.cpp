#include "injectors/kserve/volumes/own_volumes.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/properties/one_webhook_test.h"
#include "injectors/bundled.h"

namespace fixpoint::injectors::kserve::volumes {
namespace {

using document::Value;

/// Mounts a Secret in the first container, under a name that the user's Pod may have; a careful webhook looks
/// at the source of the volume that is there.
webhooks::Handler mounting(bool is_careful) {
  return properties::changing([=](Value& pod, int) {
    const Value own{{"name", "credentials"}, {"secret", {{"secretName", "robot"}, {"defaultMode", 420}}}};
    Value& spec = pod.edit("spec");
    for (const Value& volume : pod["spec"]["volumes"].elements())
      if (volume["name"] == own["name"]) {
        if (!is_careful || volume == own)
          spec.edit("containers")
              .edit(0)
              .set("volumeMounts", Value::list({{{"name", "credentials"}, {"mountPath", "/c"}}}));
        return;
      }
    spec.edit("volumes").push_back(own);
    spec.edit("containers")
        .edit(0)
        .set("volumeMounts", Value::list({{{"name", "credentials"}, {"mountPath", "/c"}}}));
  });
}

std::vector<properties::Violation> violations_with(const char* volume, bool is_careful) {
  const std::string pod = std::string(R"({"metadata":{"name":"p"},"spec":{"volumes":[{"name":)") + volume +
                          R"(}],"containers":[{"name":"main","image":"a"}]}})";
  return violations_in(properties::judgement_of(
      *bundled().catalog.find("mounts-own-volumes"),
      properties::of_one_webhook(cases::InjectorName{"test/handler"}, pod.c_str()), mounting(is_careful)));
}

TEST(OwnVolumes, CatchesAUsersVolumeInPlaceOfTheOneThatIsMeant) {
  const auto found = violations_with(R"("credentials","emptyDir":{})", false);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().severity, properties::Severity::warning);
  EXPECT_NE(found.front().reason.find("the user's volume credentials"), std::string::npos);
}

TEST(OwnVolumes, TakesAnEqualVolumeAndACarefulWebhook) {
  EXPECT_TRUE(violations_with(R"("credentials","emptyDir":{})", true).empty());
  EXPECT_TRUE(violations_with(R"("other","emptyDir":{})", false).empty());
  EXPECT_TRUE(
      violations_with(R"("credentials","secret":{"secretName":"robot","defaultMode":420})", false).empty());
}

}  // namespace
}  // namespace fixpoint::injectors::kserve::volumes
