#include "generators/pattern_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <re2/re2.h>

#include <set>
#include <string>
#include <vector>

namespace fixpoint::generators {
namespace {

/// Patterns as definitions of operators have them.
constexpr const char* kPatterns[] = {
    "^[a-z]+$",
    R"(^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$)",
    R"(^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|)"
    R"(([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$)",
    R"(^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$)",
    R"(^([A-Za-z]:\\|/)[\w./-]+$)",
    "^https?://.+$",
    "^(?:sha256:[a-f0-9]{64})$",
    "^[A-Z][A-Z0-9_]{2,10}$",
    "^$|^[[:alnum:]_-]+$",
    R"(^\d+(\.\d+){0,2}$)",
    "^[^/]+/[^/]+$",
    "a|b|cd?"};

RC_GTEST_PROP(PatternText, MatchesAndIsShort, ()) {
  runner::Choices choices(*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange<std::uint64_t>(0, 1000));
  const std::string pattern = *rc::gen::elementOf(std::vector<std::string>(std::begin(kPatterns),
                                                                           std::end(kPatterns)));
  const auto text = draw_matching(choices, pattern, 80);
  RC_LOG() << pattern;
  RC_ASSERT(text.has_value());
  RC_ASSERT(RE2::PartialMatch(*text, RE2(pattern)));
  RC_ASSERT(text->size() <= 80u);
}

TEST(PatternText, IsDrawnInSeveralForms) {
  std::set<std::string> seen;
  for (std::uint64_t i = 0; i < 50; ++i) {
    runner::Choices choices(7, i);
    if (auto text = draw_matching(choices, "^(a|b)[0-9]?$")) seen.insert(*text);
  }
  EXPECT_GE(seen.size(), 8u);
}

TEST(PatternText, IsNothingForWhatCannotBeReadOrMet) {
  runner::Choices choices(1, 1);
  EXPECT_FALSE(draw_matching(choices, "("));
  EXPECT_FALSE(draw_matching(choices, "a^b"));
  EXPECT_FALSE(draw_matching(choices, "^a{200}$"));
}

}  // namespace
}  // namespace fixpoint::generators
