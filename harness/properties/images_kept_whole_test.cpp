#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "harness/properties/one_webhook_test.h"

namespace fixpoint::properties {
namespace {

std::vector<Observation> seen_of(const std::function<std::string(std::string)>& rewrite) {
  const auto rewrites = changing([=](Value& pod, int) {
    Value& container = pod.edit("spec").edit("containers").edit(0);
    container.set("image", rewrite(std::string(container["image"].text())));
  });
  return observations_of(judgement_of(
      "images-kept-whole",
      of_one_webhook(cases::InjectorName{"test/handler"},
                     R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1"}]}})"),
      rewrites));
}

TEST(ImagesKeptWhole, AreObservedWhereAPartIsLost) {
  const auto without_tag = [](const std::string& image) { return "m/" + image.substr(0, image.rfind(':')); };
  const auto without_port = [](const std::string& image) {
    const auto colon = image.find(":5000");
    return "m/" + (colon == std::string::npos ? image : image.substr(0, colon) + image.substr(colon + 5));
  };
  const auto without_digest = [](const std::string& image) {
    return "m/" + image.substr(0, image.find('@'));
  };
  ASSERT_EQ(seen_of(without_tag).size(), 1u);
  EXPECT_NE(seen_of(without_tag)[0].reason.find("without the tag"), std::string::npos);
  ASSERT_EQ(seen_of(without_port).size(), 1u);
  EXPECT_NE(seen_of(without_port)[0].reason.find("port of its registry"), std::string::npos);
  ASSERT_EQ(seen_of(without_digest).size(), 1u);
  EXPECT_NE(seen_of(without_digest)[0].reason.find("without the digest"), std::string::npos);
}

TEST(ImagesKeptWhole, AreThoseOfTheRegistryThatIsRewritten) {
  const auto of_one_registry = [](bool keeps_digest) {
    return seen_of([=](const std::string& image) {
      if (image.find('/') != std::string::npos) return image;
      return "cache.example/library/" + (keeps_digest ? image : image.substr(0, image.find('@')));
    });
  };
  ASSERT_EQ(of_one_registry(false).size(), 1u);
  EXPECT_NE(of_one_registry(false)[0].reason.find("without the digest: x@sha256"), std::string::npos);
  EXPECT_TRUE(of_one_registry(true).empty());
}

TEST(ImagesKeptWhole, MayHaveAnotherRegistryOrADigestForTheirTag) {
  EXPECT_TRUE(seen_of([](const std::string& image) { return "mirror.example/" + image; }).empty());
  EXPECT_TRUE(seen_of([](const std::string& image) {
                return "m.example/team" +
                       image.substr(image.find('/') == std::string::npos ? 0 : image.rfind('/'));
              }).empty());
  EXPECT_TRUE(seen_of([](const std::string& image) {
                return image.find('@') == std::string::npos ? image + "@sha256:00" : image;
              }).empty());
  EXPECT_TRUE(seen_of([](const std::string&) { return "constant:1"; }).empty());
}

}  // namespace
}  // namespace fixpoint::properties
