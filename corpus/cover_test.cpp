#include "corpus/cover.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace fixpoint::corpus {
namespace {

std::vector<Member> some_members() {
  const int count = *rc::gen::inRange(0, 9);
  std::vector<Member> members;
  for (int i = 0; i < count; ++i) {
    Member member{.name = "m" + std::to_string(i), .size = *rc::gen::inRange<std::size_t>(1, 4)};
    for (const int one : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 8)))
      member.shows.insert(std::to_string(one));
    member.stays = *rc::gen::inRange(0, 8) == 0;
    members.push_back(std::move(member));
  }
  return members;
}

std::set<std::string> shown_by(const std::vector<Member>& members, const std::vector<std::size_t>& which) {
  std::set<std::string> all;
  for (const std::size_t index : which) all.insert(members[index].shows.begin(), members[index].shows.end());
  return all;
}

std::vector<std::size_t> everyone(std::size_t count) {
  std::vector<std::size_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = i;
  return all;
}

RC_GTEST_PROP(Cover, ShowsWhatAllShowAndNoneIsTooMany, ()) {
  const auto members = some_members();
  const auto kept = cover(members);
  RC_ASSERT(shown_by(members, kept) == shown_by(members, everyone(members.size())));
  for (const std::size_t index : kept) {
    auto others = kept;
    std::erase(others, index);
    RC_ASSERT(members[index].stays || shown_by(members, others) != shown_by(members, kept));
  }
  for (std::size_t i = 0; i < members.size(); ++i)
    RC_ASSERT(!members[i].stays || std::binary_search(kept.begin(), kept.end(), i));
}

RC_GTEST_PROP(Cover, DoesNotDependOnTheOrder, ()) {
  auto members = some_members();
  const auto names = [](const std::vector<Member>& of) {
    std::set<std::string> kept;
    for (const std::size_t index : cover(of)) kept.insert(of[index].name);
    return kept;
  };
  const auto before = names(members);
  for (std::size_t i = members.size(); i > 1; --i)
    std::swap(members[i - 1], members[*rc::gen::inRange<std::size_t>(0, i)]);
  RC_ASSERT(names(members) == before);
}

TEST(Cover, PrefersTheSmallerOfTwoThatShowTheSame) {
  EXPECT_EQ(cover({{.name = "a", .size = 9, .shows = {"x"}}, {.name = "b", .size = 3, .shows = {"x"}}}),
            std::vector<std::size_t>{1});
  EXPECT_EQ(cover({{.name = "a", .size = 3, .shows = {"x"}}, {.name = "b", .size = 3, .shows = {"x", "y"}}}),
            std::vector<std::size_t>{1});
  EXPECT_TRUE(cover({{.name = "shows nothing"}}).empty());
}

}  // namespace
}  // namespace fixpoint::corpus
