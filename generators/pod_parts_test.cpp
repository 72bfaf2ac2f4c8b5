#include "generators/pod_parts.h"

#include <gtest/gtest.h>

#include "generators/schema_values.h"
#include "harness/apiserver/registry/whole_request.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/document/json.h"

namespace fixpoint::generators {
namespace {

using document::Value;
using runner::Choices;

Value schema(const char* properties) {
  return document::read_json(std::string(R"({"type":"object","properties":)") + properties + "}").value();
}

constexpr const char* kContainer = R"({"name":{"type":"string"},"image":{"type":"string"},
    "command":{"type":"array","items":{"type":"string"}},
    "env":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},
                                                                 "value":{"type":"string"}}}},
    "livenessProbe":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
    "ports":{"type":"array","items":{"type":"object","x-kubernetes-preserve-unknown-fields":true}},
    "resources":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
    "volumeMounts":{"type":"array","items":{"type":"object"}}})";

Value pod_with(const char* list, Value element) {
  Value pod{{"apiVersion", "v1"},
            {"kind", "Pod"},
            {"metadata", {{"name", "a"}}},
            {"spec", {{"containers", Value::list({{{"name", "own"}, {"image", "own:1"}}})}}}};
  pod.edit("spec").edit(list).push_back(std::move(element));
  return pod;
}

bool is_valid(const Value& pod) {
  const auto errors = apiserver::errors_of_request("create", pod, {});
  return errors && errors->empty();
}

TEST(PodParts, AContainerIsValidInAnyPod) {
  int with_resources = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    Choices choices(1, i);
    const Value container = draw_schema_value(choices, schema(kContainer));
    EXPECT_TRUE(is_valid(pod_with("containers", container))) << document::write_json(container);
    with_resources += container["resources"].is_object() ? 1 : 0;
  }
  EXPECT_GT(with_resources, 10);
}

TEST(PodParts, HaveNoMemberThatTheSchemaLacks) {
  const Value container = schema(kContainer);
  for (std::uint64_t i = 0; i < 300; ++i) {
    Choices choices(2, i);
    const auto drawn = draw_pod_part(choices, container);
    ASSERT_TRUE(drawn);
    for (const auto& member : drawn->members())
      EXPECT_TRUE(container["properties"][member.key.text()].is_object()) << document::write_json(*drawn);
    for (const Value& variable : (*drawn)["env"].elements()) EXPECT_TRUE(variable["valueFrom"].is_null());
  }
}

TEST(PodParts, AreDrawnWhereTheSchemaNamesThem) {
  const struct {
    const char* properties;
    const char* list;
  } kParts[] = {
      {R"({"effect":{"type":"string"},"key":{"type":"string"},"operator":{"type":"string"},
           "value":{"type":"string"},"tolerationSeconds":{"type":"integer"}})",
       "tolerations"},
      {R"({"name":{"type":"string"},"configMap":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
           "emptyDir":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
           "persistentVolumeClaim":{"type":"object","x-kubernetes-preserve-unknown-fields":true}})",
       "volumes"},
  };
  for (const auto& [properties, list] : kParts) {
    int valid = 0;
    for (std::uint64_t i = 0; i < 100; ++i) {
      Choices choices(3, i);
      valid += is_valid(pod_with(list, draw_schema_value(choices, schema(properties)))) ? 1 : 0;
    }
    // A volume whose source the schema lacks is none.
    EXPECT_GT(valid, 30) << list;
  }
}

TEST(PodParts, LeaveEveryOtherSchemaAlone) {
  Choices choices(4, 1);
  EXPECT_FALSE(draw_pod_part(choices, schema(R"({"name":{"type":"string"},"image":{"type":"string"}})")));
  EXPECT_FALSE(draw_pod_part(choices, Value{{"type", "string"}}));
}

}  // namespace
}  // namespace fixpoint::generators
