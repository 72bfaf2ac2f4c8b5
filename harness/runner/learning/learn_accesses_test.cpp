#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::runner {
namespace {

using Where = Trigger::Where;

using cases::ApiAccess;

cases::Case case_with(const char* pod) {
  cases::Case value;
  value.request.object = document::read_json(pod).value();
  return value;
}

constexpr const char* kPod = R"({"metadata":{"name":"web","annotations":{"example.com/secret":"db"}},
    "spec":{"serviceAccountName":"builder","containers":[{"name":"app","image":"app:1"}]}})";

ApiAccess get(const char* kind, const char* name, const char* namespace_name = "default") {
  return {.verb = "get",
          .version = "v1",
          .resource = "x",
          .kind = kind,
          .namespace_name = namespace_name,
          .name = name,
          .status = 404};
}

Vocabulary learned(const std::vector<ApiAccess>& accesses) {
  Vocabulary words;
  learn_from_accesses(words, case_with(kPod), accesses);
  return words;
}

TEST(LearnAccesses, FindsTheFieldThatHoldsTheName) {
  const Vocabulary words = learned({get("Secret", "db"), get("Secret", "global"), get("Secret", "global")});
  ASSERT_EQ(words.reads.size(), 1u);
  EXPECT_EQ(words.reads[0].api_version, "v1");
  EXPECT_EQ(words.reads[0].names, std::vector<std::string>{"global"});
  ASSERT_EQ(words.reads[0].sources.size(), 1u);
  const auto path = parse_field_path(words.reads[0].sources[0]);
  ASSERT_TRUE(path);
  EXPECT_EQ(values_at(case_with(kPod).request.object, *path), std::vector<Value>{"db"});
}

TEST(LearnAccesses, KnowsAnAccountByThePod) {
  const Vocabulary words = learned({get("ServiceAccount", "builder")});
  ASSERT_EQ(words.reads.size(), 1u);
  EXPECT_EQ(words.reads[0].sources, std::vector<std::string>{"spec.serviceAccountName"});
  EXPECT_TRUE(words.reads[0].names.empty());
}

TEST(LearnAccesses, RemembersTheLabelsThatItSelectsBy) {
  ApiAccess list{.verb = "list", .group = "example.com", .version = "v1", .resource = "x", .kind = "Profile"};
  list.label_selector = "example.com/team=blue,tier==web,other!=x,present";
  const Vocabulary words = learned({list});
  ASSERT_EQ(words.reads.size(), 1u);
  using Labels = std::map<std::string, std::string>;
  EXPECT_EQ(words.reads[0].labels, (Labels{{"example.com/team", "blue"}, {"tier", "web"}}));
}

TEST(LearnAccesses, RemembersOtherNamespacesAndWatches) {
  ApiAccess watch{
      .verb = "watch", .group = "example.com", .version = "v1", .resource = "x", .kind = "Profile"};
  const Vocabulary words = learned({get("ConfigMap", "settings", "injector-system"), watch});
  ASSERT_EQ(words.reads.size(), 2u);
  EXPECT_EQ(words.reads[0].namespaces, std::vector<std::string>{"injector-system"});
  EXPECT_EQ(words.reads[0].names, std::vector<std::string>{"settings"});
  EXPECT_FALSE(words.reads[0].is_watched);
  EXPECT_EQ(words.reads[1].api_version, "example.com/v1");
  EXPECT_TRUE(words.reads[1].is_watched);
}

/// A cached client reads all objects of a kind: which one it looks for is guessed by the names of the keys.
TEST(LearnAccesses, TakesAKeyWithAWordOfTheKindForTheNameOfOne) {
  Vocabulary words;
  words.add_rare(Where::annotation,
                 {{"example.com/sidecar-profile", {"true"}}, {"example.com/level", {"1"}}});
  const ApiAccess watch{
      .verb = "watch", .group = "example.com", .version = "v1", .resource = "x", .kind = "SidecarProfile"};
  learn_from_accesses(words, case_with(kPod), std::vector<ApiAccess>{watch, watch});
  EXPECT_EQ(words.common(Where::annotation),
            (std::vector<Vocabulary::KeyedValues>{{"example.com/sidecar-profile", {"example"}}}));
  EXPECT_EQ(words.rare(Where::annotation).at(1),
            (Vocabulary::KeyedValues{"example.com/level", {"1", "example"}}));
  ASSERT_EQ(words.reads.size(), 1u);
  EXPECT_EQ(words.reads[0].sources,
            std::vector<std::string>{"metadata.annotations['example.com/sidecar-profile']"});
}

/// The API says whether a kind is namespaced: a list of all namespaces looks like one of a cluster-wide kind.
TEST(LearnAccesses, TakesTheScopeOfAKindFromTheApi) {
  ApiAccess watch{.verb = "watch", .version = "v1", .resource = "x", .kind = "Profile"};
  EXPECT_TRUE(learned({watch}).reads.at(0).is_namespaced);
  watch.is_namespaced = false;
  EXPECT_FALSE(learned({watch}).reads.at(0).is_namespaced);
}

TEST(LearnAccesses, LeavesOutTheApiItselfAndWrites) {
  ApiAccess written = get("ConfigMap", "a");
  written.verb = "update";
  EXPECT_TRUE(
      learned({get("Lease", "lock"), get("CustomResourceDefinition", "a", ""), written}).reads.empty());
}

TEST(LearnAccesses, KeepsNoMoreThanABoundedNumber) {
  std::vector<ApiAccess> many;
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.push_back("n" + std::to_string(i));
  for (const std::string& text : texts) many.push_back(get(text.c_str(), "a"));
  for (const std::string& text : texts) many.push_back(get("Secret", text.c_str()));
  for (const std::string& text : texts) many.push_back(get("n1", text.c_str()));
  const Vocabulary words = learned(many);
  EXPECT_EQ(words.reads.size(), kReadsMax);
  for (const Vocabulary::Read& read : words.reads) EXPECT_LE(read.names.size(), kReadNamesMax);
}

TEST(LearnDataKeys, FromAProgramADenialAndAnExample) {
  Vocabulary of_program, of_denial, of_example;
  learn_from_program(of_program,
                     "host = secret[\"data\"].get('endpoint')\nport := config.Data[\"port\"]\n"
                     "name = pod['metadata'].get('name')\n");
  EXPECT_EQ(of_program.data_keys, (std::vector<std::string>{"endpoint", "port"}));
  learn_from_denial(of_denial, "secret default/db has no key \"password\"");
  EXPECT_EQ(of_denial.data_keys, std::vector<std::string>{"password"});
  learn_from_denial(of_denial, "label \"team\" has no key value");
  EXPECT_EQ(of_denial.data_keys.size(), 1u) << "not of a Secret";
  cases::Case example = case_with(kPod);
  example.cluster.objects = {{{"kind", "ConfigMap"}, {"data", {{"agent.yaml", "a: b"}}}}};
  learn_from_example(of_example, example);
  EXPECT_EQ(of_example.data_keys, std::vector<std::string>{"agent.yaml"});
}

}  // namespace
}  // namespace fixpoint::runner
