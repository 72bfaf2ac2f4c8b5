#include "harness/program/mutations.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "harness/document/rules.h"
#include "harness/program/vectors.h"

namespace fixpoint::program {
namespace {

using reports::MutationScore;

const MutationScore* part(const std::vector<MutationScore>& scores, const std::string& name) {
  for (const MutationScore& score : scores) {
    if (score.part == name) return &score;
  }
  return nullptr;
}

bool survives(const MutationScore& score, const std::string& rule) {
  return std::find(score.survivors.begin(), score.survivors.end(), rule) != score.survivors.end();
}

/// A patch that removes what is not there, and one that is fine.
const std::vector<Evidence> kPatches{
    {"a", R"({"kind":"patch","id":"1","doc":{"a":1},"patch":[{"op":"remove","path":"/b"}],"error":"apply"})"},
    {"a", R"({"kind":"patch","id":"2","doc":{"a":1},"patch":[{"op":"remove","path":"/a"}],"out":{}})"}};

TEST(Mutations, ARuleThatALineGuardsIsNoticed) {
  const auto scores = switch_off_rules(kPatches, FIXPOINT_SOURCE);
  ASSERT_TRUE(scores.ok()) << scores.error().text();
  const auto* patches = part(*scores, "patches");
  ASSERT_NE(patches, nullptr);
  EXPECT_EQ(patches->noticed, 1);
  EXPECT_GE(patches->rules, 20);
}

TEST(Mutations, ARuleThatNeverSpeaksIsNot) {
  const auto scores = switch_off_rules(kPatches, FIXPOINT_SOURCE).value();
  const auto* patches = part(scores, "patches");
  EXPECT_EQ(patches->rules, patches->noticed + static_cast<std::int64_t>(patches->survivors.size()));
  for (const std::string& survivor : patches->survivors)
    EXPECT_TRUE(survivor.starts_with("patch.cpp:") && survivor.ends_with(" (never spoke)")) << survivor;
  EXPECT_EQ(part(scores, "validation")->noticed, 0);
  EXPECT_GE(part(scores, "validation")->rules, 400);
}

/// Only parts that were scored to their end are answered.
TEST(Mutations, ThatNobodyWaitsForAreLeftOut) {
  EXPECT_TRUE(switch_off_rules(kPatches, FIXPOINT_SOURCE, [] { return true; })->empty());
  int asked = 0;
  const auto begun = switch_off_rules(kPatches, FIXPOINT_SOURCE, [&] { return ++asked > 2; });
  EXPECT_TRUE(begun->empty()) << "the lines were read, and no rule was switched off";
  EXPECT_FALSE(switch_off_rules(kPatches, FIXPOINT_SOURCE, [] { return false; })->empty());
}

/// The default of a field that the line does not tell: switched off, nothing changes.
TEST(Mutations, ARuleThatSpeaksWithoutEffectSurvives) {
  const std::vector<Evidence> lines{
      {"a", R"({"kind":"validate","id":"1","operation":"create","pod":{"metadata":{"name":"p"},
               "spec":{"containers":[{"name":"a","image":"x"}]}},"errors":[]})"}};
  const auto scores = switch_off_rules(lines, FIXPOINT_SOURCE).value();
  const auto* defaulting = part(scores, "defaulting");
  ASSERT_NE(defaulting, nullptr);
  EXPECT_TRUE(survives(*defaulting, "Container.terminationMessagePath")) << defaulting->survivors.size();
  EXPECT_FALSE(survives(*defaulting, "PodSpec.restartPolicy"));
}

/// What chooses requests and what the registry does before it judges are rules like others.
TEST(Mutations, SelectorsConditionsAndPreparationAreScored) {
  const std::vector<Evidence> recorded = read_evidence(FIXPOINT_SOURCE "/corpus").value();
  std::vector<Evidence> lines;
  for (const char* word : {"matchExpressions", "matchConditions", "schedulingGroup", "generateName"}) {
    std::size_t taken = 0;
    for (const Evidence& line : recorded) {
      const bool is_wanted =
          line.text.find(word) != std::string::npos && line.file.find("kserve") == std::string::npos;
      if (is_wanted && taken < 60) lines.push_back(line), ++taken;
    }
  }
  const auto scores = switch_off_rules(lines, FIXPOINT_SOURCE).value();
  for (const char* name : {"selectors", "conditions"}) {
    const auto* score = part(scores, name);
    ASSERT_NE(score, nullptr) << name;
    EXPECT_GT(score->noticed, 0) << name;
  }
  ASSERT_NE(part(scores, "preparation"), nullptr);
}

TEST(Mutations, LinesThatDisagreeAnywayMeasureNothing) {
  auto lines = kPatches;
  lines.push_back({"b.ndjson", R"({"kind":"patch","id":"3","doc":{},"patch":[],"out":{"a":1}})"});
  const auto scores = switch_off_rules(lines, FIXPOINT_SOURCE);
  ASSERT_FALSE(scores.ok());
  EXPECT_EQ(scores.error().text(), "b.ndjson: a line disagrees with every rule in force");
}

TEST(Mutations, WithoutTheSourcesNothingCanBeCounted) {
  const auto scores = switch_off_rules(kPatches, FIXPOINT_SOURCE "/corpus");
  ASSERT_FALSE(scores.ok());
  EXPECT_NE(scores.error().text().find("run this at the top of the repository"), std::string::npos);
}

TEST(Mutations, AllRulesHoldAgainAfterwards) {
  (void)switch_off_rules(kPatches, FIXPOINT_SOURCE).value();
  EXPECT_EQ(document::rule_watcher, nullptr);
  for (const Evidence& line : kPatches) {
    EXPECT_EQ(check_line(document::read_json(line.text).value()).answer, Compared::Answer::agreed);
  }
}

TEST(Rules, SayWhereTheyStand) {
  EXPECT_EQ((document::Rule{.part = "x", .file = "a/b/ports.cpp", .line = 7}.id()), "ports.cpp:7");
  EXPECT_EQ((document::Rule{.part = "x", .name = "periodSeconds", .owner = "Probe"}.id()),
            "Probe.periodSeconds");
  EXPECT_EQ((document::Rule{.part = "x", .name = "LimitRanger"}.id()), "LimitRanger");
}

}  // namespace
}  // namespace fixpoint::program
