#include "harness/runner/diagnosis/guard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "harness/document/json.h"
#include "harness/document/named.h"
#include "harness/properties/one_webhook_test.h"
#include "harness/runner/diagnosis/cause.h"
#include "harness/runner/diagnosis/title.h"
#include "harness/runner/examine.h"

namespace fixpoint::runner {
namespace {

using document::Value;

const cases::Backend kGuarded = cases::InjectorName{"test/handler"};

/// The cause of the first violation of a property in the Case, and its title.
struct Reported {
  cases::Cause cause;
  std::string title;
};
Reported reported(const cases::Case& value, const webhooks::Handler& handler, const char* asked) {
  const webhooks::Resolve resolve = [&](std::string_view) -> document::Result<webhooks::Handler> {
    return handler;
  };
  const auto prepared = prepare(value, resolve, {}).value();
  const auto& property = *properties::find(asked);
  const auto judgement = judged_by(property, examination_of(prepared, {}));
  const auto& violation = std::get<properties::Violated>(judgement).violations.front();
  cases::Finding finding{.property = std::string(property.name), .webhook = violation.webhook};
  finding.evidence = {.path = violation.path, .value = violation.value, .reason = violation.reason};
  Reported reported{cause_of(prepared, property, violation, resolve, {}), ""};
  reported.title = title_of(finding, reported.cause);
  return reported;
}

Reported reported(const char* pod, const webhooks::Handler& handler,
                  const char* asked = "no-duplicate-names") {
  return reported(properties::of_one_webhook(kGuarded, pod), handler, asked);
}

/// Adds a container unless a list of containers has an equal one.
webhooks::Handler adding(const std::string& name, bool looks, bool looks_at_both = false) {
  return properties::changing([=](Value& pod, int) {
    const Value own{{"name", name}, {"image", "own:1"}, {"resources", Value::empty_object()}};
    bool is_there = false;
    for (const Value& one : pod["spec"]["containers"].elements())
      is_there = is_there || (one["name"] == own["name"] && one["image"] == own["image"]);
    if (looks_at_both) is_there = is_there || document::has_named(pod["spec"]["initContainers"], name);
    if (!looks || !is_there) pod.edit("spec").edit("containers").push_back(own);
  });
}

constexpr const char* kWithMesh =
    R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"mesh-x","image":"a"}]}})";
constexpr const char* kWithAgent =
    R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"agent","image":"a"}]}})";
constexpr const char* kWithInit =
    R"({"metadata":{"name":"p"},"spec":{"initContainers":[{"name":"mesh-x","image":"a"}],
    "containers":[{"name":"main","image":"a"}]}})";

TEST(Guard, IsSeenByACallOnAnEqualElement) {
  EXPECT_EQ(reported(kWithMesh, adding("mesh-x", true)).cause.change,
            "adds; finds its own; only if a Pod has that name already");
  EXPECT_EQ(reported(kWithAgent, adding("agent", true)).cause.change, "adds; finds its own")
      << "many Pods have an agent";
  EXPECT_EQ(reported(kWithInit, adding("mesh-x", true)).cause.change,
            "adds; asks one list; only if a Pod has that name already");
  EXPECT_EQ(reported(kWithMesh, adding("mesh-x", false)).cause.change, "adds; unguarded");
}

/// One call that adds both has looked for neither of them among its own.
TEST(Guard, SeesBothInOneCall) {
  const auto handler = properties::changing([](Value& pod, int) {
    auto& mounts = pod.edit("spec").edit("containers").edit(0).edit("volumeMounts");
    const Value mount{{"name", "data"}, {"mountPath", "/data"}};
    for (const Value& one : mounts.elements())
      if (one == mount) return;
    for (int i = 0; i < 2; ++i) mounts.push_back(mount);
  });
  const Reported found =
      reported(R"({"metadata":{"name":"p"},"spec":{"volumes":[{"name":"data","emptyDir":{}}],
      "containers":[{"name":"main","image":"a"}]}})",
               handler);
  EXPECT_EQ(found.title, "adds spec.containers[*].volumeMounts[data] twice in one call");
}

