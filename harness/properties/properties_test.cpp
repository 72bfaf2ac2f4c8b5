#include <gtest/gtest.h>

#include <algorithm>

#include "harness/document/json.h"
#include "harness/properties/probe.h"
#include "harness/runner/examine.h"

namespace fixpoint::properties {
namespace {

/// A Case whose only webhook is a script, called when needed, without plugins and field tracking: what a
/// property says of it is the script's doing.
cases::Case scripted(const char* script, const char* pod = nullptr) {
  cases::Case value;
  value.request.object = document::read_json(pod != nullptr ? pod : R"({"metadata":{"name":"p"},"spec":{
      "containers":[{"name":"main","image":"x:1","env":[{"name":"USER","value":"u"}],
      "readinessProbe":{"exec":{"command":["ready"]}}}]}})")
                             .value();
  value.cluster.admission_plugins.clear();
  value.cluster.objects = {document::read_json(R"({"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},"webhooks":[{"name":"a.b.c",
      "admissionReviewVersions":["v1"],"sideEffects":"None","reinvocationPolicy":"IfNeeded",
      "rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":["pods"]}]}]})")
                               .value()};
  value.webhooks.emplace("c/a.b.c", cases::read_script(document::read_json(script).value()).value());
  return value;
}

std::vector<Violation> ask(const char* property, const cases::Case& value) {
  const auto prepared = runner::prepare(value, {}, {}).value();
  const auto judgement = find(property)->ask({prepared.value, prepared.handlers, prepared.admission, {}});
  if (const auto* violated = std::get_if<Violated>(&judgement)) return violated->violations;
  EXPECT_TRUE(std::holds_alternative<Held>(judgement)) << property << " was not asked";
  return {};
}

/// The planted bug of a property, its twin without it, and what the finding must say.
struct Planted {
  const char* property;
  const char* buggy;
  const char* fixed;
  const char* verdict;
  Severity severity;
  const char* path;
};

constexpr Planted kPlanted[] = {
    {"no-duplicate-names",
     R"([{"patch":[
          
          {"op":"add","path":"/spec/containers/0/env/-","value":{"name":"USER","value":"again"}}]}])",
     R"([{"when":{"not":{"named":{"path":"/spec/containers/0/env","name":"USER"}}},
          "patch":[
            {"op":"add","path":"/spec/containers/0/env/-","value":{"name":"USER","value":"again"}}]}])",
     "growing", Severity::error, "spec.containers[0].env[1].name"},
    {"valid-spec",
     R"([{"patch":[{"op":"add","path":"/spec/containers/0/ports","value":[{"containerPort":70000}]}]}])",
     R"([{"patch":[{"op":"add","path":"/spec/containers/0/ports","value":[{"containerPort":7000}]}]}])", "",
     Severity::error, "spec.containers[0].ports[0].containerPort"},
    {"converges", R"([{"patch":[{"op":"add","path":"/metadata/labels","value":{"turn":"$call"}}]}])",
     R"([{"patch":[{"op":"add","path":"/metadata/labels","value":{"turn":"one"}}]}])", "unsettled",
     Severity::error, "metadata.labels.turn"},
    {"bounded-growth",
     R"([{"patch":[{"op":"add","path":"/spec/tolerations","value":[]}],"when":{"absent":"/spec/tolerations"}},
         {"patch":[{"op":"add","path":"/spec/tolerations/-","value":{"operator":"Exists"}}]}])",
     R"([{"when":{"absent":"/spec/tolerations"},
          "patch":[{"op":"add","path":"/spec/tolerations","value":[{"operator":"Exists"}]}]}])",
     "growing", Severity::error, "spec.tolerations"},
    {"idempotent",
     R"([{"when":{"absent":"/metadata/annotations/done"},
          "patch":[{"op":"add","path":"/metadata/annotations","value":{"done":"yes"}},
                   {"op":"add","path":"/spec/containers/-","value":{"name":"proxy","image":"y"}}]}])",
     R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"proxy"}}},
          "patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"proxy","image":"y"}}]}])",
     "growing", Severity::error, "spec.containers[2]"},
    {"preserves-others", R"([{"patch":[{"op":"replace","path":"/spec/containers/0/env","value":[]}]}])",
     R"([{"when":{"not":{"named":{"path":"/spec/containers/0/env","name":"B"}}},
          "patch":[{"op":"add","path":"/spec/containers/0/env/-","value":{"name":"B"}}]}])",
     "", Severity::error, "spec.containers[0].env"},
    {"patch-well-formed", R"([{"patch":[{"op":"add","path":"/metadata/annotations/a.b/c","value":"d"}]}])",
     R"([{"patch":[{"op":"add","path":"/metadata/annotations","value":{"a.b/c":"d"}}]}])", "",
     Severity::error, "/metadata/annotations/a.b/c"},
    {"deterministic", R"([{"patch":[{"op":"add","path":"/metadata/labels","value":{"turn":"$call"}}]}])",
     R"([{"patch":[{"op":"add","path":"/metadata/labels","value":{"turn":"one"}}]}])", "nondeterministic",
     Severity::error, "metadata.labels.turn"},
    {"answers", R"([{"patch":[{"op":"replace","path":"/metadata/annotations/none","value":"a"}]}])",
     R"([{"patch":[{"op":"add","path":"/metadata/annotations","value":{"none":"a"}}]}])", "", Severity::error,
     "webhook"},
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
     "", Severity::error, "spec.containers[1].env[0].value"},
    {"agent-can-become-ready", R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"agent"}}},
          "patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"agent","image":"y",
            "readinessProbe":{"httpGet":{"path":"/","port":9081,"scheme":"HTTP",
              "httpHeaders":[{"name":"K-Network-Probe","value":"queue"}]}}}}]}])",
     R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"agent"}}},
          "patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"agent","image":"y",
            "readinessProbe":{"httpGet":{"path":"/","port":9081,"scheme":"HTTP",
              "httpHeaders":[{"name":"K-Network-Probe","value":"queue"}]}},
            "env":[{"name":"SERVING_READINESS_PROBE","value":"{\"httpGet\":{\"port\":8080}}"}]}}]}])",
     "", Severity::error, "spec.containers[1].env"},
};

