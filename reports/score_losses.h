#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace fixpoint::reports {

/// Returns true if all committed searches found the bug and some fresh one does not, or if some committed one
/// found it and no fresh one does.
inline bool is_found_less(std::int64_t committed, std::int64_t of_committed, std::int64_t fresh,
                          std::int64_t of_fresh) {
  return committed == of_committed ? fresh < of_fresh : committed > 0 && fresh == 0;
}

/// Returns the losses of the fresh rows against the committed rows of the same names. `compare(before, now,
/// lost)` adds the lines for a name that both have. A committed row without a fresh one counts unless
/// `is_partial`; a fresh row without a committed one always counts.
template <class Row, class Compare>
std::vector<std::string> losses_by_name(const std::vector<Row>& committed, const std::vector<Row>& fresh,
                                        bool is_partial, const Compare& compare) {
  std::vector<std::string> lost;
  const auto find = [](const std::vector<Row>& rows, const std::string& name) {
    return std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  };
  for (const Row& before : committed) {
    const auto now = find(fresh, before.name);
    if (now != fresh.end())
      compare(before, *now, lost);
    else if (!is_partial)
      lost.push_back(before.name + ": stands on the scoreboard and is known no more");
  }
  for (const Row& now : fresh) {
    if (find(committed, now.name) == committed.end())
      lost.push_back(now.name + ": does not stand on the scoreboard");
  }
  return lost;
}

}  // namespace fixpoint::reports
