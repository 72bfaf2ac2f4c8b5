#include "harness/document/json.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace fixpoint::document {
namespace {

std::string error_of(std::string_view text, const Limits& limits = {}) {
  const auto read = read_json(text, limits);
  return read ? "no error" : read.error().text();
}

TEST(Json, KeepsNumbersAsText) {
  for (const char* text : {"1.0", "1e400", "-0", "123456789012345678901234567890"}) {
    EXPECT_EQ(write_json(*read_json(text)), text);
  }
}

TEST(Json, KeepsOrderAndDuplicates) {
  const std::string text = R"({"b":1,"a":2,"b":3})";
  const auto read = read_json(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(write_json(*read), text);
  EXPECT_EQ((*read)["b"].text(), "3");
}

TEST(Json, RemembersSpellingsThatGoWouldNotWrite) {
  EXPECT_EQ(read_json(R"("a")")->spelling(), "");
  EXPECT_EQ(read_json(R"("\u0061")")->spelling(), R"("\u0061")");
  EXPECT_EQ(read_json(R"("\u003c")")->spelling(), "");
  EXPECT_EQ(read_json(R"("<")")->spelling(), R"("<")");
  EXPECT_EQ(*read_json(R"("\u0061")"), Value("a"));
}

TEST(Json, SpellingsCanBeForgotten) {
  const Value read = *read_json(R"({"a":["\u0061",{"b":1}],"c":["x"],"d":"<"})");
  const Value plain = without_spellings(read);
  EXPECT_EQ(write_go_json(plain), R"({"a":["a",{"b":1}],"c":["x"],"d":"\u003c"})");
  EXPECT_EQ(plain["d"].spelling(), "");
  EXPECT_TRUE(plain["c"].same(read["c"]));
  EXPECT_TRUE(plain["a"].at(1).same(read["a"].at(1)));
  EXPECT_TRUE(without_spellings(plain).same(plain));
}

TEST(Json, ErrorsNameThePlace) {
  EXPECT_EQ(error_of("{\"a\": [1,\n x]}"), "line 2, column 2, at /a/1: expected a JSON value");
  EXPECT_EQ(error_of("[1] 2"), "line 1, column 5: expected the end of the document");
  EXPECT_EQ(error_of(""), "line 1, column 1: expected a value, found the end");
}

TEST(Json, LimitsAreNamed) {
  EXPECT_EQ(
      error_of(std::string(600, '[')), "line 1, column 513" + [] {
        std::string at = ", at ";
        for (int i = 0; i < 512; ++i) at += "/0";
        return at;
      }() + ": the document is nested deeper than depth_max = 512");
  EXPECT_NE(error_of("[1,2,3]", {.values_max = 3}).find("values_max = 3"), std::string::npos);
  EXPECT_NE(error_of("[\"aaaaaaaaaaaaa\",1]", {.document_bytes_max = 10}).find("document_bytes_max"),
            std::string::npos);
}

TEST(Json, ForeignTextIsReadAsGoReadsIt) {
  EXPECT_EQ(read_json("\"\xff\"", {}, Strictness::foreign)->text(), "\xEF\xBF\xBD");
  EXPECT_EQ(read_json(R"("\ud800x")", {}, Strictness::foreign)->text(), "\xEF\xBF\xBDx");
  EXPECT_FALSE(read_json("\"\xff\""));
  EXPECT_FALSE(read_json(R"("\ud800")"));
}

TEST(Json, DeepTreesAreReleasedWithoutTheStack) {
  Value deep;
  for (int i = 0; i < 1'000'000; ++i) deep = Value(std::vector<Value>{deep});
  deep = Value();
  EXPECT_TRUE(deep.is_null());
}

/// Any document, as nlohmann's type.
nlohmann::json any_json(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 7 : 5)) {
    case 0:
      return nullptr;
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::arbitrary<std::int64_t>();
    case 3:
      return *rc::gen::inRange(-1000, 1000) / 8.0;
    case 4:
      return *rc::gen::string<std::string>();
    case 5: {
      auto list = nlohmann::json::array();
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n) list.push_back(any_json(depth - 1));
      return list;
    }
    default: {
      auto map = nlohmann::json::object();
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n)
        map[*rc::gen::string<std::string>()] = any_json(depth - 1);
      return map;
    }
  }
}

bool is_sorted(const Value& value) {
  const auto members = value.members();
  const auto elements = value.elements();
  return std::is_sorted(members.begin(), members.end(),
                        [](const Member& a, const Member& b) { return a.key.text() < b.key.text(); }) &&
         std::all_of(members.begin(), members.end(),
                     [](const Member& member) { return is_sorted(member.value); }) &&
         std::all_of(elements.begin(), elements.end(), is_sorted);
}

RC_GTEST_PROP(Json, AgreesWithNlohmann, ()) {
  const auto document = any_json(4);
  const std::string text = document.dump(*rc::gen::element(-1, 2), ' ', *rc::gen::arbitrary<bool>(),
                                         nlohmann::json::error_handler_t::replace);
  const auto read = read_json(text);
  RC_ASSERT(read.ok());
  RC_ASSERT(nlohmann::json::parse(write_json(*read)) == nlohmann::json::parse(text));
  RC_ASSERT(*read_json(write_json_pretty(*read)) == *read);
  RC_ASSERT(*read_json(write_go_json(*read)) == *read);
  RC_ASSERT(sorted(*read) == *read);
  RC_ASSERT(is_sorted(sorted(*read)));
  const Value once = sorted(*read);
  RC_ASSERT(sorted(once).same(once));
}

TEST(Json, SortedMembersOfOneNameKeepTheirOrder) {
  EXPECT_EQ(
      write_json(sorted(*read_json(R"({"b":[{"d":1,"c":2}],"a":1,"b":2,"a":3})", {}, Strictness::foreign))),
      R"({"a":1,"a":3,"b":[{"c":2,"d":1}],"b":2})");
}

RC_GTEST_PROP(Json, AcceptsWhatNlohmannAccepts, (std::string noise)) {
  const auto document = any_json(3);
  std::string text = document.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text.replace(at, 1, noise.substr(0, 2));
  RC_ASSERT(read_json(text).ok() == nlohmann::json::accept(text));
}

}  // namespace
}  // namespace fixpoint::document
