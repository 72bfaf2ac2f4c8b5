#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

/// Functions on the stored Cases of a corpus that do not look into a Case.
namespace fixpoint::corpus {

/// A member of a corpus: its size, its name, and the features that it shows.
struct Member {
  std::string name = {};
  std::size_t size = 0;
  std::set<std::string> shows = {};
  bool stays = false;  ///< it is always kept
};

/// Returns a small subset of members that together show all features, as sorted indices. First come the
/// members that stay; then, greedily, the one that shows most missing features, with ties broken by the
/// smaller size and the first name. In the end, no member can be left out except for those that stay. The
/// subset does not depend on the order of the members.
std::vector<std::size_t> cover(const std::vector<Member>& members);

}  // namespace fixpoint::corpus
