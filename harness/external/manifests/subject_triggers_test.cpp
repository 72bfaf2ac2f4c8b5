#include "harness/external/manifests/subject_triggers.h"

#include <gtest/gtest.h>

#include "harness/document/yaml.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::external {
namespace {

using runner::Trigger;
using Where = Trigger::Where;

std::string read(const char* text, runner::Vocabulary& words) {
  std::optional<document::Error> problem;
  const document::Value subject = document::read_yaml(text).value();
  document::Fields fields(subject, "", problem);
  read_triggers(fields, words);
  fields.finish();
  return problem ? problem->text() : "";
}

TEST(SubjectTriggers, AreReadWithTheirValues) {
  runner::Vocabulary words;
  EXPECT_EQ(read(R"(
triggers:
  labels: {team: [red, blue]}
  annotations: {agent.example.com/inject: ["true"], agent.example.com/role: []}
  namespaceLabels: {injection: [enabled]}
  namespaceAnnotations: {mode: [strict]}
  fields: {spec.serviceAccountName: [reader], spec.hostNetwork: [true]}
  users: {username: [anna], groups: []}
)",
                 words),
            "");
  complete(words);
  EXPECT_EQ(triggers_of(words),
            (std::vector<Trigger>{{Where::label, "team", {"red", "blue"}},
                                  {Where::annotation, "agent.example.com/inject", {"true"}},
                                  {Where::annotation, "agent.example.com/role", {"true", "false"}},
                                  {Where::namespace_label, "injection", {"enabled"}},
                                  {Where::namespace_annotation, "mode", {"strict"}},
                                  trigger_of(Where::field, "spec.serviceAccountName", {R"("reader")"}),
                                  trigger_of(Where::field, "spec.hostNetwork", {"true"}),
                                  {Where::user, runner::kUserName, {"anna"}},
                                  {Where::user, runner::kUserGroups, {"system:masters"}}}));
}

TEST(SubjectTriggers, RefuseWhatTheyAreNot) {
  const std::pair<const char*, const char*> rows[] = {
      {"triggers: {label: {a: [b]}}", "/triggers/label: unknown field (did you mean \"labels\"?)"},
      {"triggers: {labels: {a: [true]}}", "/triggers/labels/a/0: expected a string, found a boolean"},
      {"triggers: {labels: {a: b}}", "/triggers/labels/a: expected a list, found a string"},
      {"triggers: {users: {name: [a]}}", "/triggers/users/name: expected username or groups"},
      {"triggers: [a]", "/triggers: expected an object, found a list"},
      {"triggers: {fields: {hostNetwork: [true]}}",
       "/triggers/fields/hostNetwork: expected a path below spec or metadata, found \"hostNetwork\""},
      {"triggers: {fields: {spec..x: [true]}}",
       "/triggers/fields/spec..x: expected a path such as spec.serviceAccountName or "
       "spec.containers[*].name, "
       "found \"spec..x\""},
  };
  for (const auto& [text, error] : rows) {
    runner::Vocabulary words;
    EXPECT_EQ(read(text, words), error);
  }
}

}  // namespace
}  // namespace fixpoint::external
