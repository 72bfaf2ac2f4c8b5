#include "harness/cases/sequence.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "harness/document/json.h"
#include "harness/document/yaml.h"
#include "injectors/bundled.h"
#include "injectors/reconcilers.h"

namespace fixpoint::cases {
namespace {

Value json(const std::string& text) { return document::read_json(text).value(); }

/// Returns a reader that accepts the steps of the packs, and every subject.
SequenceReader steps_reader() { return {.steps = injectors::bundled().sequence_reader().steps}; }

std::string problem(const std::string& text) {
  const auto read = read_sequence(json(text), steps_reader());
  return read.ok() ? "" : read.error().text();
}

std::string with_step(const std::string& step) {
  return R"({"apiVersion":"fixpoint/v1","kind":"Sequence","subject":"s","steps":[{"reconcile":{}},)" + step +
         "]}";
}

TEST(Sequence, AReaderRefusesWhatItDoesNotKnow) {
  const struct {
    std::string text;
    const char* says;
  } rows[] = {
      {R"({"kind":"Sequence","subject":"s","steps":[]})",
       "/apiVersion: expected \"fixpoint/v1\", found nothing"},
      {R"({"apiVersion":"fixpoint/v1","kind":"Sequenz","subject":"s","steps":[]})",
       "/kind: expected one of \"Sequence\", found \"Sequenz\" (did you mean \"Sequence\"?)"},
      {R"({"apiVersion":"fixpoint/v1","kind":"Sequence","steps":[]})",
       "/subject: expected a string, found nothing"},
      {R"({"apiVersion":"fixpoint/v1","kind":"Sequence","subject":"s"})",
       "/steps: expected a list, found nothing"},
      {R"({"apiVersion":"fixpoint/v1","kind":"Sequence","subject":"s","steps":[],"initail":null})",
       "/initail: unknown field (did you mean \"initial\"?)"},
      {R"({"apiVersion":"fixpoint/v1","kind":"Sequence","subject":"s","initial":{"kind":"Pod"},"steps":[]})",
       "/initial: expected a HorizontalPodAutoscaler, found kind \"Pod\""},
      {R"({"apiVersion":"fixpoint/v1","kind":"Sequence","subject":"s","initial":{},"steps":[]})",
       "/initial: expected metadata.name of an object"},
      {R"({"apiVersion":"fixpoint/v1","kind":"Sequence","subject":"s","initial":{"metadata":{"name":"m"},)"
       R"("spec":[]},"steps":[]})",
       "/initial: expected a spec that is an object"},
      {with_step(R"({"user":"crate"})"),
       "/steps/1/user: expected one of \"create\", \"update\", \"delete\", found \"crate\" (did you mean "
       "\"create\"?)"},
      {with_step(R"({"reconcil":{}})"), "/steps/1/reconcil: unknown field (did you mean \"reconcile\"?)"},
      {with_step("{}"), "/steps/1: expected exactly one of set, user, stop, reconcile"},
      {with_step(R"({"set":"hpa","stop":true})"),
       "/steps/1: expected exactly one of set, user, stop, reconcile"},
      {with_step(R"({"stop":"true"})"), "/steps/1/stop: expected true or false, found a string"},
      {with_step(R"({"set":"hpa","serverDefaults":true})"), "/steps/1/serverDefaults: unknown field"},
      {with_step(R"({"reconcile":{"specs":{}}})"),
       "/steps/1/reconcile/specs: unknown field (did you mean \"spec\"?)"},
      {with_step(R"({"reconcile":{"labels":{"a":1}}})"), "/steps/1/reconcile/labels/a: expected a string"},
      {with_step(R"({"reconcile":{"spec":[]}})"), "/steps/1/reconcile/spec: expected an object or null"},
      {with_step("7"), "/steps/1: expected an object, found a number"},
      {R"({"kind":"kserve-hpa","id":"a","initial":null,"steps":[]})",
       "/version: expected a string, found nothing"},
      {R"({"kind":"kserve-hpa","version":"v0.15.0","steps":[{"expect":{}}]})",
       "/steps/0/desired: expected an object, found nothing"},
  };
  for (const auto& row : rows) EXPECT_TRUE(problem(row.text).starts_with(row.says)) << problem(row.text);
}

TEST(Sequence, WithoutKindsEveryStepWillDo) {
  const std::string text = with_step(R"({"scale":{"to":3}},{"set":7})");
  EXPECT_EQ(problem(text), "/steps/1/scale: unknown field");
  const auto read = read_sequence(json(text));
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(words(read->steps[0]), "reconcile");
  EXPECT_EQ(words(read->steps[1]), R"(scale {"to":3})");
  EXPECT_EQ(words(read->steps[2]), "set 7");
  EXPECT_EQ(read_sequence(write_sequence(*read)).value(), *read);
  EXPECT_FALSE(read_sequence(json(with_step(R"({"scale":1,"set":7})"))).ok()) << "two in one";
}

TEST(Sequence, TheSubjectIsJudged) {
  const auto nobody = [](std::string_view name) { return std::optional("no " + std::string(name)); };
  EXPECT_EQ(read_sequence(json(with_step("{\"stop\":true}")), {.known_subject = nobody}).error().text(),
            "/subject: no s");
}

TEST(Sequence, TheCanonicalFormIsOne) {
  const char* text =
      R"({"steps":[{"reconcile":{"spec":null,"name":"m"},"serverDefaults":false},{"set":"absent"},
      {"set":""},{"user":"delete"},{"stop":false},{"reconcile":{},"serverDefaults":true}],
      "initial":{"metadata":{"name":"m"},"kind":"HorizontalPodAutoscaler"},"subject":"kserve/hpa@0.15.0",
      "note":"n","kind":"Sequence","apiVersion":"fixpoint/v1"})";
  EXPECT_EQ(
      document::write_json(write_sequence(read_sequence(json(text), steps_reader()).value())),
      R"({"apiVersion":"fixpoint/v1","kind":"Sequence","note":"n","subject":"kserve/hpa@0.15.0",)"
      R"("initial":{"kind":"HorizontalPodAutoscaler","metadata":{"name":"m"}},)"
      R"("steps":[{"reconcile":{"name":"m","spec":null},"serverDefaults":false},{"set":"absent"},{"set":""},)"
      R"({"user":"delete"},{"stop":false},{"reconcile":{}}]})");
}

