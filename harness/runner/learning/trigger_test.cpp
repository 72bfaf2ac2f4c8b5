#include "harness/runner/learning/trigger.h"

#include <gtest/gtest.h>

#include "harness/document/yaml.h"
#include "harness/runner/learning/field_path.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::runner {
namespace {

using Where = Trigger::Where;

Value yaml(const char* text) { return document::read_yaml(text).value(); }

TEST(Triggers, AreTheKeysOfAVocabulary) {
  Vocabulary words;
  words.add_rare(Where::field, {{"metadata.namespace", {R"("kube-system")"}}});
  words.add_rare(Where::label, {{"team", {"red", "blue"}}, {"skip", {"true"}}});
  words.add_common(Where::user, {{kUserName, {"anna"}}});
  words.add_common(Where::label, {{"team", {"red"}}, {"unknown", {}}});
  words.add_common(Where::annotation, {{"team", {"x"}}});
  words.add_common(Where::namespace_label, {{"inject", {"enabled"}}});
  words.add_common(Where::namespace_annotation, {{"mode", {"on"}}});
  words.add_common(Where::field, {{"spec.hostNetwork", {"true"}}});
  EXPECT_EQ(triggers_of(words),
            (std::vector<Trigger>{{Where::label, "team", {"red", "blue"}, false},
                                  {Where::label, "skip", {"true"}, true},
                                  {Where::annotation, "team", {"x"}, false},
                                  {Where::namespace_label, "inject", {"enabled"}, false},
                                  {Where::namespace_annotation, "mode", {"on"}, false},
                                  trigger_of(Where::field, "spec.hostNetwork", {"true"}, false),
                                  trigger_of(Where::field, "metadata.namespace", {R"("kube-system")"}, true),
                                  {Where::user, kUserName, {"anna"}, false}}));
}

struct Option {
  Trigger trigger;
  std::size_t option;
};

TEST(Triggers, HaveAnOptionInEveryCase) {
  cases::Case value;
  value.request.namespace_name = "team-a";
  value.request.user_info = {.username = "anna", .groups = {"devs", "system:nodes"}};
  value.request.object = yaml(R"(
metadata: {labels: {team: blue}, annotations: {size: "9"}}
spec:
  hostNetwork: true
  serviceAccountName: reader
  nodeSelector: {kubernetes.io/arch: arm64}
  containers: [{name: app}, {name: proxy}]
)");
  value.cluster.objects.push_back(
      yaml("{kind: Namespace, metadata: {name: team-a, labels: {inject: enabled}, annotations: {mode: x}}}"));
  const Option rows[] = {
      {{Where::label, "team", {"red", "blue"}}, 2},
      {{Where::label, "tier", {"web"}}, 0},
      {{Where::annotation, "size", {"1", "2"}}, 3},
      {{Where::namespace_label, "inject", {"enabled"}}, 1},
      {{Where::namespace_annotation, "mode", {"on"}}, 2},
      {{Where::user, kUserName, {"anna"}}, 1},
      {{Where::user, kUserName, {"system:admin"}}, 2},
      {{Where::user, kUserGroups, {"system:nodes", "devs"}}, 2},
      {trigger_of(Where::field, "spec.hostNetwork", {"true"}), 1},
      {trigger_of(Where::field, "spec.serviceAccountName", {R"("reader")"}), 1},
      {trigger_of(Where::field, "spec.serviceAccountName", {"reader"}), 2},
      {trigger_of(Where::field, "spec.nodeSelector['kubernetes.io/arch']", {R"("arm64")"}), 1},
      {trigger_of(Where::field, "spec.containers[*].name", {R"("other")", R"("proxy")"}), 2},
      {trigger_of(Where::field, "spec.initContainers[*].name", {R"("proxy")"}), 0},
      {trigger_of(Where::field, "metadata.namespace", {R"("team-a")"}), 1},
      {trigger_of(Where::field, "metadata.namespace", {R"("team-b")"}), 2},
      {trigger_of(Where::field, "no path", {"1"}), 0},
  };
  for (const Option& row : rows) EXPECT_EQ(option_of(row.trigger, value), row.option) << row.trigger.key;
  value.cluster.objects.clear();
  EXPECT_EQ(option_of({Where::namespace_label, "inject", {"enabled"}}, value), 0u);
}

TEST(Triggers, HaveTheNamesOfContainersForAValue) {
  cases::Case value;
  value.request.object = yaml(R"(
metadata: {annotations: {names: app}}
spec: {containers: [{name: app}, {name: proxy}]}
)");
  const Trigger trigger{Where::annotation, "names", {"true", std::string(kContainerNames)}};
  EXPECT_EQ(option_of(trigger, value), 3u) << "it names one of two";
  value.request.object.edit("metadata").edit("annotations").set("names", kContainerNames);
  put_own_names(value.request.object);
  EXPECT_EQ(value.request.object["metadata"]["annotations"]["names"].text(), "app,proxy");
  EXPECT_EQ(option_of(trigger, value), 2u);
  Value job = yaml(R"(
metadata: {annotations: {names: <names of the containers>}}
spec: {jobTemplate: {spec: {template: {
  metadata: {annotations: {names: <names of the containers>}}, spec: {containers: [{name: a}]}}}}}
)");
  put_own_names(job);
  EXPECT_EQ(job["metadata"]["annotations"]["names"].text(), "a");
  const Value& made = job["spec"]["jobTemplate"]["spec"]["template"];
  EXPECT_EQ(made["metadata"]["annotations"]["names"].text(), "a");
}

TEST(Triggers, HaveNamesOfTheObjectsOwnInTheirValues) {
  const Value pod = yaml(R"(
spec: {containers: [{name: app}, {name: web, volumeMounts: [{name: logs, mountPath: /var/log}]}]}
)");
  const std::string parts = std::string(kContainerName).append(":").append(kVolumeName);
  EXPECT_EQ(value_in(pod, parts + ":" + std::string(kPathInVolume)), "web:logs:/var/log/app.log");
  EXPECT_EQ(value_in(yaml("{spec: {containers: [{name: app}]}}"), parts), "app:data");
  EXPECT_EQ(value_in(yaml("{spec: {}}"), parts), ":data");
  EXPECT_EQ(value_in(pod, "a<b"), "a<b");
  const std::string with_path = std::string(kContainerName).append(":").append(kPathInVolume);
  EXPECT_EQ(value_in(pod, with_path + "," + with_path), "web:/var/log/app.log,app:/var/log/app.log");
  cases::Case value;
  value.request.object = pod;
  value.request.object.edit("metadata").edit("annotations").set("files", "web:logs");
  EXPECT_EQ(option_of({Where::annotation, "files", {"true", parts}}, value), 2u);
  EXPECT_EQ(option_of({Where::annotation, "files", {"true", "web:<b"}}, value), 3u);
}

TEST(FieldPath, ReadsAndWritesPaths) {
  for (const char* text : {"spec.hostNetwork", "spec.containers[*].name", "metadata.name",
                           "spec.nodeSelector['kubernetes.io/arch']", "spec.containers[*].env[*].name"}) {
    const auto path = parse_field_path(text);
    ASSERT_TRUE(path.ok()) << text;
    EXPECT_EQ(write_field_path(*path), text);
  }
  EXPECT_EQ(write_field_path(*parse_field_path("spec.containers[0].name")), "spec.containers[*].name");
  for (const char* text :
       {"", ".", "spec.", "spec..x", "[*]", "spec[", "spec[x]", "spec['']", "spec[*]x", "a b", "spec.x "})
    EXPECT_FALSE(parse_field_path(text).ok()) << text;
  EXPECT_EQ(parse_field_path("a b").error().text(),
            "expected a path such as spec.serviceAccountName or spec.containers[*].name, found \"a b\"");
}

TEST(FieldPath, SetsWhatIsThereAndWhatIsNot) {
  Value object = yaml("{spec: {containers: [{name: a}, {name: b}], hostNetwork: false}}");
  set_field(object, *parse_field_path("spec.containers[*].name"), "c");
  set_field(object, *parse_field_path("spec.volumes[*].name"), "v");
  set_field(object, *parse_field_path("spec.hostNetwork"), true);
  set_field(object, *parse_field_path("spec.nodeSelector['a.io/b']"), "x");
  EXPECT_EQ(object,
            yaml("{spec: {containers: [{name: c}, {name: b}], hostNetwork: true, volumes: [{name: v}],"
                 " nodeSelector: {a.io/b: x}}}"));
}

TEST(Trigger, OfALabelHasOnlyValuesThatAServerTakes) {
  Vocabulary words;
  for (const char* value : {"a b", "a.b-c_1", "a/b", ""}) {
    learn_trigger(words, Trigger::Where::label, "example.io/mode", value);
    learn_trigger(words, Trigger::Where::annotation, "example.io/mode", value);
  }
  const auto triggers = triggers_of(words);
  ASSERT_EQ(triggers.size(), 2U);
  for (const Trigger& trigger : triggers)
    EXPECT_EQ(trigger.values.size(), trigger.where == Trigger::Where::label ? 2U : 4U);
}

}  // namespace
}  // namespace fixpoint::runner
