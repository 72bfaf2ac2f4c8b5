#include "harness/runner/learning/open_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "harness/runner/learning/learn.h"

namespace fixpoint::runner {
namespace {

/// Both parts of a key may be settings, `prefix: env.PREFIX || "a.example.com", name: env.NAME || "inject"`.
TEST(OpenKeys, AreSettingsThatStandBesideEachOther) {
  Vocabulary words;
  learn_from_program(words, R"(
const patcher = new Patcher({
  prefix: process.env.PREFIX || 'sidecars.example.com',
  name: process.env.NAME || 'inject',
  file: 'far',
  other: 'away',
});)");
  const auto keys = words.common(Trigger::Where::annotation), rare = words.rare(Trigger::Where::annotation);
  const auto has = [&](const char* key) {
    const auto is_it = [&](const auto& one) { return one.first == key; };
    return std::ranges::any_of(keys, is_it) || std::ranges::any_of(rare, is_it);
  };
  EXPECT_TRUE(has("sidecars.example.com/inject"));
  EXPECT_FALSE(has("sidecars.example.com/away"));
}

}  // namespace
}  // namespace fixpoint::runner
