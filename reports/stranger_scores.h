#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"
#include "reports/spread.h"

namespace fixpoint::reports {

/// A finding or an observation that runs reported of a stranger.
struct Told {
  std::string severity = {};  ///< error, warning or observation
  std::string property = {};  ///< the observation's kind
  std::string webhook = {};   ///< the webhook to blame: <configuration>/<webhook>, or empty
  std::string because = {};   ///< the sentence of the first run that reported it
  std::int64_t runs = 0;      ///< the number of runs that reported it
  bool operator==(const Told&) const = default;
};

/// How one stranger did in its runs, one a seed.
struct StrangerScore {
  std::string name = {};
  bool is_right = false;
  std::string not_run = {};  ///< why there are no figures: "needs go"; empty when there are
  std::int64_t runs = 0;
  std::int64_t cases = 0, acted = 0;         ///< of all runs together
  std::int64_t no_verdict = 0;               ///< runs
  std::vector<std::string> complaints = {};  ///< the messages of those, each once

  std::int64_t found = 0;         ///< of a wrong one: runs that told what is wrong
  Spread milliseconds = {};       ///< from the run's begin until then
  Spread findings = {};           ///< of one run
  std::int64_t alarmed_runs = 0;  ///< of a right one: runs with a finding
  /// Findings, once each, of a right one all, of a wrong one those of properties that its `finds` lacks.
  std::vector<Told> unexpected = {};
  std::vector<Told> observations = {};
  bool operator==(const StrangerScore&) const = default;

  std::int64_t false_alarms() const;  ///< in all runs
};

/// The second part of the harness's own score: corpus/strangers/scoreboard.json, and as a table for people
/// corpus/strangers/scoreboard.md. Durations stand under the key milliseconds only.
struct StrangerBoard {
  std::string bound = {};                     ///< of one run: "8s", "300 Cases"
  std::int64_t seeds = 0;                     ///< runs of each stranger
  std::vector<StrangerScore> strangers = {};  ///< sorted by name
};

document::Value write_stranger_board(const StrangerBoard& board);
document::Result<StrangerBoard> read_stranger_board(const document::Value& document);

/// The scores as Markdown: totals, a row a stranger, then every finding that should not be, and observations.
std::string stranger_board_text(const StrangerBoard& board);

/// Returns the losses of a fresh run against the committed one, a line each that names the stranger: a wrong
/// one is found in fewer runs, a right one is blamed by a property that did not blame it before, one has no
/// verdict, one is new. Those that were not run in either are skipped; so are missing committed ones if
/// `is_partial`.
std::vector<std::string> losses(const StrangerBoard& committed, const StrangerBoard& fresh, bool is_partial);

}  // namespace fixpoint::reports
