#include "harness/document/value.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <charconv>
#include <cmath>
#include <ctime>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "harness/document/member_finder.h"
#include "harness/document/patch.h"

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

RC_GTEST_PROP(Value, ANumberIsTheDoubleItWasWrittenFrom, (double number)) {
  RC_PRE(std::isfinite(number));
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  RC_ASSERT(Value::number({text, static_cast<std::size_t>(end - text)}).real() == number);
}

TEST(Value, NoDoubleIsBeyondThemAllOrOfAnotherKind) {
  EXPECT_EQ(Value::number("1e999").real(), std::nullopt);
  for (const Value& value : {Value(), Value("1.5"), Value(true), Value::empty_object()})
    EXPECT_EQ(value.real(), std::nullopt);
  for (const char* text : {"", "1.5x", "inf", "nan"}) EXPECT_EQ(real_of(text), std::nullopt) << text;
}

/// The reference model of an object.
using Plain = std::vector<std::pair<std::string, int>>;

int last_of(const Plain& plain, const std::string& name) {
  for (auto at = plain.rbegin(); at != plain.rend(); ++at) {
    if (at->first == name) return at->second;
  }
  return -1;
}

void set_last(Plain& plain, const std::string& name, int number) {
  for (auto at = plain.rbegin(); at != plain.rend(); ++at) {
    if (at->first == name) return void(at->second = number);
  }
  plain.emplace_back(name, number);
}

/// Lookup agrees with the reference model after any edits and any sharing.
RC_GTEST_PROP(Value, FindsWhatAPlainListHas, ()) {
  const int names = *rc::gen::element(3, 40, 400);
  Value object = Value::empty_object();
  Plain plain;
  std::vector<std::pair<Value, Plain>> shared;
  for (int step = 0; step < 120; ++step) {
    const std::string name = "n" + std::to_string(*rc::gen::inRange(0, names));
    switch (*rc::gen::inRange(0, 6)) {
      case 0:
        plain.emplace_back(name, step);  // a duplicate, perhaps
        object.edit_members().push_back({name, step});
        break;
      case 1:
        std::erase_if(plain, [&](const auto& one) { return one.first == name; });
        object.remove(name);
        break;
      case 2:
        if (Value* known = object.edit_known(name)) *known = Value(step);
        if (last_of(plain, name) >= 0) set_last(plain, name, step);
        break;
      case 3:
        shared.emplace_back(object, plain);
        break;
      default:
        set_last(plain, name, step);
        object.set(name, step);
    }
    const std::string asked = "n" + std::to_string(*rc::gen::inRange(0, names));
    RC_ASSERT(object[asked].integer().value_or(-1) == last_of(plain, asked));
  }
  shared.emplace_back(object, plain);
  for (const auto& [copy, then] : shared) {
    for (int i = 0; i < names; ++i) {
      const std::string name = "n" + std::to_string(i);
      RC_ASSERT(copy[name].integer().value_or(-1) == last_of(then, name));
    }
  }
}

std::vector<int> numbers_of(const Value& list) {
  std::vector<int> numbers;
  for (const Value& element : list.elements()) numbers.push_back(static_cast<int>(*element.integer()));
  return numbers;
}

/// A finder agrees with find() for any object.
RC_GTEST_PROP(Value, AFinderFindsWhatALookupFinds, ()) {
  const auto members = *rc::gen::inRange<std::size_t>(0, 200);
  const auto names = *rc::gen::container<std::vector<int>>(members, rc::gen::inRange(0, 150));
  std::vector<Member> all;
  for (std::size_t i = 0; i < names.size(); ++i)
    all.push_back({Key("name-" + std::to_string(names[i])), Value(static_cast<std::int64_t>(i))});
  const Value object(std::move(all));
  MemberFinder finder(object);
  for (int name = 0; name < 160; ++name) {
    const Key key("name-" + std::to_string(name));
    RC_ASSERT(finder.find(key) == object.find(key.name()));
  }
}

/// The processor time that comparisons and a tested patch take of two equal objects with opposite orders of
/// members.
std::clock_t comparisons_take(std::size_t names) {
  std::vector<Member> forward, backward;
  for (std::size_t i = 0; i < names; ++i) forward.push_back({Key("name-" + std::to_string(i)), Value("x")});
  for (std::size_t i = names; i-- > 0;) backward.push_back({Key("name-" + std::to_string(i)), Value("x")});
  const Value a(std::move(forward)), b(std::move(backward));
  const Value document{{"a", a}}, patch = Value::list({Value{{"op", "test"}, {"path", "/a"}, {"value", b}}});
  const std::clock_t begin = std::clock();
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(differ(a, b));
  EXPECT_TRUE(diff(a, b).empty());
  const auto tested = apply_patch(document, patch, {});
  EXPECT_TRUE(tested.ok()) << tested.problem->message;
  const auto bounded = apply_patch(document, patch, {.patch_steps_max = names});
  EXPECT_FALSE(bounded.ok()) << "each compared value is a step";
  return std::clock() - begin;
}

