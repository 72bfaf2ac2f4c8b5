#include <gtest/gtest.h>

#include <string>

#include "harness/cases/request_user.h"
#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "harness/properties/losses.h"
#include "harness/properties/one_webhook_test.h"

/// Judgements that were false or without harm, each beside one that is right.
namespace fixpoint::properties {
namespace {

const cases::Backend kAlarmed = cases::InjectorName{"test/handler"};

std::vector<std::string> observed_kinds(const Judgement& judgement) {
  std::vector<std::string> kinds;
  for (const Observation& one : observations_of(judgement)) kinds.push_back(one.kind);
  return kinds;
}

/// A user's container that has the sidecar's name becomes the sidecar, and keeps what the user wrote in it.
TEST(FalseAlarms, OfAContainerThatMovesToTheOtherList) {
  constexpr const char* kCustom = R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main",
      "image":"x:1"},{"name":"proxy","image":"auto","env":[{"name":"LOG","value":"debug"}]}]}})";
  const auto moves = [](bool keeps_env) {
    return changing([=](Value& pod, int) {
      if (pod["spec"]["containers"].size() < 2) return;
      Value proxy = pod["spec"]["containers"].at(1);
      auto& containers = pod.edit("spec").edit("containers").edit_elements();
      containers.erase(containers.begin() + 1);
      proxy.set("image", "proxy:1");
      proxy.set("restartPolicy", "Always");
      if (!keeps_env) proxy.remove("env");
      pod.edit("spec").edit("initContainers").push_back(std::move(proxy));
    });
  };
  const auto value = of_one_webhook(kAlarmed, kCustom);
  EXPECT_TRUE(violations_of("preserves-others", value, moves(true)).empty());
  const auto lost = violations_of("preserves-others", value, moves(false));
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].path, "spec.containers[1].env");
}

/// Nobody can create a Pod without containers, whatever the webhook does with it.
TEST(FalseAlarms, OfACrashOnAPodThatIsRefusedAnyway) {
  const auto crashes = [](const char* problem) {
    return [=](const webhooks::Call& call) {
      return call.object["spec"]["containers"].empty() ? webhooks::fail(problem) : webhooks::allow();
    };
  };
  constexpr const char* kNone = R"({"metadata":{"name":"p"},"spec":{"containers":[]}})";
  const auto value = of_one_webhook(kAlarmed, kNone);
  const auto seen = judgement_of("answers", value, crashes("EOF"));
  EXPECT_TRUE(violations_in(seen).empty());
  EXPECT_EQ(observed_kinds(seen), std::vector<std::string>{"fails-on-invalid"});
  EXPECT_TRUE(violations_of("protocol", value, crashes("EOF")).empty());
  const auto death = crashes("the process ended without an answer (exit 1)");
  const auto died = violations_of("answers", value, death);
  ASSERT_EQ(died.size(), 1u) << "nobody else gets an answer until it runs again";
  EXPECT_EQ(died[0].severity, Severity::warning);
  EXPECT_TRUE(violations_of("protocol", value, death).empty()) << "reported once";
  constexpr const char* kPlainPod =
      R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1"}]}})";
  const auto always = [](const webhooks::Call&) { return webhooks::fail("EOF"); };
  EXPECT_EQ(violations_of("answers", of_one_webhook(kAlarmed, kPlainPod), always).size(), 1u);
}

/// Adds a volume by the kind that an annotation names.
webhooks::Handler storing(bool copies) {
  return changing([=](Value& pod, int) {
    const std::string kind(pod["metadata"]["annotations"]["storage"].text());
    if (kind.empty()) return;
    const bool is_known = kind == "s3";
    if (!copies && !is_known) return;
    pod.edit("spec").edit("volumes").push_back(
        {{"name", copies ? kind : std::string("s3")}, {"emptyDir", Value::empty_object()}});
  });
}

/// The annotation switches the volume on; its name is a constant of the webhook's.
TEST(FalseAlarms, DoNotHideWhatAnAnnotationSwitchesOn) {
  constexpr const char* kTaken = R"({"metadata":{"name":"p","annotations":{"storage":"s3"}},"spec":{
      "volumes":[{"name":"s3","emptyDir":{}}],"containers":[{"name":"main","image":"x:1"}]}})";
  EXPECT_FALSE(violations_of("valid-spec", of_one_webhook(kAlarmed, kTaken), storing(false)).empty());
  constexpr const char* kBad = R"({"metadata":{"name":"p","annotations":{"storage":"S_3"}},"spec":{
      "containers":[{"name":"main","image":"x:1"}]}})";
  const auto copied = judgement_of("valid-spec", of_one_webhook(kAlarmed, kBad), storing(true));
  EXPECT_TRUE(violations_in(copied).empty());
  EXPECT_EQ(observed_kinds(copied), std::vector<std::string>{"refused-value"});
}