TEST(Guard, ChoosesTheTitle) {
  EXPECT_EQ(reported(kWithMesh, adding("mesh-x", false)).title,
            "adds spec.containers[mesh-x] without a check");
  EXPECT_EQ(reported(kWithAgent, adding("agent", true)).title,
            "adds spec.containers[agent] beside one of the user that has its key");
  EXPECT_EQ(reported(kWithInit, adding("mesh-x", true)).title,
            "adds spec.containers[mesh-x] while another list of containers has that name, only if a Pod has "
            "that name already");
}

TEST(Guard, IsNoPartOfTheKindOfChange) {
  EXPECT_EQ(kind_of_change("adds; finds its own; only if a Pod has that name already"), "adds");
  EXPECT_EQ(kind_of_change("; only if"), "");
  EXPECT_EQ(kind_of_change("replaces"), "replaces");
}

/// A guard by an annotation is none for the element: with the element alone it is added again.
TEST(Guard, InAnAnnotationIsNoneForTheElement) {
  const auto by_annotation = properties::changing([](Value& pod, int) {
    Value& annotations = pod.edit("metadata").edit("annotations");
    if (!annotations["x.example.io/done"].is_null()) return;
    annotations.set("x.example.io/done", "true");
    auto& containers = pod.edit("spec").edit("containers").edit_elements();
    containers.insert(containers.begin(), Value{{"name", "agent"}, {"image", "own:1"}});
  });
  EXPECT_EQ(reported(kWithAgent, by_annotation).title, "adds spec.containers[agent] without a check");
}

TEST(Guard, KnowsItsOwnNotes) {
  const auto forged = [](const char* key) {
    const std::string pod = std::string(R"({"metadata":{"name":"p","annotations":{")") + key +
                            R"(":"forged"}},"spec":{"containers":[{"name":"agent","image":"a"}]}})";
    const auto noting = properties::changing([=](Value& changed, int) {
      changed.edit("metadata").edit("annotations").set(document::Name(key), "noted");
      const auto there = changed["spec"]["containers"].elements();
      if (std::ranges::none_of(there, [](const Value& one) { return one["image"].text() == "own:1"; }))
        changed.edit("spec").edit("containers").push_back({{"name", "agent"}, {"image", "own:1"}});
    });
    return has_word(reported(pod.c_str(), noting).cause, kOnlyIf);
  };
  EXPECT_TRUE(forged("x.example.io/status"));
  EXPECT_FALSE(forged("x.example.io/team"));
}

/// The mark that a Pod of the user's bears is not written by this call.
TEST(Guard, KnowsANoteByItsTense) {
  const auto marked = [](const char* key) {
    const std::string pod = std::string(R"({"metadata":{"name":"p","annotations":{")") + key +
                            R"(":"true"}},"spec":{"containers":[{"name":"main","image":"a"}]}})";
    const auto mounting = properties::changing([=](Value& changed, int) {
      if (changed["metadata"]["annotations"][document::Name(key)].is_null()) return;
      changed.edit("spec")
          .edit("containers")
          .edit(0)
          .set("volumeMounts", Value::list({Value{{"name", "mesh"}, {"mountPath", "/mesh"}}}));
    });
    return only_if(reported(pod.c_str(), mounting, "valid-spec").cause);
  };
  EXPECT_EQ(marked("x.example.io/injected"), "only if a Pod has the webhook's own annotation");
  EXPECT_EQ(marked("x.example.io/inject"), "");
}

