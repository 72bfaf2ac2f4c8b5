#include <gtest/gtest.h>

#include <algorithm>

#include "harness/document/json.h"
#include "harness/document/yaml.h"
#include "harness/runner/learning/learn.h"

namespace fixpoint::runner {
namespace {

using Where = Trigger::Where;
using Texts = std::vector<std::string>;

Value manifest(const char* text) { return document::read_yaml(text).value(); }

Texts texts_of(const std::vector<Vocabulary::KeyedValues>& keys, std::string_view key) {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const auto& one) { return one.first == key; });
  return found == keys.end() ? Texts() : found->second;
}

void learn_from_all(Vocabulary& words, const std::vector<Value>& objects) {
  learn_from_objects(words, objects, "vpn-system");
}

constexpr const char* kProfile = R"(
apiVersion: example.com/v1
kind: Profile
metadata: {name: vpn, namespace: team-b}
spec:
  podSelector:
    matchLabels: {vpn: enabled}
    matchExpressions: [{key: tier, operator: NotIn, values: [system]}]
  rules: [{namespaceSelector: {matchLabels: {zone: a}}}]
)";

TEST(LearnObject, TheLabelsThatASelectorRequires) {
  Vocabulary words;
  learn_from_all(words, {manifest(kProfile)});
  EXPECT_EQ(texts_of(words.common(Where::label), "vpn"), Texts{"enabled"});
  EXPECT_EQ(texts_of(words.rare(Where::label), "tier"), Texts{"system"});
  EXPECT_EQ(texts_of(words.common(Where::namespace_label), "zone"), Texts{"a"});
  EXPECT_EQ(words.places.at("vpn"), "Profile vpn");
}

TEST(LearnObject, TheNameOfACustomResourceForTheKeysOfTheProgram) {
  Vocabulary words;
  learn_from_program(words,
                     "profile = annotations['vpn.example.com/profile']\n"
                     "role = labels.get('vpn.example.com/role') == 'client'\n");
  learn_trigger(words, Where::label, "of-a-selector", "x");
  learn_from_all(words, {manifest(kProfile)});
  const Texts annotation = texts_of(words.common(Where::annotation), "vpn.example.com/profile");
  EXPECT_EQ(std::count(annotation.begin(), annotation.end(), "vpn"), 1);
  EXPECT_EQ(std::count(annotation.begin(), annotation.end(), "team-b/vpn"), 1);
  const Texts label = texts_of(words.common(Where::label), "vpn.example.com/role");
  EXPECT_EQ(std::count(label.begin(), label.end(), "vpn"), 1);
  EXPECT_EQ(std::count(label.begin(), label.end(), "team-b/vpn"), 0) << "no value of a label";
  EXPECT_EQ(texts_of(words.common(Where::label), "of-a-selector"), Texts{"x"});
  EXPECT_EQ(texts_of(words.common(Where::label), "vpn"), Texts{"enabled"});
  EXPECT_EQ(texts_of(words.rare(Where::field), kNamespaceField), Texts{R"("team-b")"});
}