/// Who fills in templates does so on purpose; who breaks on a quote does not.
TEST(FalseAlarms, OfTemplatesThatAreFilledIn) {
  const auto writes = [](bool fills_in) {
    return changing([=](Value& pod, int) {
      std::string text(pod["metadata"]["annotations"]["note"].text());
      const auto at = text.find(fills_in ? "{{ .Values }}" : "\"");
      if (at != std::string::npos) text.resize(at);
      pod.edit("metadata").edit("annotations").set("copy", text);
    });
  };
  constexpr const char* kNoted = R"({"metadata":{"name":"p","annotations":{"note":"n"}},
      "spec":{"containers":[{"name":"main","image":"x:1"}]}})";
  const auto value = of_one_webhook(kAlarmed, kNoted);
  const auto filled = judgement_of("text-survives", value, writes(true));
  EXPECT_TRUE(violations_in(filled).empty());
  EXPECT_EQ(observed_kinds(filled), std::vector<std::string>{"rewrites"});
  EXPECT_EQ(violations_of("text-survives", value, writes(false)).size(), 1u);
}

/// Who makes arguments of a text splits it on purpose; who loses the last word does not.
TEST(FalseAlarms, OfATextThatIsSplitIntoArguments) {
  const auto splits = [](bool keeps_all) {
    return changing([=](Value& pod, int) {
      const std::string text(pod["metadata"]["annotations"]["args"].text());
      Value& container = pod.edit("spec").edit("containers").edit(0);
      for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find_first_of(" \n", at), text.size());
        if (end > at && (keeps_all || end < text.size() || at == 0))
          container.edit("args").push_back(Value(text.substr(at, end - at)));
        at = end + 1;
      }
    });
  };
  constexpr const char* kArguments = R"({"metadata":{"name":"p","annotations":{"args":"-v"}},
      "spec":{"containers":[{"name":"main","image":"x:1"}]}})";
  const auto value = of_one_webhook(kAlarmed, kArguments);
  const auto split = judgement_of("text-survives", value, splits(true));
  EXPECT_TRUE(violations_in(split).empty());
  EXPECT_EQ(observed_kinds(split), std::vector<std::string>{"rewrites"});
  EXPECT_EQ(violations_of("text-survives", value, splits(false)).size(), 1u);
}

/// The user asks for a directory of the node, which the namespace does not admit.
TEST(FalseAlarms, OfWhatTheUsersAnnotationAsksFor) {
  const auto mounts = [](bool by_annotation) {
    return changing([=](Value& pod, int) {
      const bool is_asked = pod["metadata"]["annotations"]["strategy"].text() == "hostPath";
      Value volume{{"name", "zone"}, {"emptyDir", Value::empty_object()}};
      if (is_asked || !by_annotation) volume = {{"name", "zone"}, {"hostPath", {{"path", "/zone"}}}};
      pod.edit("spec").edit("volumes").push_back(std::move(volume));
    });
  };
  auto value = of_one_webhook(kAlarmed, R"({"metadata":{"name":"p","annotations":{"strategy":"hostPath"}},
      "spec":{"containers":[{"name":"main","image":"x:1"}]}})");
  value.cluster.objects.push_back(document::read_json(R"({"apiVersion":"v1","kind":"Namespace",
      "metadata":{"name":"default","labels":{"pod-security.kubernetes.io/enforce":"baseline"}}})")
                                      .value());
  const auto asked = judgement_of("admitted-by-cluster", value, mounts(true));
  EXPECT_EQ(observed_kinds(asked), std::vector<std::string>{"asked-for"});
  EXPECT_EQ(violations_of("admitted-by-cluster", value, mounts(false)).size(), 1u);
}

