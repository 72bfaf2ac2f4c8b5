#include "harness/runner/learning/pattern_text.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

namespace fixpoint::runner {
namespace {

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

TEST(PatternText, IsNoneOfABadOrALongPattern) {
  for (const char* pattern : {"(", "[a", "^$", "a{100}", "(?=x)", "a\\bb"})
    EXPECT_FALSE(text_matching(pattern)) << pattern << ": " << text_matching(pattern).value_or("");
}

}  // namespace
}  // namespace fixpoint::runner
