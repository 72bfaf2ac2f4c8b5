#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fixpoint::reports {

/// What a history of runs knows of one problem.
struct PastProblem {
  std::vector<std::string> ids = {};  ///< every one that it had in some run; the newest run's stand first
  std::string severity = {};
  std::string part = {}, place = {}, title = {};
  std::string state = {};  ///< failing, fixed, flaky
  std::string first_seen = {}, last_seen = {};
  std::int64_t runs = 0;  ///< in which it was seen
};

/// One run of a history.
struct PastRun {
  std::string date = {}, seed = {};
  std::vector<std::string> subjects = {};
  std::uint64_t cases = 0;
  std::string folder = {};  ///< empty where the history does not say
  std::string report = {};  ///< its page, as a path from where the history is read; empty where there is none
  bool is_moved = false;    ///< a later run was written to the same folder
  bool is_this = false;     ///< the run that the record is of
  /// Problems by their places among all of the history: those that no run before saw, those that one did, and
  /// those that it saw no more although it asked.
  std::vector<std::size_t> fresh = {}, known = {}, fixed = {};
};

}  // namespace fixpoint::reports