TEST(Guard, KnowsTheVariableByWhichAWebhookFindsItsContainers) {
  const auto removing = properties::changing([](Value& pod, int) {
    Value kept = Value::list({});
    for (const Value& one : pod["spec"]["containers"].elements())
      if (!document::has_named(one["env"], "OWN_SIDECAR")) kept.push_back(one);
    pod.edit("spec").set("containers", kept);
  });
  const auto with = [](const char* variable) {
    return std::string(R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"a"},
        {"name":"b","image":"a","env":[{"name":")") +
           variable + R"("}]}]}})";
  };
  EXPECT_EQ(only_if(reported(with("OWN_SIDECAR").c_str(), removing, "preserves-others").cause),
            "only if a container has a variable of the webhook's own");
  const auto last = properties::changing([](Value& pod, int) {
    pod.edit("spec").set("containers", Value::list({pod["spec"]["containers"].at(0)}));
  });
  EXPECT_EQ(only_if(reported(with("OWN_SIDECAR").c_str(), last, "preserves-others").cause), "");
}

/// A volume that the webhook adds with its init container is missing where a user's has that container's
/// name.
TEST(Guard, KnowsNamesOfItsOwnAnywhereInThePod) {
  const auto mounting = properties::changing([](Value& pod, int) {
    if (!document::has_named(pod["spec"]["initContainers"], "mesh-init")) {
      pod.edit("spec").edit("initContainers").push_back({{"name", "mesh-init"}, {"image", "own:1"}});
      pod.edit("spec").edit("volumes").push_back({{"name", "mesh"}, {"emptyDir", Value::empty_object()}});
    }
    pod.edit("spec")
        .edit("containers")
        .edit(0)
        .set("volumeMounts", Value::list({Value{{"name", "mesh"}, {"mountPath", "/mesh"}}}));
  });
  const auto with_init = [](const char* name) {
    return std::string(R"({"metadata":{"name":"p"},"spec":{"initContainers":[{"name":")") + name +
           R"(","image":"a"}],"containers":[{"name":"main","image":"a"}]}})";
  };
  EXPECT_EQ(only_if(reported(with_init("mesh-init").c_str(), mounting, "valid-spec").cause),
            "only if a Pod has a name of the webhook's own");
  const auto missing = properties::changing([](Value& pod, int) {
    pod.edit("spec")
        .edit("containers")
        .edit(0)
        .set("volumeMounts", Value::list({Value{{"name", "mesh"}, {"mountPath", "/mesh"}}}));
  });
  EXPECT_EQ(only_if(reported(with_init("mesh-init").c_str(), missing, "valid-spec").cause), "")
      << "it adds nothing of that name";
}

TEST(Guard, KnowsPortsThatFewProgramsHave) {
  const auto listening = [](int number) {
    return properties::changing([=](Value& pod, int) {
      if (document::has_named(pod["spec"]["containers"], "proxy")) return;
      const Value port{{"containerPort", number}};
      pod.edit("spec")
          .edit("containers")
          .push_back({{"name", "proxy"}, {"image", "own:1"}, {"ports", Value::list({port})}});
    });
  };
  const auto with_port = [](int number) {
    return R"({"metadata":{"name":"p"},"spec":{"hostNetwork":true,"containers":[{"name":"main","image":"a",
        "ports":[{"containerPort":)" +
           std::to_string(number) + "}]}]}}";
  };
  EXPECT_EQ(only_if(reported(with_port(15021).c_str(), listening(15021), "valid-spec").cause),
            "only if a container has that port already");
  EXPECT_EQ(only_if(reported(with_port(8080).c_str(), listening(8080), "valid-spec").cause), "");
}

// A limit of its own is right on every Pod but those that share one limit among all containers.
TEST(Guard, KnowsFieldsThatFewPodsSet) {
  const auto limits = properties::changing([](Value& pod, int) {
    pod.edit("spec").edit("containers").edit(0).edit("resources").edit("limits").set("cpu", "10");
  });
  constexpr const char* kShares =
      R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"a",
      "resources":{"limits":{"memory":"1Gi"}}}],"resources":{"limits":{"cpu":"8"}}}})";
  const Reported seldom = reported(kShares, limits, "valid-spec");
  EXPECT_EQ(only_if(seldom.cause), "only if a Pod sets spec.resources");
  EXPECT_TRUE(seldom.title.ends_with("refuses the Pod, only if a Pod sets spec.resources")) << seldom.title;
  const auto negative = properties::changing([](Value& pod, int) {
    pod.edit("spec").edit("containers").edit(0).edit("resources").edit("limits").set("cpu", "-1");
  });
  EXPECT_EQ(only_if(reported(kShares, negative, "valid-spec").cause), "");
}