TEST(LearnObject, KeysAndSelectorsWithinTheTextsOfAConfigMap) {
  Vocabulary words;
  learn_from_program(words, "wanted = annotations['vpn.example.com/profile']\n");
  learn_from_all(words, {manifest(R"(
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: vpn-system}
data:
  labels: kpack.io/build, kpack.io/image
  podAnnotations: example.com/enabled
  image: registry.example.com/setup
  broken: "{a: b"
  config.yaml: |
    injection:
      selector:
        matchLabels: {side: car}
  mutations.yaml: |
    mutations:
    - {name: logs, annotationNamespace: logs.example.com, annotationTrigger: inject, image: a/b:1}
)")});
  EXPECT_EQ(texts_of(words.common(Where::label), "kpack.io/build"), Texts{"true"});
  EXPECT_EQ(texts_of(words.common(Where::label), "kpack.io/image"), Texts{"true"});
  EXPECT_EQ(texts_of(words.common(Where::annotation), "example.com/enabled"), Texts{"true"});
  EXPECT_EQ(texts_of(words.common(Where::label), "side"), Texts{"car"});
  EXPECT_TRUE(texts_of(words.common(Where::label), "registry.example.com/setup").empty());
  const Texts annotation = texts_of(words.common(Where::annotation), "vpn.example.com/profile");
  EXPECT_EQ(std::count(annotation.begin(), annotation.end(), "settings"), 0);
  EXPECT_EQ(texts_of(words.rare(Where::annotation), "logs.example.com/inject"), (Texts{"true", "enabled"}));
  EXPECT_TRUE(texts_of(words.rare(Where::annotation), "logs.example.com/a/b:1").empty());
  EXPECT_TRUE(words.rare(Where::field).empty()) << "where a webhook lives is not where it acts";
}

/// A webhook's own configuration, as a ConfigMap holds it: annotations choose by its names.
TEST(LearnObject, WhatADocumentOfAConfigMapDeclares) {
  Vocabulary words;
  learn_from_program(words, "wanted = annotations['vpn.example.com/profile']\n");
  learn_from_all(words, {manifest(R"(
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: vpn-system}
data:
  sidecars.json: |
    [{"name": "shipper", "containers": [{"name": "agent"}]}]
  profiles.yaml: |
    defaults: {namespace: pools, excludedNamespaces: [kube-system]}
    gateways: [{name: edge, podSelector: {app: edge}, namespaceSelector: {zone: a}}]
    profiles: {small: {cpu: {request: 1}}, large: {cpu: {request: 2}}}
)")});
  const Texts annotation = texts_of(words.common(Where::annotation), "vpn.example.com/profile");
  for (const char* name : {"shipper", "edge", "small", "large"})
    EXPECT_EQ(std::count(annotation.begin(), annotation.end(), name), 1) << name;
  for (const char* name : {"agent", "cpu", "profiles", "gateways"})
    EXPECT_EQ(std::count(annotation.begin(), annotation.end(), name), 0) << name;
  EXPECT_EQ(texts_of(words.common(Where::label), "app"), Texts{"edge"});
  EXPECT_EQ(texts_of(words.common(Where::namespace_label), "zone"), Texts{"a"});
  EXPECT_EQ(texts_of(words.rare(Where::field), kNamespaceField), (Texts{R"("pools")", R"("kube-system")"}));
}

TEST(LearnObject, NothingOfWhatASecretHolds) {
  Vocabulary words;
  learn_from_all(
      words, {manifest("{apiVersion: v1, kind: Secret, metadata: {name: s},"
                       " stringData: {label: hidden.example.com/key, c: '{a: {matchLabels: {b: c}}}'}}")});
  EXPECT_TRUE(words.triggers.empty());
  EXPECT_TRUE(words.places.empty());
}

TEST(LearnObject, WhatPodsNameAndWhereTheyAre) {
  Vocabulary words;
  learn_from_all(words,
                 {manifest("{apiVersion: v1, kind: Namespace, metadata: {name: ml}}"),
                  manifest("{apiVersion: v1, kind: Namespace, metadata: {name: vpn-system}}"),
                  manifest("{apiVersion: v1, kind: ServiceAccount, metadata: {name: run, namespace: ml}}"),
                  manifest("{apiVersion: v1, kind: ServiceAccount, metadata: {name: hook,"
                           " namespace: vpn-system}}"),
                  manifest("{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a,"
                           " namespace: ml}}"),
                  manifest("{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: b,"
                           " namespace: ml}}")});
  EXPECT_EQ(texts_of(words.rare(Where::field), kNamespaceField), Texts{R"("ml")"});
  EXPECT_EQ(texts_of(words.rare(Where::field), "spec.serviceAccountName"), Texts{R"("run")"});
  const Texts volumes = texts_of(words.rare(Where::field), "spec.volumes");
  ASSERT_EQ(volumes.size(), 3u);
  EXPECT_EQ(volumes[2], R"([{"name":"claim-1","persistentVolumeClaim":{"claimName":"a"}},)"
                        R"({"name":"claim-2","persistentVolumeClaim":{"claimName":"b"}}])");
}

/// Configuration that a program reads from a file.
TEST(LearnObject, WhatADocumentOfAProgramSaysOfPods) {
  Vocabulary words;
  const std::vector<ProgramText> texts{
      {"rules.json",
       R"({"sets": [{"selector": {"matchLabels": {"tier": "backend"}}, "containers": [{"name": "agent"}]}],
           "workloads": [{"namespace": "shop", "kind": "deployment", "name": "cart"},
                         {"kind": "StatefulSet", "name": "ledger"}, {"kind": "Team", "name": "blue"}]})",
       true},
      {"more.yaml", "a: 1\n---\nsets: [{podSelector: {zone: a}}]\n", true},
      {"tests.yaml", "sets: [{podSelector: {zone: b}}]", false}};
  learn_from_documents(words, texts);
  EXPECT_EQ(texts_of(words.common(Where::label), "tier"), Texts{"backend"});
  EXPECT_EQ(texts_of(words.common(Where::label), "zone"), Texts{"a"})
      << "documents that it reads, all of them";
  EXPECT_EQ(words.places["tier"], "rules.json");
  EXPECT_EQ(texts_of(words.rare(Where::field), kNamespaceField), Texts{R"("shop")"});
  ASSERT_EQ(words.names[NameKind::container].size(), 1u);
  EXPECT_EQ(words.names[NameKind::container][0], Value("agent"));
  const Texts owners = texts_of(words.rare(Where::field), "metadata.ownerReferences");
  ASSERT_EQ(owners.size(), 2u);
  const Value cart = document::read_json(owners[0]).value().at(0);
  EXPECT_EQ(cart["kind"], Value("ReplicaSet"));
  EXPECT_TRUE(cart["name"].text().starts_with("cart-"));
  EXPECT_EQ(document::read_json(owners[1]).value().at(0)["name"], Value("ledger"));
}

/// Annotations choose by the names of what a file declares: its own members, and the objects in its lists.
TEST(LearnObject, WhatAFileDeclaresByName) {
  Vocabulary words;
  const std::vector<ProgramText> texts{
      {"hook.js",
       "const name = pod.metadata.annotations['inject.example.com/request'];\n"
       "const account = pod.spec.serviceAccountName;\n"},
      {"sidecars.json", R"({"log-agent": [{"image": "a"}], "tunnel": {"image": "b"}})", true},
      {"accounts.json", R"([{"metadata": {"name": "s3-reader", "namespace": "ml"}}])", true}};
  learn_from_program(words, texts);
  learn_from_documents(words, texts);
  const Texts requested = texts_of(words.common(Where::annotation), "inject.example.com/request");
  for (const char* name : {"log-agent", "tunnel", "s3-reader"})
    EXPECT_NE(std::ranges::find(requested, name), requested.end()) << name;
  const Texts accounts = texts_of(words.rare(Where::field), "spec.serviceAccountName");
  EXPECT_NE(std::ranges::find(accounts, R"("s3-reader")"), accounts.end());
  EXPECT_EQ(texts_of(words.rare(Where::field), kNamespaceField), Texts{R"("ml")"});
}

}  // namespace
}  // namespace fixpoint::runner