/// The user's element is replaced as a whole, with fields that every library knows: no library drops a field.
TEST(FalseAlarms, OfALibraryWhereAnElementIsReplaced) {
  const auto mounts = [](bool replaces) {
    return changing([=](Value& pod, int) {
      Value& containers = pod.edit("spec").edit("containers");
      for (std::size_t i = 0; i < containers.size(); ++i) {
        auto& list = containers.edit(i).edit("volumeMounts").edit_elements();
        for (Value& one : list) {
          if (replaces) one = {{"name", one["name"]}, {"mountPath", one["mountPath"]}, {"readOnly", true}};
          if (!replaces) one.remove("recursiveReadOnly");
        }
      }
    });
  };
  constexpr const char* kMounted = R"({"metadata":{"name":"p"},"spec":{"volumes":[{"name":"z","emptyDir":{}}],
      "containers":[{"name":"main","image":"x:1",
      "volumeMounts":[{"name":"z","mountPath":"/z","readOnly":true}]}]}})";
  const auto value = of_one_webhook(kAlarmed, kMounted);
  EXPECT_TRUE(violations_of("preserves-others", value, mounts(true)).empty());
  EXPECT_EQ(violations_of("preserves-others", value, mounts(false)).size(), 1u);
}

/// A list that is written whole and keeps what was in it harms nobody, unless it discards the webhook's own.
TEST(FalseAlarms, OfAListThatKeepsAllElements) {
  const auto script = [](const char* first, const char* second) {
    return script_of(std::string(R"([{"patch":[)") + first +
                     R"({"op":"add","path":"/spec/volumes","value":[{"name":"a","emptyDir":{}},)" + second +
                     R"({"name":"own","emptyDir":{}}]}]}])");
  };
  constexpr const char* kOne = R"({"metadata":{"name":"p"},"spec":{"volumes":[{"name":"a","emptyDir":{}}],
      "containers":[{"name":"main","image":"x:1"}]}})";
  const auto kept = judgement_of("patch-well-formed", of_one_webhook(script("", ""), kOne));
  EXPECT_TRUE(violations_in(kept).empty());
  EXPECT_EQ(observed_kinds(kept).front(), "whole-list");
  const auto lost = violations_of(
      "patch-well-formed",
      of_one_webhook(
          script(R"({"op":"add","path":"/spec/volumes/-","value":{"name":"b","emptyDir":{}}},)", ""), kOne));
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_NE(lost[0].reason.find("discards what an earlier operation"), std::string::npos) << lost[0].reason;
}

/// One sentence for an object that is replaced as a whole, whatever was in it.
TEST(FalseAlarms, AreNotReportedForEachFieldOfWhatIsReplaced) {
  const auto replaces = changing([](Value& pod, int) {
    pod.edit("spec").edit("containers").edit(0).set("securityContext", {{"runAsUser", 185}});
  });
  constexpr const char* kSecured =
      R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1",
      "securityContext":{"runAsUser":7,"capabilities":{"add":["X"]},"privileged":true}}]}})";
  const auto violations = violations_of("preserves-others", of_one_webhook(kAlarmed, kSecured), replaces);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].path, "spec.containers[0].securityContext");
  EXPECT_EQ(violations[0].severity, Severity::error);
  EXPECT_EQ(violations[0].reason,
            "spec.containers[0].securityContext of the user's Pod is replaced as a "
            "whole: capabilities is gone");
}

/// A main container is the first one for kubectl, too.
TEST(FalseAlarms, OfTheContainerThatKubectlTakes) {
  const auto notes = [](const char* key) {
    return changing([=](Value& pod, int) {
      pod.edit("metadata").edit("annotations").set(key, pod["spec"]["containers"].at(0)["name"]);
    });
  };
  const auto value = of_one_webhook(
      kAlarmed, R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1"}]}})");
  EXPECT_TRUE(
      violations_of("order-independent", value, notes("kubectl.kubernetes.io/default-container")).empty());
  EXPECT_EQ(violations_of("order-independent", value, notes("example.com/main")).size(), 1u);
}

/// A list of ports of which one was filled in, and a command in a wrapper: nobody lost anything.
TEST(FalseAlarms, OfAWholeListThatKeepsItsElements) {
  constexpr const char* kCommanded = R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main",
      "image":"x:1","command":["app"]}],"tolerations":[{"key":"a"}]}})";
  const auto patches = [&](const std::string& operation) {
    return violations_of("patch-well-formed",
                         of_one_webhook(script_of(R"([{"patch":[)" + operation + "]}]"), kCommanded));
  };
  EXPECT_TRUE(
      patches(R"({"op":"replace","path":"/spec/tolerations","value":[{"key":"a","operator":"Exists"}]})")
          .empty());
  EXPECT_TRUE(patches(R"({"op":"replace","path":"/spec/containers/0/command","value":["/wrap"]})").empty());
  EXPECT_EQ(patches(R"({"op":"replace","path":"/spec/tolerations","value":[{"key":"b"}]})").size(), 1u);
}

