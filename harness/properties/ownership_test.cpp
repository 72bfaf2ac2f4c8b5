#include <gtest/gtest.h>

#include "harness/apiserver/decoding/decode.h"
#include "harness/document/named.h"
#include "harness/properties/contract.h"
#include "harness/properties/one_webhook_test.h"

/// Whose a value is, by what the webhook does without it and with others.
namespace fixpoint::properties {
namespace {

using document::Name;

constexpr const char* kProperty = "preserves-others";
constexpr const char* kPod = R"({"metadata":{"name":"p","labels":{"team":"Payments"},
    "annotations":{"a.b/status":"forged","a.b/count":"7","note":"n"}},
    "spec":{"terminationGracePeriodSeconds":60,
      "containers":[{"name":"main","image":"docker.io/team/app:1","command":["/app"],
        "env":[{"name":"PATH","value":"/usr/bin"},{"name":"LOG","value":"theirs"}],
        "livenessProbe":{"httpGet":{"path":"/live","port":8080}}}]}})";

Value& main_of(Value& pod) { return pod.edit("spec").edit("containers").edit(0); }
std::string text_of(const Value& value) { return std::string(value.text()); }

void set_env(Value& container, const char* name, const std::string& value) {
  for (std::size_t i = 0; i < container["env"].size(); ++i) {
    if (container["env"].at(i)["name"].text() != name) continue;
    return container.edit("env").edit(i).set("value", value);
  }
  container.edit("env").push_back({{"name", name}, {"value", value}});
}

/// The probes ask the agent, which finds what they asked in its environment.
void rewrite_probe(Value& pod, bool keeps_original) {
  Value& container = main_of(pod);
  const Value& asks = container["livenessProbe"]["httpGet"];
  if (asks.is_null() || asks["path"].text() == "/agent") return;
  const std::string original = document::write_json(asks);
  container.edit("livenessProbe").set("httpGet", {{"path", "/agent"}, {"port", 15020}, {"scheme", "HTTP"}});
  if (keeps_original) set_env(container, "PROBED", original);
}

/// A webhook, and how many violations and observations its work is worth.
struct Row {
  const char* name;
  void (*change)(Value& pod);
  std::size_t violations, observations;
};

constexpr Row kRows[] = {
    {"status_that_is_set_anew",
     [](Value& pod) { pod.edit("metadata").edit("annotations").set("a.b/status", "injected"); }, 0, 0},
    {"count_of_the_containers",
     [](Value& pod) {
       const std::string count = std::to_string(pod["spec"]["containers"].size());
       pod.edit("metadata").edit("annotations").set("a.b/count", count);
     },
     0, 0},
    {"variable_that_it_injects", [](Value& pod) { set_env(main_of(pod), "LOG", "own"); }, 0, 1},
    {"variable_with_another_source",
     [](Value& pod) {
       auto& env = main_of(pod).edit("env").edit_elements();
       erase_if(env, [](const Value& one) { return one["name"].text() == "LOG"; });
       env.push_back({{"name", "LOG"}, {"valueFrom", {{"fieldRef", {{"fieldPath", "metadata.name"}}}}}});
     },
     0, 0},
    {"field_that_it_always_sets",
     [](Value& pod) { pod.edit("spec").set("terminationGracePeriodSeconds", 45); }, 0, 1},
    {"default_that_it_enforces",
     [](Value& pod) { pod.edit("spec").set("terminationGracePeriodSeconds", 30); }, 0, 1},
    {"registry_of_an_image",
     [](Value& pod) {
       const std::string image = text_of(pod["spec"]["containers"].at(0)["image"]);
       if (image.starts_with("docker.io/")) main_of(pod).set("image", "mirror/" + image.substr(10));
     },
     0, 1},
    {"probe_that_is_kept_elsewhere", [](Value& pod) { rewrite_probe(pod, true); }, 0, 1},
    {"value_that_is_appended_to",
     [](Value& pod) {
       Value& container = main_of(pod);
       std::string path;
       for (const Value& one : container["env"].elements())
         if (one["name"].text() == "PATH") path = text_of(one["value"]);
       if (path.find("/own/bin") == std::string::npos)
         set_env(container, "PATH", path + (path.empty() ? "" : ":") + "/own/bin");
     },
     0, 1},
    {"command_that_is_wrapped",
     [](Value& pod) {
       Value& container = main_of(pod);
       if (container["command"].empty() || container["command"].at(0).text() == "/wrap") return;
       const Value joined = text_of(container["command"].at(0));
       container.set("command", Value::list({"/wrap"}));
       container.set("args", Value::list({joined}));
     },
     0, 1},
    {"image_without_its_repository",
     [](Value& pod) {
       const std::string image = text_of(pod["spec"]["containers"].at(0)["image"]);
       main_of(pod).set("image", "mirror/" + image.substr(image.rfind('/') + 1));
     },
     1, 0},
    {"label_in_lower_case",
     [](Value& pod) {
       std::string team = text_of(pod["metadata"]["labels"]["team"]);
       for (char& c : team) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
       if (!team.empty()) pod.edit("metadata").edit("labels").set("team", team);
     },
     1, 0},
    {"value_that_is_bounded",
     [](Value& pod) {
       if (pod["spec"]["terminationGracePeriodSeconds"].integer().value_or(0) > 40)
         pod.edit("spec").set("terminationGracePeriodSeconds", 40);
     },
     1, 0},
    {"annotation_that_is_removed",
     [](Value& pod) { pod.edit("metadata").edit("annotations").remove("note"); }, 1, 0},
    {"probe_that_nobody_keeps", [](Value& pod) { rewrite_probe(pod, false); }, 2, 0},
    {"command_that_is_replaced",
     [](Value& pod) {
       if (!pod["spec"]["containers"].at(0)["command"].empty())
         main_of(pod).set("command", Value::list({"/own"}));
     },
     1, 0},
};

