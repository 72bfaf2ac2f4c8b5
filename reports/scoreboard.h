#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"
#include "reports/spread.h"

namespace fixpoint::reports {

using document::Result;
using document::Value;

/// The score of one bug: a planted defect, or a failure of a release that a later one does not have.
struct BugScore {
  std::string name = {};      ///< defects/timestamp; of a release's failure the name of its regression
  std::string subject = {};   ///< with its release: the one that has the bug
  std::string fixed = {};     ///< the release without it
  std::string property = {};  ///< that is expected to find it, or the kind of observation that names it
  std::int64_t seeds = 0, found = 0;
  std::map<std::string, std::int64_t> verdicts =
      {};  ///< of the findings; "none" where there is none; "observation"
  std::map<std::string, std::int64_t> others = {};  ///< in how many seeds other properties spoke before
  Spread cases = {};                                ///< until it was found, its own one counted
  Spread milliseconds = {};                         ///< of one core, until it was found and shrunk
  Spread size = {};                                 ///< scalars of the shrunk Pod, or commands of a Sequence
  bool is_sequence = false;
  Spread webhooks = {};       ///< of the shrunk chain
  std::int64_t problems = 0;  ///< of a planted defect, which is one thing to repair; 0: not counted, or none
  std::string repair = {};    ///< the kind of the repair that heals it, where one does
  std::int64_t silent_cases = 0, silent_fully_asked = 0, false_alarms = 0;
  bool operator==(const BugScore&) const = default;
};

/// The harness's own score: corpus/scoreboard.json, and as a table for people corpus/scoreboard.md. Durations
/// stand under the key milliseconds only.
struct Scoreboard {
  std::int64_t seeds = 0, silence = 0, cases_max = 0;
  std::vector<BugScore> bugs = {};  ///< sorted by name
};

Value write_scoreboard(const Scoreboard& board);
Result<Scoreboard> read_scoreboard(const Value& document);

/// The limit on the problems of a planted defect: one that breaks in two ways may count as two.
inline constexpr std::int64_t kProblemsOfDefectMax = 2;

/// The scoreboard as Markdown: totals first, then a row a bug.
std::string scoreboard_text(const Scoreboard& board);

/// Returns the losses of a fresh run against the committed scoreboard, a line each that names the bug: it is
/// found in fewer seeds, by another property, its fixed variant has more false alarms, it is shrunk to much
/// more, it is new. If `is_partial`, only those committed bugs count that were run.
std::vector<std::string> losses(const Scoreboard& committed, const Scoreboard& fresh, bool is_partial);

}  // namespace fixpoint::reports