/// Who stamps the user of a request owns the mark, also where this user has nothing for it.
TEST(FalseAlarms, OfAMarkThatIsFilledInFromTheUser) {
  const auto stamps = [](bool of_user) {
    return [=](const webhooks::Call& call) {
      Value pod = call.object;
      const auto& extra = cases::user_of(call.request).extra;
      if (of_user && !extra.empty())
        pod.edit("metadata").edit("annotations").set("scope", extra.begin()->second.front());
      else
        pod.edit("metadata").edit("annotations").remove("scope");
      return webhooks::allow(document::diff(call.object, pod));
    };
  };
  constexpr const char* kScoped = R"({"metadata":{"name":"p","annotations":{"scope":"mine","note":"n"}},
      "spec":{"containers":[{"name":"main","image":"x:1"}]}})";
  const auto value = of_one_webhook(kAlarmed, kScoped);
  EXPECT_TRUE(violations_of("preserves-others", value, stamps(true)).empty());
  EXPECT_EQ(violations_of("preserves-others", value, stamps(false)).size(), 1u);
}

/// The terms of a node selector are alternatives.
TEST(FalseAlarms, OfARequirementOfEachTermAndNotOfTheFirstAlone) {
  constexpr const char* kTwoTerms =
      R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1"}],
      "affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
        {"matchExpressions":[{"key":"disk","operator":"In","values":["ssd"]}]},
        {"matchExpressions":[{"key":"zone","operator":"In","values":["a"]}]}]}}}}})";
  const std::string operation =
      R"({"op":"add","value":{"key":"pool","operator":"Exists"},"path":"/spec/affinity/nodeAffinity/)"
      "requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/";
  const std::string first = operation + R"(0/matchExpressions/-"})",
                    second = operation + R"(1/matchExpressions/-"})";
  const auto adds = [&](const std::string& patch) {
    return of_one_webhook(script_of(R"([{"patch":[)" + patch + "]}]"), kTwoTerms);
  };
  EXPECT_EQ(observed_kinds(judgement_of("preserves-others", adds(first))),
            std::vector<std::string>{"one-alternative"});
  EXPECT_EQ(observed_kinds(judgement_of("preserves-others", adds(first + "," + second))),
            std::vector<std::string>{});
  EXPECT_TRUE(violations_of("preserves-others", adds(first)).empty());
}

/// A webhook that mounts claims of its own driver from the node is about them; one that finds its name taken
/// is not.
TEST(FalseAlarms, OfTheSourceOfAVolumeThatAnotherTakesThePlaceOf) {
  constexpr const char* kClaimed =
      R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1",
      "volumeMounts":[{"name":"data","mountPath":"/data"}]}],
      "volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"c"}}]}})";
  const auto mounts = [](bool by_name) {
    return changing([=](Value& pod, int) {
      if (!pod["spec"]["volumes"].is_array()) return;
      Value& volumes = pod.edit("spec").edit("volumes");
      for (std::size_t i = 0; i < volumes.size(); ++i) {
        const Value name = volumes.at(i)["name"];
        if (by_name ? name.text() == "data" : volumes.at(i).find("persistentVolumeClaim") != nullptr)
          volumes.edit(i) = {{"name", name}, {"hostPath", {{"path", "/node"}}}};
      }
    });
  };
  const auto value = of_one_webhook(kAlarmed, kClaimed);
  const auto purpose = judgement_of("preserves-others", value, mounts(false));
  EXPECT_TRUE(violations_in(purpose).empty());
  EXPECT_EQ(observed_kinds(purpose), std::vector<std::string>{"rewrites"});
  EXPECT_EQ(violations_of("preserves-others", value, mounts(true)).size(), 1u);
}