class Ownership : public testing::TestWithParam<Row> {};

TEST_P(Ownership, IsDecidedByCalls) {
  const auto handler = changing([](Value& pod, int) { GetParam().change(pod); });
  const auto value = of_one_webhook(cases::InjectorName{"test/handler"}, kPod);
  const Judgement judgement = judgement_of(kProperty, value, handler);
  const auto violations = violations_of(kProperty, value, handler);
  EXPECT_EQ(violations.size(), GetParam().violations);
  for (const Violation& violation : violations) EXPECT_TRUE(GetParam().violations > 0) << violation.reason;
  EXPECT_EQ(observations_of(judgement).size(), GetParam().observations);
  for (const Observation& seen : observations_of(judgement)) {
    EXPECT_TRUE(seen.kind == "rewrites" || seen.kind == "replaces") << seen.kind;
    EXPECT_TRUE(seen.reason.starts_with(seen.kind + " " + seen.path)) << seen.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Properties, Ownership, testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.name); });

/// A user may have the webhook's variable twice: each of them is set.
TEST(Properties, DuplicatesOfAnOwnVariableAreOwn) {
  constexpr const char* kTwice =
      R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1",
      "env":[{"name":"LOG"},{"name":"LOG","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}]}]}})";
  const auto reported = [&](bool adds_it) {
    const auto handler = changing([adds_it](Value& pod, int) {
      auto& env = main_of(pod).edit("env").edit_elements();
      bool is_there = false;
      for (Value& one : env) {
        if (one["name"].text() != "LOG") continue;
        one = {{"name", "LOG"}, {"value", "own"}};
        is_there = true;
      }
      if (!is_there && adds_it) env.push_back({{"name", "LOG"}, {"value", "own"}});
    });
    return violations_of(kProperty, of_one_webhook(cases::InjectorName{"test/handler"}, kTwice), handler)
        .size();
  };
  EXPECT_EQ(reported(true), 0u);
  EXPECT_GT(reported(false), 0u) << "what it never writes by itself is the user's";
}

/// A value that is another with every call is the webhook's own all the same.
TEST(Properties, AStatusWithTheTimeIsOwn) {
  const auto handler = changing([](Value& pod, int call) {
    pod.edit("metadata").edit("annotations").set("a.b/status", "at " + std::to_string(call));
  });
  EXPECT_TRUE(
      violations_of(kProperty, of_one_webhook(cases::InjectorName{"test/handler"}, kPod), handler).empty());
}

TEST(Properties, WhatAWebhookOwnsIsNotAsked) {
  auto value = of_one_webhook(cases::InjectorName{"test/handler"}, kPod);
  value.cluster.objects[0]
      .edit("metadata")
      .edit("annotations")
      .set("fixpoint/owns", R"(["metadata.annotations[note]"])");
  const auto handler =
      changing([](Value& pod, int) { pod.edit("metadata").edit("annotations").remove("note"); });
  EXPECT_TRUE(violations_of(kProperty, value, handler).empty());
  Value& metadata = value.request.object.edit("metadata");
  metadata.set("annotations", {{"note", "n"}});
  EXPECT_TRUE(violations_of(kProperty, value, handler).empty()) << "with its last member the map is gone";
  metadata.edit("annotations").set("other", "kept");
  value.cluster.objects[0]
      .edit("metadata")
      .edit("annotations")
      .set("fixpoint/owns", R"(["metadata.annotations[no*]"])");
  EXPECT_EQ(violations_of(kProperty, value, handler).size(), 0u);
}

TEST(Properties, PathsThatAreOwnedAreReadStrictly) {
  for (const char* path : {"spec", "spec.containers[*].image", "metadata.annotations[a.b/*]", "spec.*",
                           "spec.volumes[name=a].emptyDir", "metadata.labels.a*"})
    EXPECT_FALSE(problem_of_owned_path(path).has_value()) << path;
  for (const char* path :
       {"", ".", ".spec", "spec.", "spec..a", "spec[", "spec[]", "spec]", "[a]", "a[b]c", "a*b", "a.[b]"})
    EXPECT_TRUE(problem_of_owned_path(path).has_value()) << path;
  Value configuration;
  add_owned_paths(configuration, {});
  EXPECT_TRUE(configuration.is_null());
  add_owned_paths(configuration, {"spec.a"});
  add_owned_paths(configuration, {"spec.b"});
  EXPECT_EQ(configuration["metadata"]["annotations"]["fixpoint/owns"].text(), R"(["spec.a","spec.b"])");
}

/// The webhook sends back the Pod as a library of that minor decodes it.
std::vector<Violation> reported_of_library(int minor, const char* version) {
  auto value =
      of_one_webhook(cases::InjectorName{"test/handler"},
                     R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"a"}]}})");
  value.cluster.version = version;
  return violations_of(kProperty, value, changing([=](Value& pod, int) {
                         pod = apiserver::decode_pod(pod, minor).value();
                         pod.edit("metadata").edit("labels").set("seen", "yes");
                       }));
}