class PlantedBug : public testing::TestWithParam<Planted> {};

TEST_P(PlantedBug, IsCaught) {
  const auto violations = ask(GetParam().property, scripted(GetParam().buggy));
  ASSERT_FALSE(violations.empty());
  EXPECT_EQ(violations.front().verdict, GetParam().verdict);
  EXPECT_EQ(violations.front().path, GetParam().path);
  EXPECT_EQ(violations.front().severity, GetParam().severity);
  EXPECT_EQ(violations.front().webhook, "c/a.b.c");
}

TEST_P(PlantedBug, IsNotSeenInItsFixedTwin) {
  const auto violations = ask(GetParam().property, scripted(GetParam().fixed));
  EXPECT_TRUE(violations.empty()) << violations.front().because;
}

INSTANTIATE_TEST_SUITE_P(Properties, PlantedBug, testing::ValuesIn(kPlanted), [](const auto& planted) {
  std::string name = planted.param.property;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Properties, EveryRowHasAPlantedBug) {
  for (const Property& property : all()) {
    EXPECT_TRUE(std::any_of(std::begin(kPlanted), std::end(kPlanted), [&](const Planted& planted) {
      return planted.property == property.name;
    })) << property.name;
  }
}

/// The container that probes in another's place, with an env of that text.
std::string why_never_ready(const char* env, const char* more = "") {
  const std::string script = std::string(R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"q"}}},
      "patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"q","image":"y","env":)") +
                             env +
                             R"(,"readinessProbe":{"httpGet":{"port":1,
      "httpHeaders":[{"name":"K-Network-Probe","value":"queue"}]}}}}]}])";
  const std::string pod = std::string(R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main",
      "image":"x:1"})") + more +
                          "]}}";
  const auto found = ask("agent-can-become-ready", scripted(script.c_str(), pod.c_str()));
  return found.empty() ? "" : found.front().because;
}

TEST(Properties, KnowsWhatAnAgentCanAsk) {
  const auto told = [](const char* probe) {
    const Value env = Value::list({Value{{"name", "SERVING_READINESS_PROBE"}, {"value", probe}}});
    return why_never_ready(document::write_json(env).c_str());
  };
  EXPECT_EQ(told(""), "");
  EXPECT_EQ(told(R"({"tcpSocket":{"port":8080}})"), "");
  EXPECT_EQ(told(R"({"grpc":{"port":8080}})"), "");
  EXPECT_NE(told("null").find("is null"), std::string::npos);
  EXPECT_NE(told(R"({"periodSeconds":5})").find("no probe"), std::string::npos);
  EXPECT_NE(told(R"({"exec":{"command":["a"]}})").find("is a command"), std::string::npos);
  EXPECT_NE(told(R"({"httpGet":{"port":"http"}})").find("by a name"), std::string::npos);
  EXPECT_NE(why_never_ready("[]").find("is missing"), std::string::npos);
  // What a user's own proxy lacks, its copy may lack.
  EXPECT_EQ(why_never_ready("[]", R"(,{"name":"queue-proxy","image":"z:1"})"), "");
}

