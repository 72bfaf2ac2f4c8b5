#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fixpoint::apiserver::kinds {

/// An interval of a list of indexes such as `1,3-5,7` (pkg/apis/batch/validation parseIndexInterval).
struct IndexInterval {
  std::int64_t first = 0, last = 0;
  std::string problem = {};  ///< what the server says of one that is badly written; empty for a good one
};

/// Reads the intervals of a Job with that many completions; none for an empty text.
std::vector<IndexInterval> read_indexes(std::string_view text, std::int64_t completions);

/// Returns the first problem with the intervals or with their order; empty if there is none
/// (validateIndexesFormat).
std::string indexes_problem(const std::vector<IndexInterval>& intervals);

}  // namespace fixpoint::apiserver::kinds