TEST(Sequence, ARecordedLineIsOne) {
  const auto read = read_sequence(json(R"({"kind":"kserve-hpa","id":"hpa-1","version":"v0.15.0","note":"",
      "initial":null,"steps":[{"desired":{"name":"m","namespace":"n","spec":{}},"serverDefaults":true,
      "expect":{"action":"none","hpa":null}},{"desired":{"spec":null}}]})"));
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read->subject, "kserve/hpa@0.15.0");
  EXPECT_EQ(read->name, "hpa-1");
  EXPECT_TRUE(read->steps[0].server_defaults);
  EXPECT_FALSE(read->steps[1].server_defaults) << "as it was recorded";
  EXPECT_EQ(component_of(*read).namespace_name, "n");
  EXPECT_EQ(read_sequence(write_sequence(*read)).value(), *read);
}

RC_GTEST_PROP(Sequence, ReadsBackAsJsonAndYaml, (std::uint64_t seed)) {
  runner::Choices choices(seed, 0);
  Sequence value = injectors::draw_sequence(choices, {"kserve/hpa@0.15.0"});
  if (choices.coin()) value.note = "a note: \"quoted\"\n";
  for (Step& step : value.steps) {
    if (step.is_reconcile()) step.server_defaults = choices.coin();
  }
  const Value written = write_sequence(value);
  RC_ASSERT(read_sequence(written, injectors::bundled().sequence_reader()).value() == value);
  RC_ASSERT(read_sequence(written).value() == value);
  RC_ASSERT(read_sequence(json(canonical_text(value))).value() == value);
  RC_ASSERT(read_sequence(document::read_yaml(document::write_yaml(written)).value()).value() == value);
  RC_ASSERT(canonical_text(read_sequence(json(canonical_text(value))).value()) == canonical_text(value));
}

}  // namespace
}  // namespace fixpoint::cases
