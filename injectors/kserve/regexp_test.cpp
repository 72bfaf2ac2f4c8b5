#include "injectors/kserve/regexp.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "harness/patterns_model.h"

namespace fixpoint::injectors::kserve {
namespace {

struct Row {
  const char* expression;
  const char* text;
  bool matches;
};

TEST(Regexp, MatchesAsGoDoes) {
  for (const Row& row : {
           Row{"https://(.+?).blob.core.windows.net/(.+)", "https://acc.blob.core.windows.net/c/m", true},
           {"https://(.+?).blob.core.windows.net/(.+)", "https://blob.core.windows.net/", false},
           {"^s3:", "s3://b", true},
           {"^s3:", "xs3://b", false},
           {"", "", true},
           {"a|b", "xb", true},
           {"(?i)S3", "s3", true},
           {"(?i:S)3", "s3", true},
           {"(?-i:S)3", "s3", false},
           {"(?P<scheme>s3|gs)://", "gs://b", true},
           {R"(\As3\z)", "s3", true},
           {R"(\bgs\b)", "x gs y", true},
           {R"(\bgs\b)", "xgsy", false},
           {R"(\Ba)", "ba", true},
           {"a{2,3}b", "aab", true},
           {"^a{2,3}b", "aaaab", false},
           {"a{2}", "a", false},
           {"a{,2}", "a{,2}", true},
           {"[[:alpha:]]+[^/]", "ab", true},
           {"[^[:^digit:]]", "a", false},
           {"[a-c-]", "-", true},
           {"[]a]", "]", true},
           {R"([\d.]+/)", "1.2/", true},
           {R"(\x{1F600})", "\xF0\x9F\x98\x80", true},
           {"^.$", "\xC3\xA4", true},
           {".", "\n", false},
           {"(?s).", "\n", true},
           {"(?m)^b$", "a\nb\nc", true},
           {R"(^\Qa.b\E$)", "a.b", true},
           {R"(^\Qa.b\E$)", "axb", false},
           {R"(^\Qab\E+$)", "abbb", true},
           {"(a*)*$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", true},
           {"^(a|aa)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", false},
           {R"(\_)", "_", true},
           {R"(^\pL+$)", "\xC3\xA4z", true},
           {R"(^\p{Greek}$)", "a", false},
           {"(?<scheme>s3|gs)://", "gs://b", true},
           {R"(\Q(?<a>\E)", "(?<a>", true},
           {R"(\(?<a>)", "<a>", true},
           {"[(?<a>]+", "?", true},
           {"[]C(?<]", "]", true},
           {R"(\\C)", R"(\C)", true},
       }) {
    const auto found = matches(row.expression, row.text);
    ASSERT_TRUE(found.ok()) << row.expression;
    EXPECT_EQ(*found, row.matches) << row.expression << " on " << row.text;
  }
}

TEST(Regexp, RefusesWhatGoRefuses) {
  for (const char* expression : {"(",          ")",
                                 "a)",         "[",
                                 "[a",         "*a",
                                 "a**",        "a*+",
                                 "a{2}{3}",    "a{1001}",
                                 "a{3,2}",     "(?=a)",
                                 "(?<!a)",     R"(\)",
                                 R"(\1)",      R"(\8)",
                                 R"(\E)",      R"(\C)",
                                 R"(a\Ca)",    "[b-a]",
                                 "[[:nope:]]", "(?P<a>x)(?P<a>y)",
                                 "(?P<>x)",    "(?z)",
                                 "(?i",        "|*"}) {
    EXPECT_FALSE(matches(expression, "a").ok()) << expression;
  }
}

/// Go agrees with ECMAScript on the common part, so the standard library's engine is the model.
RC_GTEST_PROP(Regexp, AgreesWithThePlainModel, ()) {
  static const std::vector<std::string> kParts{"a",  "b",     ".", "(a|b)", "[ab]",   "[^a]",  "a*",
                                               "b+", "(ab)?", "^", "$",     "a{1,2}", "(?:b|)"};
  std::string expression;
  for (int i = *rc::gen::inRange(0, 6); i > 0; --i) expression += *rc::gen::elementOf(kParts);
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc")));
  const auto found = matches(expression, text);
  RC_ASSERT(found.ok());
  RC_ASSERT(*found == is_found(text, expression));
}

}  // namespace
}  // namespace fixpoint::injectors::kserve
