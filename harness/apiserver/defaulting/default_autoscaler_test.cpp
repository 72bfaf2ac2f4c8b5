#include "harness/apiserver/defaulting/default_autoscaler.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

TEST(DefaultAutoscaler, KeepsWhatIsGivenAndSettlesAtOnce) {
  const auto read = [](const char* text) { return document::read_json(text).value(); };
  const Value given = read(R"({"spec":{"minReplicas":3,"metrics":[{"type":"Object"}],
      "behavior":{"scaleDown":{"stabilizationWindowSeconds":60,"policies":[]},"scaleUp":null}}})");
  const Value spec = default_autoscaler(given)["spec"];
  EXPECT_EQ(spec["minReplicas"].integer(), 3);
  EXPECT_EQ(spec["metrics"], given["spec"]["metrics"]);
  EXPECT_EQ(spec["behavior"]["scaleDown"], read(R"({"stabilizationWindowSeconds":60,"selectPolicy":"Max",
      "policies":[]})"));
  EXPECT_EQ(spec["behavior"]["scaleUp"]["stabilizationWindowSeconds"].integer(), 0);
  EXPECT_EQ(default_autoscaler(default_autoscaler(given)), default_autoscaler(given));
  EXPECT_TRUE(default_autoscaler(read(R"({"spec":{}})"))["spec"]["behavior"].is_null());
}

}  // namespace
}  // namespace fixpoint::apiserver
