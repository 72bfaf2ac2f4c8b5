#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

/// Functions on stored Cases that need no knowledge of a Case.
namespace fixpoint::corpus {

/// A member of a corpus: its size, its name, and the features that it shows.
struct Member {
  std::string name = {};
  std::size_t size = 0;
  std::set<std::string> shows = {};
  bool stays = false;  ///< it is kept in any case
};

/// The members of a small subset that together show what all show, as sorted indices: those that stay, then
/// greedily the one that shows most of what is missing, then the smaller, then the first by name; in the end
/// none but those that stay can be left out. The subset does not depend on the order of the members.
std::vector<std::size_t> cover(const std::vector<Member>& members);

}  // namespace fixpoint::corpus
