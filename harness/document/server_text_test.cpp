#include "harness/document/server_text.h"

#include <gtest/gtest.h>

namespace fixpoint::document {
namespace {

/// Expected texts are those of Go 1.26.
TEST(ServerText, QuotesAsGoDoes) {
  EXPECT_EQ(go_quoted("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(go_quoted("\n\x01\x7f"), R"("\n\x01\x7f")");
  EXPECT_EQ(go_quoted("é<\xC2\xA0\xF0\x9F\x98\x80"), "\"é<\\u00a0\xF0\x9F\x98\x80\"");
  EXPECT_EQ(go_quoted("\xFF"), R"("\xff")");
}

TEST(ServerText, WritesJsonAsGoDoes) {
  EXPECT_EQ(go_json(Value("<&>\x01")), R"("\u003c\u0026\u003e\u0001")");
  EXPECT_EQ(go_json(Value{{"b", Value::list({1, "x"})}, {"a", Value()}}), R"({"b":[1,"x"],"a":null})");
  static constexpr GoMember kInner[] = {{"X", "x", "\"\""}};
  static constexpr GoMember kOuter[] = {{"One", "one"}, {"Two", "two", "null", kInner}, {"left", "left", ""}};
  EXPECT_EQ(go_json(Value{{"two", Value::list({Value::empty_object()})}}, kOuter),
            R"({"One":null,"Two":[{"X":""}]})");
}

TEST(ServerText, PutsValuesIntoTheirPlaces) {
  EXPECT_EQ(Text("a {} b {}").with({"1", "2"}), "a 1 b 2");
  EXPECT_EQ(Text("a {}").with({"1", "2"}), "a 1");
  EXPECT_EQ(Text("[]string{{}}").with({"x"}), "[]string{x}");
}

}  // namespace
}  // namespace fixpoint::document