TEST(Properties, AProbeOfTheSameImageIsNoForeignOne) {
  const char* script = R"([{"when":{"not":{"named":{"path":"/spec/containers","name":"twin"}}},
      "patch":[{"op":"add","path":"/spec/containers/-","value":{"name":"twin","image":"x:1",
      "readinessProbe":{"exec":{"command":["ready"]}}}}]}])";
  EXPECT_TRUE(ask("probe-handed-over", scripted(script)).empty());
  const std::string other = std::string(script).replace(std::string(script).find("x:1"), 3, "z:1");
  EXPECT_EQ(ask("probe-handed-over", scripted(other.c_str())).size(), 1u);
}

TEST(Properties, AFaultIsNoWebhooksGuilt) {
  auto value = scripted("[]");
  value.faults = {{.webhook = "c/a.b.c", .fault = "patch-cannot-apply"}};
  const auto prepared = runner::prepare(value, {}, {}).value();
  EXPECT_FALSE(prepared.admission.allowed);
  for (const Property& property : all()) {
    const auto judgement = property.ask({prepared.value, prepared.handlers, prepared.admission, {}});
    EXPECT_FALSE(std::holds_alternative<Violated>(judgement)) << property.name;
  }
}

TEST(Properties, AUsersOwnDuplicatesAreNoWebhooksGuilt) {
  const auto value =
      scripted("[]", R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1",
      "env":[{"name":"A","value":"1"},{"name":"A","value":"2"}]}]}})");
  EXPECT_TRUE(ask("no-duplicate-names", value).empty());
}

std::string verdict_after(const std::vector<const char*>& texts) {
  std::vector<Value> objects;
  for (const char* text : texts) objects.push_back(document::read_json(text).value());
  const std::string verdict = verdict_of(objects, kOfOneWebhook);
  return verdict.empty() ? growing_or_unsettled(objects) : verdict;
}

TEST(Verdict, NamesHowRepetitionEnds) {
  EXPECT_EQ(verdict_after({R"({"spec":{}})", R"({"spec":{"nodeName":"a"}})", R"({"spec":{"nodeName":"a"}})"}),
            "stable");
  EXPECT_EQ(verdict_after({R"({"spec":{}})", R"({"spec":{"nodeName":"a"}})", R"({"spec":{"nodeName":"b"}})",
                           R"({"spec":{"nodeName":"b"}})"}),
            "settles-after-2");
  EXPECT_EQ(verdict_after({R"({"spec":{"nodeName":"a"}})", R"({"spec":{"nodeName":"b"}})",
                           R"({"spec":{"nodeName":"a"}})"}),
            "oscillating-2");
  EXPECT_EQ(verdict_after({R"({"spec":{}})", R"({"spec":{"nodeName":"a"}})", R"({"spec":{"nodeName":"aa"}})",
                           R"({"spec":{"nodeName":"aaa"}})"}),
            "growing");
  EXPECT_EQ(verdict_after({R"({"spec":{}})", R"({"spec":{"nodeName":"a"}})", R"({"spec":{"nodeName":"b"}})",
                           R"({"spec":{"nodeName":"c"}})"}),
            "unsettled");
}

TEST(Fingerprint, IgnoresReleasesIndicesAndConfigurations) {
  const auto print = [](const char* configuration, const char* injector, const char* shape) {
    cases::Case value;
    const std::string webhook = std::string(configuration) + "/a.b.c";
    value.webhooks.emplace(webhook, cases::InjectorName{injector});
    return runner::fingerprint(value, "idempotent",
                               {.webhook = webhook, .verdict = "growing", .shape = shape});
  };
  EXPECT_EQ(print("c", "kserve/modelcar@0.12.0", "spec.volumes[*]"),
            print("z-c", "kserve/modelcar@0.20.0", "spec.volumes[*]"));
  EXPECT_NE(print("c", "kserve/modelcar@0.12.0", "spec.volumes[*]"),
            print("c", "kserve/agent@0.12.0", "spec.volumes[*]"));
  EXPECT_NE(print("c", "kserve/modelcar@0.12.0", "spec.volumes[*]"),
            print("c", "kserve/modelcar@0.12.0", "spec.containers[*]"));
}

}  // namespace
}  // namespace fixpoint::properties
