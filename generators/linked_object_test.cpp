#include "generators/linked_object.h"

#include <gtest/gtest.h>

#include "harness/document/yaml.h"

namespace fixpoint::generators {
namespace {

using document::Value;

Value parsed(const char* text) { return document::read_yaml(text).value(); }

constexpr const char* kLinkedSchema = R"(
type: object
properties:
  spec:
    type: object
    properties:
      image: {type: string}
      images: {type: array, items: {type: string}}
      level: {type: string, enum: [image, low]}
      name: {type: string}
      secretName: {type: string}
      profileRef: {type: object, properties: {kind: {type: string}, name: {type: string}}}
      podSelector:
        type: object
        properties: {matchLabels: {type: object, additionalProperties: {type: string}}}
      nodeSelector: {type: object, additionalProperties: {type: string}}
      namespaces: {type: array, items: {type: string}}
)";
constexpr const char* kLinkedObject = R"(
spec:
  image: x
  images: [x, y]
  level: low
  name: own
  secretName: x
  profileRef: {kind: SeccompProfile, name: x}
  podSelector: {matchLabels: {a: b}}
  nodeSelector: {a: b}
  namespaces: [x]
)";

/// How often a member of the object is that value, in so many draws.
constexpr int kLinkedDraws = 200;
int times(const Value& request, const char* member, const Value& wanted) {
  const LinkTargets targets{
      .request_object = &request,
      .kinds = {{"Secret", {"token"}}, {"SeccompProfile", {"strict"}}, {"Namespace", {"team-a"}}}};
  int count = 0;
  for (std::uint64_t i = 0; i < kLinkedDraws; ++i) {
    runner::Choices choices(5, i);
    const Value linked = linked_object(choices, parsed(kLinkedObject), parsed(kLinkedSchema), targets);
    count += linked["spec"][member] == wanted ? 1 : 0;
  }
  return count;
}

/// Most objects are found by what the request says, and some are not.
TEST(LinkedObject, MostlyMeansTheRequestsObjectAndWhatIsDrawn) {
  const Value pod = parsed(R"({metadata: {name: p, labels: {app: web}},
      spec: {containers: [{name: main, image: "registry.example.com/app:1"}]}})");
  const Value labels = parsed("{app: web}");
  for (const auto& [member, wanted] :
       {std::pair("image", Value("registry.example.com/app:1")), std::pair("secretName", Value("token")),
        std::pair("profileRef", parsed("{kind: SeccompProfile, name: strict}")),
        std::pair("podSelector", Value{{"matchLabels", labels}}), std::pair("nodeSelector", labels),
        std::pair("namespaces", Value::list({"team-a"}))}) {
    EXPECT_GT(times(pod, member, wanted), kLinkedDraws / 3) << member;
    EXPECT_LT(times(pod, member, wanted), kLinkedDraws) << member;
  }
  EXPECT_EQ(times(pod, "level", Value("low")), kLinkedDraws) << "the schema says what it may be";
  EXPECT_EQ(times(pod, "name", Value("own")), kLinkedDraws) << "a name alone means anything";
}

TEST(LinkedObject, WithoutALabelSelectsEverythingAtMost) {
  const Value pod = parsed("{metadata: {name: p}, spec: {containers: [{name: main}]}}");
  EXPECT_EQ(times(pod, "image", Value("x")), kLinkedDraws);
  EXPECT_EQ(times(pod, "podSelector", Value::empty_object()) +
                times(pod, "podSelector", parsed("{matchLabels: {a: b}}")),
            kLinkedDraws);
}

}  // namespace
}  // namespace fixpoint::generators
