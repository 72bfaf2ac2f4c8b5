#include "harness/properties/counterparts.h"

#include <algorithm>
#include <limits>

namespace fixpoint::properties {

std::size_t likeness(const Value& a, const Value& b) {
  if (a == b) return std::numeric_limits<std::size_t>::max() / 2;
  const auto members = a.members();
  return static_cast<std::size_t>(std::count_if(members.begin(), members.end(), [&](const auto& member) {
    const Value* there = b.find(member.key.name());
    return there != nullptr && *there == member.value;
  }));
}

std::vector<std::size_t> counterparts(const Value& list, const Value& other, const HaveOneKey& have_one_key) {
  const std::size_t none = other.size();
  std::vector<std::size_t> found(list.size(), none);
  std::vector<bool> taken(none, false);
  const auto match = [&](std::size_t i, bool only_equal) {
    std::size_t most = 0;
    for (std::size_t j = 0; j < none; ++j) {
      if (taken[j] || !have_one_key(list.at(i), other.at(j))) continue;
      const std::size_t alike =
          only_equal ? (list.at(i) == other.at(j) ? 1 : 0) : likeness(list.at(i), other.at(j)) + 1;
      if (alike <= most) continue;
      found[i] = j;
      most = alike;
    }
    if (found[i] != none) taken[found[i]] = true;
  };
  for (std::size_t i = 0; i < list.size(); ++i) match(i, true);
  for (std::size_t i = 0; i < list.size(); ++i)
    if (found[i] == none) match(i, false);
  return found;
}

}  // namespace fixpoint::properties