/// A webhook decides how large an object is and how its members are ordered. Sixteen times the names take
/// about 21 times as long when they are sorted, 256 times in quadratic time: the ratio depends on no machine
/// and no sanitiser.
TEST(Value, ComparesObjectsOfManyNamesInLinearTime) {
  const auto few = comparisons_take(10'000), many = comparisons_take(160'000);
  EXPECT_LT(many, 100 * few) << few << " clock ticks for 10,000 names";
}

RC_GTEST_PROP(Value, ListsAreEditedLikeVectors, ()) {
  std::vector<int> plain = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 99));
  Value list = Value::empty_list(*rc::gen::inRange<std::size_t>(0, 9));
  for (const int number : plain) list.push_back(number);
  std::vector<std::pair<Value, std::vector<int>>> shared;
  for (int step = 0; step < 60; ++step) {
    if (*rc::gen::inRange(0, 8) == 0) shared.emplace_back(list, plain);
    auto& elements = list.edit_elements();
    const auto place = *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(plain) + 1);
    const auto end = *rc::gen::inRange<std::ptrdiff_t>(place, std::ssize(plain) + 1);
    switch (*rc::gen::inRange(0, 7)) {
      case 0:
      case 1:
        plain.insert(plain.begin() + place, step);
        elements.insert(elements.begin() + place, step);
        break;
      case 2:
        plain.erase(plain.begin() + place, plain.begin() + end);
        elements.erase(elements.begin() + place, elements.begin() + end);
        break;
      case 3:
        RC_ASSERT(std::erase_if(plain, [&](int number) { return number % 5 == step % 5; }) ==
                  erase_if(elements, [&](const Value& one) { return *one.integer() % 5 == step % 5; }));
        break;
      case 4:
        if (plain.empty()) break;
        plain.pop_back();
        elements.pop_back();
        break;
      case 5: {
        const Value more = Value::list({7, 8, 9});
        plain.insert(plain.end(), {7, 8, 9});
        elements.append(more.elements().begin(), more.elements().end());
        break;
      }
      default:
        plain.resize(static_cast<std::size_t>(place));
        elements.resize(static_cast<std::size_t>(place));
    }
    RC_ASSERT(numbers_of(list) == plain);
  }
  for (const auto& [copy, then] : shared) RC_ASSERT(numbers_of(copy) == then);
}

TEST(Value, ListsGrowBeyondTheirBlock) {
  Value list = Value::empty_list(2);
  EXPECT_TRUE(list.edit_elements().is_in_node());
  for (int i = 0; i < 3; ++i) list.push_back(i);
  EXPECT_FALSE(list.edit_elements().is_in_node());
  const Value copy = list;
  list.edit_elements()[0] = 7;
  EXPECT_TRUE(list.edit_elements().is_in_node()) << "a copy is one block again";
  EXPECT_EQ(numbers_of(copy), (std::vector{0, 1, 2}));
  EXPECT_EQ(numbers_of(list), (std::vector{7, 1, 2}));
}

/// A separate block may happen to be adjacent to the node and must still be recognised as separate.
TEST(Value, ListsThatOutgrewTheirBlockKnowIt) {
  constexpr std::size_t kLists = 3000;
  for (std::size_t room = 0; room < 4; ++room) {
    std::vector<Value> lists;
    for (std::size_t i = 0; i < kLists; ++i) {
      lists.push_back(Value::empty_list(room));
      auto& elements = lists.back().edit_elements();
      while (elements.size() < elements.room()) elements.push_back(1);
      EXPECT_TRUE(elements.is_in_node());
      elements.push_back(2);
      EXPECT_FALSE(elements.is_in_node());
    }
  }
}

/// More names than can be interned, from several threads at once: each equals itself and no other.
TEST(Key, IsItsTextHoweverManyThereAre) {
  constexpr int kNames = 12000, kThreads = 4;
  const auto name_of = [](int i) { return "one of many " + std::to_string(i); };
  std::vector<std::vector<Key>> keys(kThreads);
  std::vector<std::thread> threads;
  for (auto& mine : keys) {
    threads.emplace_back([&mine, &name_of] {
      for (int i = 0; i < kNames; ++i) mine.emplace_back(name_of(i));
    });
  }
  for (auto& thread : threads) thread.join();
  int staying = 0;
  for (int i = 0; i < kNames; ++i) {
    for (const auto& mine : keys) {
      const Key& key = mine[static_cast<std::size_t>(i)];
      ASSERT_EQ(key.text(), name_of(i));
      ASSERT_TRUE(key == keys[0][static_cast<std::size_t>(i)]);
      ASSERT_FALSE(key == mine[static_cast<std::size_t>((i + 1) % kNames)]);
    }
    staying += keys[0][static_cast<std::size_t>(i)].same(keys[1][static_cast<std::size_t>(i)]) ? 1 : 0;
  }
  EXPECT_GT(staying, 1000);
  EXPECT_LT(staying, kNames / 2);
}

}  // namespace
}  // namespace fixpoint::document
