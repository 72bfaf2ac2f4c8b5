#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/properties/one_webhook_test.h"
#include "injectors/bundled.h"
#include "injectors/kserve/probes/handed_probe.h"

namespace fixpoint::injectors::kserve::probes {
namespace {

using properties::Violation;

constexpr const char* kProbedPod = R"({"metadata":{"name":"p"},"spec":{
    "containers":[{"name":"main","image":"x:1","env":[{"name":"USER","value":"u"}],
    "readinessProbe":{"exec":{"command":["ready"]}}}]}})";

/// Returns the violations of the property on a Case whose only webhook is this script.
std::vector<Violation> violations_of(const char* property, const std::string& script,
                                     const char* pod = kProbedPod) {
  return violations_in(properties::judgement_of(
      *bundled().catalog.find(property), properties::of_one_webhook(properties::script_of(script), pod)));
}

struct Planted {
  const char* property;
  const char* buggy;
  const char* fixed;
  const char* path;
};

constexpr Planted kPlanted[] = {
    {"probe-handed-over", R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"agent"}}},
          "patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"agent","image":"y",
            "readinessProbe":{"httpGet":{"path":"/","port":9081,"scheme":"HTTP",
              "httpHeaders":[{"name":"K-Network-Probe","value":"queue"}]}},
            "env":[{"name":"SERVING_READINESS_PROBE","value":"{\"exec\":{\"command\":[\"ready\"]}}"}]}}]}])",
     R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"agent"}}},
          "patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"agent","image":"y",
            "readinessProbe":{"httpGet":{"path":"/","port":9081,"scheme":"HTTP",
              "httpHeaders":[{"name":"K-Network-Probe","value":"queue"}]}},
            "env":[{"name":"SERVING_READINESS_PROBE","value":"{\"httpGet\":{\"port\":8080}}"}]}}]}])",
     "spec.containers[1].env[0].value"},
    {"agent-can-become-ready", R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"agent"}}},
          "patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"agent","image":"y",
            "readinessProbe":{"httpGet":{"path":"/","port":9081,"scheme":"HTTP",
              "httpHeaders":[{"name":"K-Network-Probe","value":"queue"}]}}}}]}])",
     R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"agent"}}},
          "patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"agent","image":"y",
            "readinessProbe":{"httpGet":{"path":"/","port":9081,"scheme":"HTTP",
              "httpHeaders":[{"name":"K-Network-Probe","value":"queue"}]}},
            "env":[{"name":"SERVING_READINESS_PROBE","value":"{\"httpGet\":{\"port\":8080}}"}]}}]}])",
     "spec.containers[1].env"},
};

TEST(ProbeProperties, CatchWhatIsPlantedAndNotItsFixedVariant) {
  for (const Planted& planted : kPlanted) {
    const auto found = violations_of(planted.property, planted.buggy);
    ASSERT_EQ(found.size(), 1u) << planted.property;
    EXPECT_EQ(found.front().path, planted.path);
    EXPECT_EQ(found.front().severity, properties::Severity::error);
    EXPECT_EQ(found.front().webhook, "c/a.b.c");
    EXPECT_TRUE(violations_of(planted.property, planted.fixed).empty()) << planted.property;
  }
}

/// Returns the reason why a container that probes in place of another one, with that env, is never ready.
std::string why_never_ready(const char* env, const char* more = "") {
  const std::string script = std::string(R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"q"}}},
      "patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"q","image":"y","env":)") +
                             env +
                             R"(,"readinessProbe":{"httpGet":{"port":1,
      "httpHeaders":[{"name":"K-Network-Probe","value":"queue"}]}}}}]}])";
  const std::string pod = std::string(R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main",
      "image":"x:1"})") + more +
                          "]}}";
  const auto found = violations_of("agent-can-become-ready", script, pod.c_str());
  return found.empty() ? "" : found.front().reason;
}

TEST(ProbeProperties, KnowsWhatAnAgentCanAsk) {
  const auto reported = [](const char* probe) {
    const Value env = Value::list({Value{{"name", "SERVING_READINESS_PROBE"}, {"value", probe}}});
    return why_never_ready(document::write_json(env).c_str());
  };
  EXPECT_EQ(reported(""), "");
  EXPECT_EQ(reported(R"({"tcpSocket":{"port":8080}})"), "");
  EXPECT_EQ(reported(R"({"grpc":{"port":8080}})"), "");
  EXPECT_NE(reported("null").find("is null"), std::string::npos);
  EXPECT_NE(reported(R"({"periodSeconds":5})").find("no probe"), std::string::npos);
  EXPECT_NE(reported(R"({"exec":{"command":["a"]}})").find("is a command"), std::string::npos);
  EXPECT_NE(reported(R"({"httpGet":{"port":"http"}})").find("by a name"), std::string::npos);
  EXPECT_NE(reported(R"({"httpGet":{"path":"/ready","port":8080}})").find("at another"), std::string::npos);
  EXPECT_NE(why_never_ready("[]").find("is missing"), std::string::npos);
  // A copy of the user's own proxy may lack what that proxy lacks.
  EXPECT_EQ(why_never_ready("[]", R"(,{"name":"queue-proxy","image":"z:1"})"), "");
}

TEST(ProbeProperties, AProbeOfTheSameImageIsNoForeignOne) {
  const char* script = R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"twin"}}},
      "patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"twin","image":"x:1",
      "readinessProbe":{"exec":{"command":["ready"]}}}}]}])";
  EXPECT_TRUE(violations_of("probe-handed-over", script).empty());
  const std::string other = std::string(script).replace(std::string(script).find("x:1"), 3, "z:1");
  EXPECT_EQ(violations_of("probe-handed-over", other).size(), 1u);
}

}  // namespace
}  // namespace fixpoint::injectors::kserve::probes