/// A webhook that names a host after the text in a ConfigMap, or after a name of its own.
Reported named_after(const char* text, bool copies) {
  cases::Case value = properties::of_one_webhook(kGuarded, kWithMesh);
  value.cluster.objects.push_back({{"apiVersion", "v1"},
                                   {"kind", "ConfigMap"},
                                   {"metadata", {{"name", "hosts"}}},
                                   {"data", {{"host", text}}}});
  const webhooks::Handler naming = [=](const webhooks::Call& call) {
    const Value* hosts = call.cluster.find("ConfigMap", "", "hosts");
    Value pod = call.object;
    const bool is_there = copies && hosts != nullptr;
    pod.edit("spec").set("hostname", is_there ? (*hosts)["data"]["host"] : Value("Bad_Host"));
    return webhooks::allow_change(call.object, pod);
  };
  return reported(value, naming, "valid-spec");
}

TEST(Guard, KnowsATextThatItsAuthorWroteElsewhere) {
  EXPECT_TRUE(named_after("Bad_Host", true)
                  .title.ends_with(", only if ConfigMap hosts has a text that is not legal there"))
      << named_after("Bad_Host", true).title;
  EXPECT_FALSE(has_word(named_after("Bad_Host", false).cause, kOnlyIf))
      << "its own constant only looks equal";
  const std::string too_long(64, 'a');
  EXPECT_FALSE(has_word(named_after(too_long.c_str(), true).cause, kOnlyIf))
      << "names are long in any cluster";
}

/// A webhook that copies a variable, and the name of a resource, of a custom resource.
Reported copying(const char* spec) {
  cases::Case value = properties::of_one_webhook(kGuarded, kWithMesh);
  for (const std::string& object :
       {std::string(R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
          "metadata":{"name":"profiles.example.com"},"spec":{"group":"example.com","scope":"Cluster",
          "names":{"kind":"Profile","plural":"profiles"},"versions":[{"name":"v1","served":true,
          "storage":true,"schema":{"openAPIV3Schema":
          {"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}})"),
        std::string(R"({"apiVersion":"example.com/v1","kind":"Profile","metadata":{"name":"a"},"spec":)") +
            spec + "}"})
    value.cluster.objects.push_back(document::read_json(object).value());
  const webhooks::Handler copies = [](const webhooks::Call& call) {
    Value pod = call.object;
    const auto profile = std::ranges::find_if(
        call.cluster.objects, [](const Value& object) { return object["kind"].text() == "Profile"; });
    const Value asked = (*profile)["spec"];
    Value& container = pod.edit("spec").edit("containers").edit(0);
    if (!asked["from"].is_null())
      container.set("env", Value::list({Value{{"name", "A"}, {"valueFrom", asked["from"]}}}));
    if (asked["resource"].is_string())
      container.edit("resources").edit("limits").set(document::Name(asked["resource"].text()), "1");
    return webhooks::allow_change(call.object, pod);
  };
  return reported(value, copies, "valid-spec");
}

TEST(Guard, KnowsAPartAndAKeyThatTheirAuthorWroteElsewhere) {
  EXPECT_TRUE(
      copying(R"({"from":{}})").title.ends_with(", only if Profile has a part that is not legal there"))
      << copying(R"({"from":{}})").title;
  const Reported named = copying(R"({"resource":"no name"})");
  EXPECT_TRUE(named.title.ends_with(", only if Profile has a text that is not legal there")) << named.title;
  EXPECT_EQ(named.cause.place, "spec.containers[*].resources.limits") << "whatever the text is";
}

}  // namespace
}  // namespace fixpoint::runner
