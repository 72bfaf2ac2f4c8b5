#include "corpus/cover.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace fixpoint::corpus {

namespace {

std::size_t missing_in(const std::set<std::string>& shown, const Member& member) {
  return static_cast<std::size_t>(
      std::count_if(member.shows.begin(), member.shows.end(),
                    [&](const std::string& one) { return !shown.contains(one); }));
}

/// Removes members whose features the other members also show, the largest first.
void leave_out(const std::vector<Member>& members, std::vector<std::size_t>& kept) {
  std::map<std::string, std::size_t> times;
  for (const std::size_t index : kept) {
    for (const std::string& one : members[index].shows) ++times[one];
  }
  std::sort(kept.begin(), kept.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(members[b].size, members[b].name) < std::tie(members[a].size, members[a].name);
  });
  std::erase_if(kept, [&](std::size_t index) {
    const Member& member = members[index];
    const bool is_needed = member.stays || std::any_of(member.shows.begin(), member.shows.end(),
                                                       [&](const auto& one) { return times[one] == 1; });
    if (is_needed) return false;
    for (const std::string& one : member.shows) --times[one];
    return true;
  });
}

}  // namespace

std::vector<std::size_t> cover(const std::vector<Member>& members) {
  std::vector<std::size_t> kept, left;
  std::set<std::string> shown;
  const auto keep = [&](std::size_t index) {
    kept.push_back(index);
    shown.insert(members[index].shows.begin(), members[index].shows.end());
  };
  for (std::size_t i = 0; i < members.size(); ++i) members[i].stays ? keep(i) : left.push_back(i);
  while (!left.empty()) {
    // A member is worse if it shows fewer missing features, is larger, or has a later name.
    const auto rank = [&](std::size_t index) {
      const Member& member = members[index];
      return std::tuple(~missing_in(shown, member), member.size, member.name);
    };
    const auto best = std::min_element(left.begin(), left.end(),
                                       [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    if (missing_in(shown, members[*best]) == 0) break;
    keep(*best);
    left.erase(best);
  }
  leave_out(members, kept);
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace fixpoint::corpus