TEST(Properties, ALostFieldOfANewerApiIsAnError) {
  struct Library {
    int minor;
    const char* version;
    Severity severity;
    const char* path;
    const char* since;
  };
  constexpr Library kLibraries[] = {
      {26, "1.36", Severity::error, "spec.containers[*].resizePolicy", "since Kubernetes 1.27"},
      {27, "1.36", Severity::error, "spec.initContainers[*].restartPolicy", "since Kubernetes 1.28"},
      {35, "1.36", Severity::error, "spec.schedulingGroup", "since Kubernetes 1.36"},
      {36, "1.36", Severity::warning, "spec.containers[*].fixpointUnknownField", "does not know"},
      {30, "1.30", Severity::warning, "spec.containers[*].fixpointUnknownField", "does not know"},
  };
  for (const Library& library : kLibraries) {
    const auto violations = reported_of_library(library.minor, library.version);
    ASSERT_EQ(violations.size(), 1u) << library.minor;
    EXPECT_EQ(violations[0].severity, library.severity) << library.minor;
    EXPECT_EQ(violations[0].path, library.path);
    EXPECT_EQ(violations[0].shape, "unknown-fields");
    EXPECT_NE(violations[0].reason.find(library.since), std::string::npos) << violations[0].reason;
  }
}

}  // namespace
}  // namespace fixpoint::properties
