#include "harness/properties/counterparts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/document/json.h"
#include "harness/properties/losses.h"
#include "harness/properties/one_webhook_test.h"
#include "harness/runner/trace.h"

namespace fixpoint::properties {
namespace {

Value read(const std::string& text) { return document::read_json(text).value(); }
bool have_one_name(const Value& a, const Value& b) { return a["name"] == b["name"]; }

/// The user's container stands behind, before or between containers of its name that a webhook adds.
TEST(Counterparts, AreTheMostAlikeWhereNamesRepeat) {
  const Value users = read(R"json([{"name":"agent","image":"mine:1","env":[{"name":"A"}]}])json");
  const Value other = read(R"json([{"name":"agent","image":"agent:1"},{"name":"agent","image":"mine:1",
      "env":[{"name":"A"},{"name":"B"}]},{"name":"agent","image":"agent:2"}])json");
  EXPECT_EQ(counterparts(users, other, have_one_name), std::vector<std::size_t>{1});
  const Value equals = read(R"json([{"name":"a"},{"name":"a"}])json");
  EXPECT_EQ(counterparts(equals, equals, have_one_name), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(counterparts(users, equals, have_one_name), std::vector<std::size_t>{2}) << "there is none";
}

constexpr const char* kEqualsPod = R"json({"metadata":{"name":"p"},"spec":{"containers":[{"name":"agent",
    "image":"x:1","env":[{"name":"A","value":"$(LATER)"},{"name":"LATER","value":"1"}]}]}})json";
const cases::Backend kEqualsHandler = cases::InjectorName{"test/handler"};

webhooks::Handler inserting(std::size_t at, bool labels_all) {
  return changing([=](Value& pod, int) {
    auto& containers = pod.edit("spec").edit("containers").edit_elements();
    for (Value& one : containers)
      if (labels_all) one.edit("env").push_back({{"name", "B"}, {"value", "2"}});
    const auto place = static_cast<std::ptrdiff_t>(std::min(at, containers.size()));
    containers.insert(containers.begin() + place, Value{{"name", "agent"}, {"image", "agent:1"}});
  });
}

TEST(Counterparts, OfTheUsersContainerBehindItsNamesake) {
  for (const std::size_t at : {0U, 1U}) {
    for (const bool labels_all : {false, true}) {
      const auto value = of_one_webhook(kEqualsHandler, kEqualsPod);
      EXPECT_TRUE(violations_of("preserves-others", value, inserting(at, labels_all)).empty()) << at;
      EXPECT_TRUE(violations_of("preserves-order", value, inserting(at, labels_all)).empty()) << at;
      EXPECT_FALSE(violations_of("no-duplicate-names", value, inserting(at, labels_all)).empty());
    }
  }
}

TEST(Counterparts, AreThoseOfTheTrace) {
  const Value before = read(kEqualsPod);
  Value after = before;
  auto& containers = after.edit("spec").edit("containers").edit_elements();
  containers.insert(containers.begin(), Value{{"name", "agent"}, {"image", "agent:1"}});
  EXPECT_EQ(runner::changes(before, after), std::vector<std::string>{"+ container agent"});
  EXPECT_TRUE(losses_between(before, after).empty());
}

TEST(Counterparts, OfAPlaceAmongEquals) {
  const Value before = read(R"json({"spec":{"containers":[{"name":"a","image":"x"},{"name":"a","image":"x"},
      {"name":"a","image":"y"}]}})json");
  Value after = before;
  after.edit("spec").edit("containers").edit(1).remove("image");
  const auto losses = losses_between(before, after);
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].path, "spec.containers[1].image");
  EXPECT_EQ(losses[0].place.in(before), Value("x"));
}

/// A reference that resolved nowhere in the user's Pod resolves in no copy of it either.
TEST(Counterparts, OfAReferenceInACopiedContainer) {
  const auto copies = changing([](Value& pod, int) {
    Value& containers = pod.edit("spec").edit("containers");
    if (containers.size() > 1) return;
    Value copy = containers.at(0);
    copy.set("name", "copy");
    containers.push_back(std::move(copy));
  });
  EXPECT_TRUE(violations_of("preserves-order", of_one_webhook(kEqualsHandler, kEqualsPod), copies).empty());
}

}  // namespace
}  // namespace fixpoint::properties
