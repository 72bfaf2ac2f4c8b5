#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fixpoint::reports {

/// A problem in a history of runs.
struct PastProblem {
  std::vector<std::string> ids = {};  ///< all ids that it had in any run; those of the newest run come first
  std::string severity = {};
  std::string part = {}, place = {}, title = {};
  std::string state = {};  ///< failing, fixed, flaky
  std::string first_seen = {}, last_seen = {};
  std::int64_t runs = 0;  ///< the number of runs in which it was seen
};

/// One run of a history.
struct PastRun {
  std::string date = {}, seed = {};
  std::vector<std::string> subjects = {};
  std::uint64_t cases = 0;
  std::string folder = {};  ///< empty if the history has no folder for it
  std::string report = {};  ///< its page, relative to the report that links to it; empty if there is none
  bool is_moved = false;    ///< a later run was written to the same folder
  bool is_this = false;     ///< the run of the record
  /// Indices of problems in the history: those that this run saw first, those that an earlier run saw, and
  /// those that this run checked and no longer saw.
  std::vector<std::size_t> fresh = {}, known = {}, fixed = {};
};

}  // namespace fixpoint::reports
