#include "harness/runner/loop/case_result.h"

#include <gtest/gtest.h>

namespace fixpoint::runner {
namespace {

TEST(Judged, AreAllButTheNeighboursThatTheCaseLists) {
  const RunSubjects subjects{.configurations = {"a"}};
  cases::Case value;
  value.neighbours = {"0-a", "volume"};
  const auto is_judged_of = [&](const char* key) {
    return is_judged(subjects, value, cases::webhook_ref(value, key));
  };
  EXPECT_TRUE(is_judged_of("a/hook.example.io"));
  EXPECT_FALSE(is_judged_of("0-a/hook.example.io")) << "its name says nothing";
  EXPECT_FALSE(is_judged_of("volume/hook.example.io"));
}

TEST(Judged, GoByTheNameWhereACaseListsNone) {
  const RunSubjects subjects{.configurations = {"a"}};
  const cases::Case value;
  const auto is_judged_of = [&](const char* key) {
    return is_judged(subjects, value, cases::webhook_ref(value, key));
  };
  EXPECT_TRUE(is_judged_of("a/hook.example.io"));
  EXPECT_FALSE(is_judged_of("0-a/hook.example.io"));
  EXPECT_FALSE(is_judged_of("volume/hook.example.io"));
  EXPECT_TRUE(is_judged({}, value, cases::webhook_ref(value, "volume/hook.example.io")))
      << "no configurations: all count";
}

/// A report of a run that passes shows no property as violated: what neighbours do wrong is a note.
TEST(Judged, IsAPropertyThatOnlyANeighbourViolatesAsNotReached) {
  const RunSubjects subjects{.configurations = {"a"}};
  const auto outcome = [&](std::vector<properties::Violation> violations) {
    return decision_of(subjects, {}, properties::Violated{std::move(violations), {}});
  };
  EXPECT_EQ(outcome({{.webhook = "volume/hook.example.io"}}), Decision::skipped);
  EXPECT_EQ(outcome({{.webhook = "volume/hook.example.io"}, {.webhook = "a/hook.example.io"}}),
            Decision::violated);
  EXPECT_EQ(outcome({{.webhook = ""}}), Decision::violated) << "nobody can be named";
  EXPECT_EQ(decision_of(subjects, {}, properties::Held{}), Decision::held);
}

}  // namespace
}  // namespace fixpoint::runner
