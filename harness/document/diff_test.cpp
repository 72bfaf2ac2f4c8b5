#include "harness/document/diff.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "harness/document/random_document_model.h"

namespace fixpoint::document {
namespace {

std::string difference(std::string_view before, std::string_view after) {
  return write_json(diff(*read_json(before), *read_json(after)));
}

TEST(Diff, ObjectsMemberByMember) {
  EXPECT_EQ(difference(R"({"c":1,"b":2,"x":{"y":1}})", R"({"x":{"y":2},"b":2,"a":null})"),
            R"([{"op":"add","path":"/a","value":null},{"op":"replace","path":"/x/y","value":2},)"
            R"({"op":"remove","path":"/c"}])");
}

TEST(Diff, ListsByPositionWithTheirEndsFirst) {
  EXPECT_EQ(
      difference("[1,2,3]", "[4]"),
      R"([{"op":"remove","path":"/2"},{"op":"remove","path":"/1"},{"op":"replace","path":"/0","value":4}])");
  EXPECT_EQ(difference("[1]", "[4,5,6]"),
            R"([{"op":"add","path":"/1","value":5},{"op":"add","path":"/2","value":6},)"
            R"({"op":"replace","path":"/0","value":4}])");
}

TEST(Diff, AnotherTypeIsReplaced) {
  EXPECT_EQ(difference(R"({"a":{"b":1}})", R"({"a":[1]})"), R"([{"op":"replace","path":"/a","value":[1]}])");
  EXPECT_EQ(difference(R"({"a":null})", R"({"a":0})"), R"([{"op":"replace","path":"/a","value":0}])");
  EXPECT_EQ(difference("{}", "[]"), R"([{"op":"replace","path":"","value":[]}])");
}

TEST(Diff, PointersAreEscaped) {
  EXPECT_EQ(difference(R"({"a/b":{"~1":1}})", R"({"a/b":{"~1":2,"":3}})"),
            R"([{"op":"add","path":"/a~1b/","value":3},{"op":"replace","path":"/a~1b/~01","value":2}])");
}

TEST(Diff, SpellingIsNoDifferenceAndNumbersAreText) {
  EXPECT_EQ(difference(R"(["a"])", R"(["\u0061"])"), "[]");
  EXPECT_EQ(difference("[1]", "[1.0]"), R"([{"op":"replace","path":"/0","value":1.0}])");
  EXPECT_EQ(difference(R"({"a":1,"a":2})", R"({"a":2})"), "[]");
}

TEST(Diff, ListsChangesForPeople) {
  const Value before = *read_json(R"({"a":[1,{"x":1}],"b":2})"),
              after = *read_json(R"({"a":[1,{"x":3}],"c":null})");
  const auto changes = list_changes(before, after, 10);
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[0].pointer, "/a/1/x");
  EXPECT_EQ(*changes[0].before, Value(1));
  EXPECT_EQ(*changes[0].after, Value(3));
  EXPECT_FALSE(changes[1].before.has_value());
  EXPECT_TRUE(changes[1].after->is_null());
  EXPECT_EQ(changes[2].pointer, "/b");
  EXPECT_FALSE(changes[2].after.has_value());
  EXPECT_EQ(list_changes(before, after, 2).size(), 2u);
  EXPECT_TRUE(list_changes(before, after, 0).empty());
}

RC_GTEST_PROP(Diff, LeadsFromOneDocumentToTheOther, ()) {
  const Choose choose = [](std::uint32_t bound) { return *rc::gen::inRange<std::uint32_t>(0, bound); };
  for (int i = 0; i < 20; ++i) {
    const Value before{{"x", random_document(choose, 4, false)}, {"y", random_document(choose, 2, false)}};
    // A patched version of the document, or an unrelated one.
    Value after{{"y", random_document(choose, 2, false)}, {"x", before["x"]}};
    if (choose(3) > 0) {
      const auto changed = apply_patch(before, random_patch(choose, before, false));
      if (changed.ok()) after = changed.document;
    }
    const auto outcome = apply_patch(before, diff(before, after));
    RC_ASSERT(outcome.ok());
    RC_ASSERT(outcome.document == after);
    RC_ASSERT(diff(after, outcome.document).empty());
    RC_ASSERT(list_changes(before, after, 1).empty() == (before == after));
    RC_ASSERT(differ(before, after) == !diff(before, after).empty());
    const Value odd = random_document(choose, 3, true), other = random_document(choose, 3, true);
    RC_ASSERT(differ(odd, other) == !diff(odd, other).empty());
  }
}

}  // namespace
}  // namespace fixpoint::document
