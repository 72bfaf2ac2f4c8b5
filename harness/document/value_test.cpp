#include "harness/document/value.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"

namespace fixpoint::document {
namespace {

TEST(Value, EditingLeavesCopiesAlone) {
  Value pod{{"spec", {{"containers", Value::list({Value{{"name", "a"}}})}}}};
  const Value before = pod;
  EXPECT_TRUE(before.same(pod));
  pod.edit("spec").edit("containers").edit(0).set("name", "b");
  EXPECT_EQ(before["spec"]["containers"].at(0)["name"].text(), "a");
  EXPECT_EQ(pod["spec"]["containers"].at(0)["name"].text(), "b");
}

TEST(Value, EditingCopiesOnlyThePath) {
  Value pod{{"metadata", {{"name", "x"}}}, {"spec", Value::empty_object()}};
  const Value before = pod;
  pod.edit("metadata").set("name", "y");
  EXPECT_TRUE(pod["spec"].same(before["spec"]));
  EXPECT_FALSE(pod["metadata"].same(before["metadata"]));
}

TEST(Value, EditingClearsTheStamp) {
  Value pod{{"a", {{"b", 1}}}};
  pod.set_stamp(7);
  const Value copy = pod;
  pod.set("c", 2);
  EXPECT_EQ(pod.stamp(), 0u);
  EXPECT_EQ(copy.stamp(), 7u);
}

TEST(Value, EqualityIgnoresTheOrderOfMembers) {
  EXPECT_EQ(*read_json(R"({"a":1,"b":[true,null]})"), *read_json(R"({"b":[true,null],"a":1})"));
  EXPECT_FALSE(*read_json(R"({"a":1})") == *read_json(R"({"a":1.0})"));
  EXPECT_FALSE(*read_json(R"([1,2])") == *read_json(R"([2,1])"));
}

TEST(Value, KnowsWhetherNamesRepeat) {
  Value object = *read_json(R"({"a":1,"b":2,"a":3})");
  EXPECT_FALSE(object.distinct());
  object.remove("a");
  EXPECT_TRUE(object.distinct());
  object.set("c", 4);
  EXPECT_TRUE(object.distinct());
  object.edit_members().push_back({"c", 5});
  EXPECT_FALSE(object.distinct());
  EXPECT_TRUE(Value(1).distinct());
  Value many;
  for (int i = 0; i < 100; ++i) many.set(std::to_string(i), i);
  EXPECT_TRUE(many.distinct());
  many.edit_members().push_back({"7", 5});
  EXPECT_FALSE(many.distinct());
}

TEST(Value, MissingMembersAreNull) {
  const Value pod{{"a", 1}};
  EXPECT_TRUE(pod["b"]["c"].at(3).is_null());
  EXPECT_EQ(pod["a"].integer(), 1);
}

}  // namespace
}  // namespace fixpoint::document
