#include "harness/external/manifests/chart_objects.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/document/yaml.h"

namespace fixpoint::external {
namespace {

using document::Value;

Value yaml(const std::string& text) { return document::read_yaml(text).value(); }

constexpr const char* kDefinition = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: profiles.example.com, labels: {a: b}}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Profile, plural: profiles}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, description: long}}}
  - {name: v1beta1, served: true, storage: false})";
constexpr const char* kRole = R"(
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules:
- {apiGroups: [''], resources: [secrets, pods, events], verbs: [get]}
- {apiGroups: [''], resources: [configmaps], resourceNames: [settings], verbs: [list]}
- {apiGroups: [''], resources: [nodes], verbs: [create]}
- {apiGroups: ['*'], resources: ['*'], verbs: ['*']}
- {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get]})";

runner::Subject subject_of(std::initializer_list<const char*> documents) {
  std::vector<Value> definitions;
  for (const char* document : documents)
    if (yaml(document)["kind"].text() == "CustomResourceDefinition") definitions.push_back(yaml(document));
  ChartObjects chart(std::move(definitions));
  for (const char* document : documents) EXPECT_TRUE(chart.take(yaml(document))) << document;
  runner::Subject subject;
  chart.add_to(subject);
  return subject;
}

const runner::Vocabulary::Read* read_of(const runner::Subject& subject, std::string_view kind) {
  const auto& reads = subject.vocabulary.reads;
  const auto found =
      std::find_if(reads.begin(), reads.end(), [&](const auto& one) { return one.kind == kind; });
  return found == reads.end() ? nullptr : &*found;
}

TEST(ChartObjects, TellWhatARoleMayRead) {
  const runner::Subject subject = subject_of({kRole});
  EXPECT_EQ(subject.vocabulary.reads.size(), 2u) << "not Pods, Events, Leases, nor what is created alone";
  ASSERT_NE(read_of(subject, "Secret"), nullptr);
  ASSERT_NE(read_of(subject, "ConfigMap"), nullptr);
  EXPECT_EQ(read_of(subject, "ConfigMap")->names, std::vector<std::string>{"settings"});
}

TEST(ChartObjects, KeepADefinitionWithoutItsSchema) {
  const runner::Subject subject = subject_of(
      {kDefinition, "{apiVersion: example.com/v1, kind: Profile, metadata: {name: a}, spec: {size: 1}}"});
  ASSERT_NE(read_of(subject, "Profile"), nullptr);
  EXPECT_FALSE(read_of(subject, "Profile")->is_namespaced);
  EXPECT_EQ(read_of(subject, "Profile")->schema["description"].text(), "long") << "the generator needs it";
  ASSERT_EQ(subject.objects.size(), 2u);
  EXPECT_EQ(document::write_yaml(subject.objects[0]).find("long"), std::string::npos);
  EXPECT_EQ(subject.objects[0]["spec"]["versions"].size(), 2u);
  EXPECT_EQ(subject.objects[1]["spec"]["size"].text(), "1");
}

TEST(ChartObjects, PutAnObjectIntoANamespace) {
  const runner::Subject subject = subject_of({"{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}",
                                              "{apiVersion: v1, kind: Namespace, metadata: {name: team}}"});
  ASSERT_EQ(subject.objects.size(), 2u);
  EXPECT_EQ(subject.objects[0]["metadata"]["namespace"].text(), "default");
  EXPECT_TRUE(subject.objects[1]["metadata"]["namespace"].is_null());
}

TEST(ChartObjects, KeepWhatAnswersForTheWebhook) {
  ChartObjects chart;
  for (const char* name : {"own", "other"}) {
    const std::string meta = std::string("metadata: {name: ") + name + ", namespace: team}";
    const std::string labels = std::string("{app: ") + name + "}";
    EXPECT_TRUE(
        chart.take(yaml("{apiVersion: v1, kind: Service, " + meta + ", spec: {selector: " + labels + "}}")));
    EXPECT_TRUE(chart.take(yaml("{apiVersion: apps/v1, kind: Deployment, " + meta +
                                ", spec: {template: {metadata: {labels: " + labels + "}}}}")));
  }
  runner::Subject subject;
  chart.add_to(subject);
  EXPECT_TRUE(subject.objects.empty());
  subject.configuration =
      yaml("{webhooks: [{name: a.b.c, clientConfig: {service: {name: own, namespace: team}}}]}");
  chart.add_to(subject);
  ASSERT_EQ(subject.objects.size(), 2u);
  EXPECT_EQ(subject.objects[0]["kind"].text(), "Deployment");
  EXPECT_EQ(subject.objects[1]["metadata"]["name"].text(), "own");
}

TEST(ChartObjects, LeaveOutWhatSaysNothing) {
  ChartObjects chart;
  EXPECT_FALSE(chart.take(yaml("{apiVersion: batch/v1, kind: Job, metadata: {name: a}}")));
  EXPECT_FALSE(chart.take(yaml("{apiVersion: example.com/v1, kind: Profile, metadata: {name: a}}")))
      << "nobody defines the kind";
  EXPECT_FALSE(chart.take(yaml("{apiVersion: v1, kind: ConfigMap}"))) << "it has no name";
}

}  // namespace
}  // namespace fixpoint::external
