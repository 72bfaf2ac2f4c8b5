#include "harness/runner/loop/case_result.h"

#include <gtest/gtest.h>

namespace fixpoint::runner {
namespace {

TEST(Judged, AreAllButTheNeighboursThatTheCaseLists) {
  const RunOptions options{.judged_configurations = {"a"}};
  cases::Case value;
  value.neighbours = {"0-a", "volume"};
  EXPECT_TRUE(is_judged(options, value, "a/hook.example.io"));
  EXPECT_FALSE(is_judged(options, value, "0-a/hook.example.io")) << "its name says nothing";
  EXPECT_FALSE(is_judged(options, value, "volume/hook.example.io"));
}

TEST(Judged, GoByTheNameWhereACaseListsNone) {
  const RunOptions options{.judged_configurations = {"a"}};
  const cases::Case value;
  EXPECT_TRUE(is_judged(options, value, "a/hook.example.io"));
  EXPECT_FALSE(is_judged(options, value, "0-a/hook.example.io"));
  EXPECT_FALSE(is_judged(options, value, "volume/hook.example.io"));
  EXPECT_TRUE(is_judged({}, value, "volume/hook.example.io")) << "no configurations: all count";
}

}  // namespace
}  // namespace fixpoint::runner
