#include "harness/runner/replay_answer.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/external/backends/stored_case.h"
#include "harness/runner/bare_answer.h"
#include "harness/runner/diagnosis/describe_finding.h"
#include "harness/runner/sequences.h"
#include "injectors/bundled.h"

namespace fixpoint::runner {
namespace {

using document::Value;
using Kind = Answer::Kind;

constexpr const char* kAddsVolumeTwice =
    R"([{"patch":[{"op":"add","path":"/spec/volumes","value":[{"name":"a"},{"name":"a"}]}]}])";
constexpr const char* kAddsOne =
    R"([{"patch":[{"op":"add","path":"/spec/volumes","value":[{"name":"a"}]}]}])";
constexpr const char* kDoesNotApply = R"([{"patch":[{"op":"remove","path":"/spec/nothing/here"}]}])";

/// Returns a Case with one webhook, c/a.b.c, behind which a script answers.
cases::Case scripted_case(const char* script, const char* operations = R"(["*"])") {
  cases::Case value;
  value.cluster.admission_plugins.clear();
  value.request.object =
      document::read_json(
          R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x:1"}]}})")
          .value();
  Value configuration = document::read_json(R"({"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},"webhooks":[{"name":"a.b.c",
      "admissionReviewVersions":["v1"],"sideEffects":"None",
      "rules":[{"apiGroups":[""],"apiVersions":["v1"],"resources":["pods"]}]}]})")
                            .value();
  configuration.edit("webhooks")
      .edit(0)
      .edit("rules")
      .edit(0)
      .set("operations", document::read_json(operations).value());
  value.cluster.objects = {std::move(configuration)};
  value.webhooks.emplace("c/a.b.c", cases::read_script(document::read_json(script).value()).value());
  return value;
}

cases::Finding finding_in(const cases::Case& value, std::string_view name) {
  const auto* property = properties::find(name);
  const auto prepared = prepare(value, {}, {}, kWithoutWarnings);
  const auto judgement = judged_by(*property, examination_of(*prepared, {}));
  const auto violation = std::get<properties::Violated>(judgement).violations.front();
  return describe({.value = value, .violation = violation}, *property,
                  fingerprint(value, property->name, violation), {}, {});
}

/// A call that fails where it went well is no repair, and neither is a Pod that is not changed.
TEST(Answer, IsFixedOnlyIfTheWebhookDidItsWork) {
  cases::Finding finding = finding_in(scripted_case(kAddsVolumeTwice), "no-duplicate-names");
  const auto with = [&](const char* script) {
    finding.value.webhooks = scripted_case(script).webhooks;
    return answer_of(finding, {});
  };
  EXPECT_EQ(text_of(with(kAddsVolumeTwice)), "still failing");
  EXPECT_EQ(text_of(with(kAddsOne)), "fixed");
  EXPECT_EQ(with("[]").kind, Kind::not_reached);
  EXPECT_EQ(with(kDoesNotApply).kind, Kind::fails_otherwise);
  EXPECT_EQ(text_of(with(R"([{"deny":{"code":403,"message":"no"}}])")),
            "not reached: c/a.b.c refuses the Pod: no");
}

/// Rules that leave the request out are a repair, too; a Case that keeps them is judged as it is.
TEST(Answer, TakesTodaysConfigurationForARepair) {
  const cases::Finding finding = finding_in(scripted_case(kAddsVolumeTwice), "no-duplicate-names");
  const auto today = scripted_case(kAddsVolumeTwice, R"(["UPDATE"])").cluster.objects;
  EXPECT_EQ(text_of(answer_of(finding, {.configurations = today})),
            "fixed (by configuration: rules leave out *)");
  EXPECT_EQ(text_of(answer_of(finding, {.configurations = finding.value.cluster.objects})), "still failing");
}

/// An older version gave another fingerprint.
TEST(Answer, KnowsAFindingOfAnOlderVersionByWhatTheWebhookDoes) {
  cases::Finding finding = finding_in(scripted_case(kAddsVolumeTwice), "no-duplicate-names");
  finding.fingerprint = "0123456789ab";
  EXPECT_EQ(answer_of(finding, {}).kind, Kind::still_failing);
}

TEST(Answer, OfABareCaseTellsEveryViolationOrWhatWasDecided) {
  const auto violated = answers_of(scripted_case(kAddsVolumeTwice), "", {});
  EXPECT_GT(violated.size(), 1u);
  for (const Answer& answer : violated) EXPECT_EQ(answer.kind, Kind::still_failing);
  const auto one = answers_of(scripted_case(kAddsVolumeTwice), "no-duplicate-names", {});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_TRUE(one.front().why.starts_with("no-duplicate-names: ")) << one.front().why;
  const auto holds = answers_of(scripted_case(kAddsOne), "no-duplicate-names", {});
  ASSERT_EQ(holds.size(), 1u);
  EXPECT_EQ(holds.front().why, "1 property was decided, and none is violated");
  const auto nothing = answers_of(scripted_case("[]"), "no-duplicate-names", {});
  EXPECT_EQ(nothing.front().kind, Kind::not_reached) << nothing.front().why;
}

/// A reconciler that crashes holds nothing.
TEST(Answer, OfASequenceNamesACrash) {
  cases::Sequence value{.subject = "kserve/hpa@0.15.2"};
  Value component = Value::empty_object();
  component.set("spec", Value());
  value.steps.push_back(cases::reconcile_step(component));
  const auto with = external::replay_with(injectors::bundled());
  const auto crash = answers_of(value, "", with);
  ASSERT_FALSE(crash.empty());
  EXPECT_EQ(crash.front().kind, Kind::still_failing);
  EXPECT_EQ(crash.front().why, "answers: the reconciler crashes in step 1");
  value.subject = "kserve/hpa@0.16.0";
  EXPECT_EQ(answers_of(value, "answers", with).front().kind, Kind::holds);
}

}  // namespace
}  // namespace fixpoint::runner