/// The generateName says of which Deployment a Pod is: a variant with another one is another Pod's.
TEST(FalseAlarms, OfALabelThatIsMadeOfTheGenerateName) {
  const auto of_deployment = changing([](Value& pod, int) {
    const std::string_view generated = pod["metadata"]["generateName"].text();
    if (!generated.ends_with("-7d4b9c-")) return;
    pod.edit("metadata")
        .edit("labels")
        .set("deployment", std::string(generated.substr(0, generated.find('-'))));
  });
  for (const char* name :
       {R"("generateName":"web-7d4b9c-")", R"("generateName":"web-7d4b9c-","name":"web-1")"}) {
    const std::string pod = std::string(R"({"metadata":{)") + name +
                            R"(},"spec":{"containers":[{"name":"main","image":"x:1"}]}})";
    EXPECT_TRUE(
        violations_of("request-context", of_one_webhook(kAlarmed, pod.c_str()), of_deployment).empty());
  }
}

/// A Pod that only stands for another is left without what another scheduler is to read in its annotation.
TEST(FalseAlarms, OfAValueThatIsKeptInAnAnnotation) {
  const auto moving = [](bool is_kept) {
    return changing([=](Value& pod, int) {
      if (!pod["metadata"]["annotations"]["source"].is_null()) return;
      const Value whole = pod;
      pod.edit("spec").remove("nodeSelector");
      if (is_kept) pod.edit("metadata").edit("annotations").set("source", document::write_json(whole));
    });
  };
  const auto value = of_one_webhook(kAlarmed, R"({"metadata":{"name":"p"},"spec":{
      "nodeSelector":{"disk":"ssd"},"containers":[{"name":"main","image":"x:1"}]}})");
  EXPECT_TRUE(violations_of("preserves-others", value, moving(true)).empty());
  EXPECT_FALSE(violations_of("preserves-others", value, moving(false)).empty());
}

/// A template's label of the object's own group is kept by the project; the user's field is the user's.
TEST(FalseAlarms, OfLabelsThatTheGroupKeepsInItsTemplates) {
  cases::Case value = of_one_webhook(kAlarmed, R"({"metadata":{"name":"p"}})");
  become_widget(value);
  schema_of_spec(value).set("x-kubernetes-preserve-unknown-fields", true);
  value.request.object.set("spec",
                           document::read_json(R"({"size":1,"team":"a","template":{"metadata":{"labels":{
      "example.io/widget":"a","example.org/widget":"a"}}}})")
                               .value());
  const auto stamps = [](const char* key) {
    return changing([=](Value& widget, int) {
      widget.edit("spec").edit("template").edit("metadata").edit("labels").set(document::Name(key), "w");
    });
  };
  EXPECT_TRUE(violations_of("preserves-others", value, stamps("example.io/widget")).empty());
  EXPECT_EQ(violations_of("preserves-others", value, stamps("example.org/widget")).size(), 1u);
}

/// An annotation of its own may be state of the webhook: that a user's text gives way to none is observed.
TEST(FalseAlarms, OfAnAnnotationThatIsEmptied) {
  const auto value =
      of_one_webhook(kAlarmed, R"({"metadata":{"name":"p","annotations":{"x.io/network":"dmz"}},
      "spec":{"containers":[{"name":"main","image":"x:1"}]}})");
  const auto sets = [](const char* text) {
    return changing(
        [=](Value& pod, int) { pod.edit("metadata").edit("annotations").set("x.io/network", text); });
  };
  const auto emptied = judgement_of("preserves-others", value, sets(""));
  EXPECT_TRUE(violations_in(emptied).empty());
  EXPECT_EQ(observed_kinds(emptied), std::vector<std::string>{"replaces"});
  EXPECT_TRUE(observed_kinds(judgement_of("preserves-others", value, sets("lan"))).empty());
}

/// Who schedules by resources of his own asks for them in the place of the usual ones.
TEST(FalseAlarms, OfAnAmountThatIsAskedOfAnotherResource) {
  const auto value =
      of_one_webhook(kAlarmed, R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main",
      "image":"x:1","resources":{"requests":{"cpu":"1"}}}]}})");
  const auto asks_for = [](const char* resource) {
    return changing([=](Value& pod, int) {
      Value& requests = pod.edit("spec").edit("containers").edit(0).edit("resources").edit("requests");
      requests = Value::empty_object();
      requests.set(document::Name(resource), "1000");
    });
  };
  EXPECT_TRUE(violations_of("preserves-others", value, asks_for("example.io/batch-cpu")).empty());
  EXPECT_EQ(violations_of("preserves-others", value, asks_for("example.io/gpu")).size(), 1u);
}

}  // namespace
}  // namespace fixpoint::properties
