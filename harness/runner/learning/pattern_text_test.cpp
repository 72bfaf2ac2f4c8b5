#include "harness/runner/learning/pattern_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <re2/re2.h>

#include <set>
#include <string>
#include <vector>

namespace fixpoint::runner {
namespace {

/// Patterns as definitions of operators have them.
constexpr const char* kPatterns[] = {
    "^[a-z]+$",
    R"(^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$)",
    (R"(^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|)"
     R"(([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$)"),
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
  Choices choices(*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange<std::uint64_t>(0, 1000));
  const std::string pattern =
      *rc::gen::elementOf(std::vector<std::string>(std::begin(kPatterns), std::end(kPatterns)));
  const auto text = draw_matching(choices, pattern, 80);
  RC_LOG() << pattern;
  RC_ASSERT(text.has_value());
  RC_ASSERT(RE2::PartialMatch(*text, RE2(pattern)));
  RC_ASSERT(text->size() <= 80u);
}

TEST(PatternText, IsDrawnInSeveralForms) {
  std::set<std::string> seen;
  for (std::uint64_t i = 0; i < 50; ++i) {
    Choices choices(7, i);
    if (auto text = draw_matching(choices, "^(a|b)[0-9]?$")) seen.insert(*text);
  }
  EXPECT_GE(seen.size(), 8u);
}

TEST(PatternText, IsMatchedByItsPattern) {
  for (const char* pattern :
       {"^registry\\.example\\.com/.+", "^v[0-9]+\\.[0-9]+$", "(prod|staging)-[a-z]{3,5}", "[^a-z]x", "a*b?c",
        "(?i)enabled", "(?:x|y)z", "^[[:alnum:]]+$", "[\\w.-]+@[\\w.-]+", "\\d{2}", "x{0,2}y", "[]a]+"}) {
    const auto text = text_matching(pattern);
    ASSERT_TRUE(text) << pattern;
    EXPECT_TRUE(re2::RE2::PartialMatch(*text, pattern)) << pattern << ": " << *text;
  }
  EXPECT_EQ(text_matching("^registry\\.example\\.com/.+"), "registry.example.com/a");
}

TEST(PatternText, IsOfEachAlternative) {
  using List = std::vector<std::string>;
  EXPECT_EQ(texts_matching("^dataset\\.([0-9]+)\\.(id|useas)$", 8),
            (List{"dataset.1.id", "dataset.1.useas", "dataset.0.id", "dataset.0.useas"}));
  EXPECT_EQ(texts_matching("^(?:inject|skip)-[a-z]+\\.example\\.com/(on|off)$", 3),
            (List{"inject-a.example.com/on", "inject-a.example.com/off", "skip-a.example.com/on"}));
  EXPECT_EQ(texts_matching("(", 8), List{});
  std::string nested = "x";
  for (int i = 0; i < 28; ++i) nested = "[01](?:" + nested + ")";
  EXPECT_EQ(texts_matching(nested, 6).size(), 6u) << "each part is read once";
}

TEST(PatternText, IsNoneOfABadOrALongPattern) {
  for (const char* pattern : {"(", "[a", "^$", "a{100}", "(?=x)", "a\\bb"})
    EXPECT_FALSE(text_matching(pattern)) << pattern << ": " << text_matching(pattern).value_or("");
}

}  // namespace
}  // namespace fixpoint::runner
