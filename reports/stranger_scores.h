#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"
#include "reports/spread.h"

namespace fixpoint::reports {

/// A finding or an observation about a stranger that runs reported.
struct ReportedItem {
  std::string severity = {};  ///< error, warning or observation
  std::string property = {};  ///< the observation's kind
  std::string webhook = {};   ///< the webhook to blame: <configuration>/<webhook>, or empty
  std::string because = {};   ///< the sentence of the first run that reported it
  std::int64_t runs = 0;      ///< the number of runs that reported it
  bool operator==(const ReportedItem&) const = default;
};

/// The results of one stranger in its runs, one run for each seed.
struct StrangerScore {
  std::string name = {};
  bool is_right = false;
  std::string not_run = {};  ///< why there are no figures, such as "needs go"; else empty
  std::int64_t runs = 0;
  std::int64_t cases = 0, acted = 0;         ///< sums over all runs
  std::int64_t no_verdict = 0;               ///< the number of runs without a verdict
  std::vector<std::string> complaints = {};  ///< the distinct messages of those runs

  std::int64_t found = 0;         ///< of a wrong stranger: the runs that found its defect
  Spread milliseconds = {};       ///< from the beginning of a run until it found the defect
  Spread findings = {};           ///< findings in one run
  Spread problems = {};           ///< problems in one run, each of one or more of these findings
  std::int64_t alarmed_runs = 0;  ///< of a right stranger: the runs with a finding
  /// Distinct findings: all of a right stranger; of a wrong one, those of properties that its `finds` lacks.
  std::vector<ReportedItem> unexpected = {};
  std::vector<ReportedItem> observations = {};
  bool operator==(const StrangerScore&) const = default;

  std::int64_t false_alarms() const;  ///< sum over all runs
};

/// The second part of the harness's own score: corpus/strangers/scoreboard.json, and as a table for readers
/// corpus/strangers/scoreboard.md. Durations appear only under the key milliseconds.
struct StrangerBoard {
  std::string bound = {};                     ///< the limit of one run: "8s", "300 Cases"
  std::int64_t seeds = 0;                     ///< the number of runs of each stranger
  std::vector<StrangerScore> strangers = {};  ///< sorted by name
};

document::Value write_stranger_board(const StrangerBoard& board);
document::Result<StrangerBoard> read_stranger_board(const document::Value& document);

/// Returns the scores as Markdown: totals, a row for each stranger, then every unexpected finding, and the
/// observations.
std::string stranger_board_text(const StrangerBoard& board);

/// Returns the losses of a fresh run against the committed scores, one line each with the name of the
/// stranger. A loss is a wrong stranger that fewer runs find, a right one that a property newly blames, a
/// stranger without a verdict, or a new stranger. Strangers that were not run in either are skipped; if
/// `is_partial`, so are committed ones that are missing.
std::vector<std::string> losses(const StrangerBoard& committed, const StrangerBoard& fresh, bool is_partial);

}  // namespace fixpoint::reports
