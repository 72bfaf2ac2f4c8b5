#include "harness/runner/learning/learn_observed.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/runner/learning/learn_fields.h"

namespace fixpoint::runner {
namespace {

using Where = Trigger::Where;
using Texts = std::vector<std::string>;

struct Learned {
  Vocabulary words = {};
  std::set<std::string> offered = {}, grown = {};

  void take(const char* lines) { learn_from_observed(words, lines, offered, grown); }
  Texts values_of(Where where, std::string_view key) const {
    const auto all = triggers_of(words);
    const auto found =
        std::ranges::find_if(all, [&](const Trigger& one) { return one.where == where && one.key == key; });
    return found == all.end() ? Texts() : found->values;
  }
};

TEST(LearnObserved, TakesKeysWithTheValuesThatTheProgramAsksAbout) {
  Learned learned;
  learned.take(R"({"language":"python"}
{"in":"metadata.annotations","key":"a.example.com/inject"}
{"in":"metadata.annotations","key":"a.example.com/mode","text":"strict"}
{"in":"spec.template.metadata.labels","key":"tier","text":"web"}
no JSON
{"of":"Namespace","in":"metadata.labels","key":"injection","text":"enabled"}
{"of":"ConfigMap","in":"data","key":"settings.json"}
{"of":"Lease","in":"metadata.labels","key":"other"}
{"in":"metadata.labels","key":"no key"})");
  EXPECT_EQ(learned.values_of(Where::annotation, "a.example.com/inject"), (Texts{"true", "1", "64Mi"}));
  EXPECT_EQ(learned.values_of(Where::annotation, "a.example.com/mode"), (Texts{"strict"}));
  EXPECT_EQ(learned.values_of(Where::label, "tier"), (Texts{"web"}));
  EXPECT_EQ(learned.values_of(Where::namespace_label, "injection"), (Texts{"enabled"}));
  EXPECT_EQ(learned.words.data_keys, (Texts{"settings.json"}));
  EXPECT_EQ(learned.words.triggers.size(), 4u);
  EXPECT_TRUE(learned.offered.empty());
}

TEST(LearnObserved, TakesWhatMatchesAPatternBetweenItsParts) {
  Learned learned;
  learned.take(R"({"in":"metadata.labels","key":"dataset.a.id","offered":true}
{"in":"metadata.labels","key":"","pattern":"[0-9]+","before":"dataset.","after":".id"}
{"in":"metadata.annotations","key":"a.example.com/size","pattern":"^(s|l)$","before":"size=","after":""})");
  EXPECT_TRUE(learned.offered.contains("dataset.a.id"));
  EXPECT_TRUE(learned.offered.contains("dataset.0.id"));
  EXPECT_EQ(learned.values_of(Where::annotation, "a.example.com/size"), (Texts{"size=s", "size=l"}));
  forget_offered(learned.words, "dataset.a.id");
  EXPECT_TRUE(learned.values_of(Where::label, "dataset.a.id").empty());
  learned.take(R"({"in":"metadata.labels","key":"dataset.0.id","text":"shop"})");
  forget_offered(learned.words, "dataset.0.id");
  EXPECT_FALSE(learned.values_of(Where::label, "dataset.0.id").empty()) << "its values were asked about";
}

TEST(LearnObserved, TakesMembersOfThePodAndOfItsTemplate) {
  Learned learned;
  learned.take(R"({"in":"spec.template.spec.containers[*]","key":"imagePullPolicy","text":"Always"}
{"in":"spec.containers[*].resources.limits","key":"example.com/gpu"}
{"in":"spec.nodeSelector","key":"a.example.com/pool","text":"spot"}
{"in":"spec","key":"hostNetwork"})");
  EXPECT_EQ(learned.values_of(Where::field, "spec.containers[*].imagePullPolicy"), (Texts{"\"Always\""}));
  EXPECT_EQ(learned.values_of(Where::field, limit_path("example.com/gpu")), (Texts{"\"1\"", "\"2\""}));
  EXPECT_EQ(learned.values_of(Where::field, "spec.nodeSelector['a.example.com/pool']"), (Texts{"\"spot\""}));
}

/// Values that the program asks about take the place of guesses.
TEST(LearnObserved, MakesRoomForTheNewestValues) {
  Learned learned;
  for (std::size_t i = 0; i < kTriggerValuesMax; ++i)
    learn_trigger(learned.words, Where::annotation, "a.example.com/mode", "guess-" + std::to_string(i));
  learned.take(R"({"in":"metadata.annotations","key":"a.example.com/mode","text":"strict"})");
  const Texts values = learned.values_of(Where::annotation, "a.example.com/mode");
  EXPECT_EQ(values.size(), kTriggerValuesMax);
  EXPECT_EQ(values.back(), "strict");
}

}  // namespace
}  // namespace fixpoint::runner
