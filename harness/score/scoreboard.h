#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/score/spread.h"

/// How well fixpoint finds what is known to be wrong, and leaves alone what is right.
namespace fixpoint::score {

/// A finding or an observation, with the number of runs that reported it.
struct ReportedItem {
  std::string severity = {};  ///< error, warning or observation
  std::string property = {};  ///< the observation's kind
  std::string webhook = {};   ///< the webhook to blame: <configuration>/<webhook>, or empty
  std::string reason = {};    ///< the sentence of the first run that reported it
  std::int64_t runs = 0;
  bool operator==(const ReportedItem&) const = default;
};

/// The results of one known bug or of one stranger, one run for each seed.
struct Score {
  std::string name = {};
  bool is_right = false;      ///< there is nothing to find
  std::string not_run = {};   ///< why there are no figures, such as "needs go"; else empty
  std::string expected = {};  ///< of a bug: the property or the kind of observation that must find it
  std::int64_t runs = 0, found = 0;
  std::int64_t cases = 0, acted = 0;         ///< sums over all runs; of a bug, Cases of its fixed variant
  std::int64_t no_verdict = 0;               ///< the runs without a verdict
  std::vector<std::string> complaints = {};  ///< the distinct messages of those runs
  Spread until = {};                         ///< Cases until it was found, the one that found it included
  Spread milliseconds = {};                  ///< time until it was found; of a bug on one core, and shrunk
  Spread size = {};                       ///< of a bug: leaves of the shrunk Pod, or commands of a Sequence
  Spread findings = {}, problems = {};    ///< of one run
  std::vector<ReportedItem> alarms = {};  ///< on what is right, the fixed variant of a bug included
  std::vector<ReportedItem> others = {};  ///< of a wrong stranger: findings of properties not expected
  std::vector<ReportedItem> observations = {};
  bool operator==(const Score&) const = default;
};

/// The scores of one family: a JSON file, and beside it the same as a table in Markdown. Durations appear
/// only under the key milliseconds.
struct Scoreboard {
  std::string family = {};  ///< bugs or strangers
  std::string bound = {};   ///< the limit of one run: "8s", "300 Cases"
  std::int64_t seeds = 0;
  std::vector<Score> scores = {};  ///< sorted by name
};

document::Value write_scoreboard(const Scoreboard& board);
document::Result<Scoreboard> read_scoreboard(const document::Value& document);
/// Reads the scoreboard in a file; an error names the file.
document::Result<Scoreboard> read_scoreboard_file(const std::string& path);
/// Writes FILE.json and FILE.md; an error if something was not run.
std::optional<document::Error> save_scoreboard(const Scoreboard& board, const std::string& file);

/// The limit on the problems of a bug: one that breaks in two ways may count as two.
inline constexpr std::int64_t kProblemsOfBugMax = 2;

/// Returns the scores as Markdown: totals, a row for each, then alarms, other findings and observations.
std::string scoreboard_text(const Scoreboard& board);

/// Returns the losses of a fresh run against the committed scores, one line each, with the name. A loss is a
/// bug that fewer runs find, that another property finds or that is shrunk to a much larger Case, an alarm of
/// a property that raised none, a lost verdict, or a name that is new. What was not run in either is skipped;
/// if `is_partial`, so are committed names that are missing.
std::vector<std::string> losses(const Scoreboard& committed, const Scoreboard& fresh, bool is_partial);

/// Returns true if everything wrong was found in all of its runs and everything right was left alone.
bool is_perfect(const Scoreboard& board);

}  // namespace fixpoint::score
