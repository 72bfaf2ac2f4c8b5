#include "harness/apiserver/policies/apply_configuration.h"

#include <gtest/gtest.h>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver::policies {
namespace {

using document::Value;

constexpr int kMinor = 36;

Value json(const char* text) { return document::read_json(text, {}).value(); }

constexpr const char* kPod = R"({"metadata":{"name":"p","labels":{"a":"1"}},"spec":{"containers":[
{"name":"a","image":"x","env":[{"name":"A","value":"1"},{"name":"B","value":"2"}],
 "ports":[{"containerPort":80},{"containerPort":80,"protocol":"UDP"}]},{"name":"b","image":"y"}]}})";

std::string merged(const char* configuration, const char* path) {
  const auto pod = decode_pod(json(kPod), kMinor);
  const auto value = merge_configuration(*pod, json(configuration), object_place(apiserver::kPod), kMinor);
  if (!value) return value.error().message;
  Value at = *value;
  for (std::string_view rest = path; !rest.empty();) {
    const auto dot = std::min(rest.find('.'), rest.size());
    const std::string_view step = rest.substr(0, dot);
    at = std::isdigit(static_cast<unsigned char>(step[0])) != 0
             ? Value(at.at(static_cast<std::size_t>(std::atoi(std::string(step).c_str()))))
             : Value(at[document::Name(step)]);
    rest.remove_prefix(std::min(dot + 1, rest.size()));
  }
  return document::write_json(at);
}

TEST(ApplyConfiguration, MergesListsByTheirKeys) {
  EXPECT_EQ(merged(
                R"({"spec":{"containers":[{"name":"a","env":[{"name":"B","value":"3"},
{"name":"C","value":"4"}]}]}})",
                "spec.containers.0.env"),
            R"([{"name":"A","value":"1"},{"name":"B","value":"3"},{"name":"C","value":"4"}])");
  EXPECT_EQ(merged(R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":80,"name":"web"}]}]}})",
                   "spec.containers.0.ports"),
            R"([{"containerPort":80,"name":"web"},{"containerPort":80,"protocol":"UDP"}])")
      << "an absent protocol is TCP";
  EXPECT_EQ(merged(R"({"metadata":{"labels":{"b":"2"}}})", "metadata.labels"), R"({"a":"1","b":"2"})");
}

TEST(ApplyConfiguration, MakesNoListOfTwoEmptyOnes) {
  EXPECT_EQ(merged(R"({"spec":{"initContainers":[]}})", "spec.initContainers"), "null");
  EXPECT_EQ(merged(R"({"spec":{"containers":[]}})", "spec.containers.0.name"), R"("a")");
}

TEST(ApplyConfiguration, RefusesWhatIsAtomicOrUnknownWithItsPath) {
  EXPECT_EQ(
      merged(R"({"spec":{"tolerations":[{"key":"a"}]}})", ""),
      "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
      ".spec.tolerations");
  EXPECT_EQ(
      merged(R"({"spec":{"tolerations":[],"containers":[{"name":"a","args":["x"]}]}})", ""),
      "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
      ".spec.containers[0].args, .spec.tolerations")
      << "sorted, where the server has the order of a Go map";
  EXPECT_EQ(
      merged(R"({"spec":{"nodeSelectr":{"a":"b"}}})", ""),
      "error applying patch: failed to convert patch object to typed object: .spec.nodeSelectr: field not "
      "declared in schema");
  EXPECT_EQ(
      merged(R"({"spec":{"containers":[{"name":"a"},{"name":"a"}]}})", ""),
      "error applying patch: failed to convert patch object to typed object: .spec.containers: duplicate "
      "entries for key [name=\"a\"]");
}

/// A configuration that a Pod already has changes nothing, and one that was applied changes nothing again.
TEST(ApplyConfiguration, AppliedAgainChangesNothing) {
  for (const char* configuration :
       {R"({"spec":{"containers":[{"name":"b"},{"name":"a","image":"z"}]}})",
        R"({"spec":{"initContainers":[{"name":"i","image":"i"}],"securityContext":{"runAsNonRoot":true}}})",
        R"({"metadata":{"annotations":{"k":"v"}},"spec":{"volumes":[{"name":"v","emptyDir":{}}]}})",
        R"({"spec":{"containers":[{"name":"c","image":"c"},{"name":"a"}]}})"}) {
    const auto pod = decode_pod(json(kPod), kMinor);
    const auto once = merge_configuration(*pod, json(configuration), object_place(apiserver::kPod), kMinor);
    ASSERT_TRUE(once) << once.error().message;
    const auto decoded = decode_pod(*once, kMinor);
    const auto twice =
        merge_configuration(*decoded, json(configuration), object_place(apiserver::kPod), kMinor);
    ASSERT_TRUE(twice) << twice.error().message;
    EXPECT_EQ(document::write_json(decode_pod(*twice, kMinor).value()), document::write_json(*decoded));
  }
  const auto pod = decode_pod(json(kPod), kMinor);
  EXPECT_EQ(decode_pod(merge_configuration(*pod, *pod, object_place(apiserver::kPod), kMinor).value(), kMinor)
                .value(),
            *pod)
      << "itself";
}

}  // namespace
}  // namespace fixpoint::apiserver::policies
