#include <gtest/gtest.h>

#include <algorithm>

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
  learn_from_object(words, manifest(kProfile));
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
  learn_from_object(words, manifest(kProfile));
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
  learn_from_object(words, manifest(R"(
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
)"));
  EXPECT_EQ(texts_of(words.common(Where::label), "kpack.io/build"), Texts{"true"});
  EXPECT_EQ(texts_of(words.common(Where::label), "kpack.io/image"), Texts{"true"});
  EXPECT_EQ(texts_of(words.common(Where::annotation), "example.com/enabled"), Texts{"true"});
  EXPECT_EQ(texts_of(words.common(Where::label), "side"), Texts{"car"});
  EXPECT_TRUE(texts_of(words.common(Where::label), "registry.example.com/setup").empty());
  const Texts annotation = texts_of(words.common(Where::annotation), "vpn.example.com/profile");
  EXPECT_EQ(std::count(annotation.begin(), annotation.end(), "settings"), 0);
  EXPECT_TRUE(words.rare(Where::field).empty()) << "where a webhook lives is not where it acts";
}

}  // namespace
}  // namespace fixpoint::runner
