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

/// The score of one bug: a planted defect, or a failure of a release that a later release fixes.
struct BugScore {
  std::string name = {};      ///< defects/timestamp; for a release's failure, the name of its regression
  std::string subject = {};   ///< the subject with the bug, and its release
  std::string fixed = {};     ///< the release without it
  std::string property = {};  ///< the property that must find it, or the kind of observation that names it
  std::int64_t seeds = 0, found = 0;
  std::map<std::string, std::int64_t> verdicts =
      {};  ///< counts of the findings' verdicts; also "none" and "observation"
  std::map<std::string, std::int64_t> others = {};  ///< seeds in which other properties found it first
  Spread cases = {};         ///< Cases until it was found, including the one that found it
  Spread milliseconds = {};  ///< time on one core until it was found and shrunk
  Spread size = {};          ///< leaves of the shrunk Pod, or commands of a Sequence
  bool is_sequence = false;
  Spread webhooks = {};       ///< webhooks of the shrunk chain
  std::int64_t problems = 0;  ///< of a planted defect, which is one thing to repair; 0: not counted, or none
  std::string repair = {};    ///< the kind of the repair that heals it, if any
  std::int64_t silent_cases = 0, silent_fully_asked = 0, false_alarms = 0;
  bool operator==(const BugScore&) const = default;
};

/// The harness's own score: corpus/scoreboard.json, and as a table for readers corpus/scoreboard.md.
/// Durations appear only under the key milliseconds.
struct Scoreboard {
  std::int64_t seeds = 0, silence = 0, cases_max = 0;
  std::vector<BugScore> bugs = {};  ///< sorted by name
};

Value write_scoreboard(const Scoreboard& board);
Result<Scoreboard> read_scoreboard(const Value& document);

/// The limit on the problems of a planted defect: one that breaks in two ways may count as two.
inline constexpr std::int64_t kProblemsOfDefectMax = 2;

/// Returns the scoreboard as Markdown: totals first, then a row for each bug.
std::string scoreboard_text(const Scoreboard& board);

/// Returns the losses of a fresh run against the committed scoreboard, one line each with the name of the
/// bug. A loss is a bug that fewer seeds find, that another property finds, whose fixed variant has more
/// false alarms, that is shrunk to a much larger Case, or that is new. If `is_partial`, committed bugs that
/// were not run are ignored.
std::vector<std::string> losses(const Scoreboard& committed, const Scoreboard& fresh, bool is_partial);

}  // namespace fixpoint::reports
