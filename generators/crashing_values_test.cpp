#include "generators/crashing_values.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/runner/learning/trigger.h"

namespace fixpoint::generators {
namespace {

using Where = runner::Trigger::Where;

TEST(CrashingValues, KeepOneOfAKey) {
  runner::Vocabulary words;
  for (const char* value : {"true", "web", "1"})
    runner::learn_trigger(words, Where::annotation, "port", value);
  CrashingValues crashing;
  const auto crash = [&](const std::string& value) {
    const document::Value pod{{"metadata", {{"annotations", {{"port", value}, {"other", "1"}}}}}};
    crashing.take(words, pod, "ValueError: invalid literal for int() with base 10: '" + value + "'");
  };
  crash("true");
  crash("web");
  crash("true");
  ASSERT_EQ(words.triggers.size(), 1U);
  EXPECT_EQ(words.triggers[0].values, (std::vector<std::string>{"true", "1"}));
  crashing.take(words, {{"metadata", {{"annotations", {{"port", "1"}}}}}}, "IndexError: 1 of 10");
  EXPECT_EQ(words.triggers[0].values.size(), 2U) << "it is not quoted";
}

}  // namespace
}  // namespace fixpoint::generators
