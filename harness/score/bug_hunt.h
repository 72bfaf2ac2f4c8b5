#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/problem.h"
#include "harness/document/result.h"
#include "harness/runner/loop/run.h"

namespace fixpoint::score {

/// A known bug, by which the harness is measured: a planted defect, or a failure of a release that a later
/// release fixed.
struct Bug {
  std::string name;         ///< defects/timestamp; for a failure of a release, the name of its regression
  std::string subject;      ///< with the release that has the bug
  std::string fixed;        ///< the variant or release without the bug
  std::string property;     ///< the property expected to find it, or the kind of observation that names it
  std::string fingerprint;  ///< of a release's failure; empty for a defect, where any finding counts
  bool is_sequence = false;
};

/// Reads the known bugs, sorted by name: all planted defects, and those regressions of the corpus that the
/// release after the last one that shows them no longer shows.
document::Result<std::vector<Bug>> known_bugs(const std::string& corpus);

/// Makes the options of the run that `fuzz NAME` does; the seed and the bounds are set afterwards.
using RunOf = std::function<document::Result<runner::RunOptions>(const std::string& name)>;

/// The result of a search for a bug, made as `fuzz` searches.
struct Hunt {
  std::optional<cases::Finding> finding = {};               ///< of the expected property, shrunk
  std::optional<properties::Observation> observation = {};  ///< of the expected kind
  std::int64_t cases = 0;                                   ///< until it was found
  std::int64_t milliseconds = 0;                            ///< of this thread, until it was found
  std::vector<std::string> others = {};                     ///< properties that found something before
};
/// Returns true to end a search or a run with the results so far.
using IsOver = std::function<bool()>;

/// Searches for the bug until it is found or `cases_max` Cases were drawn.
document::Result<Hunt> hunt(const Bug& bug, const RunOf& run_of, std::uint64_t seed, std::uint64_t cases_max,
                            const IsOver& is_over = {});

/// A run over the fixed variant, on which nothing may be found; over a fixed release, not this failure.
struct Silence {
  std::uint64_t cases = 0, all_properties = 0;
  std::vector<cases::Finding> alarms = {};
  std::vector<properties::Observation> observations = {};  ///< of the kind that names the bug
};
document::Result<Silence> listen(const Bug& bug, const RunOf& run_of, std::uint64_t seed, std::uint64_t cases,
                                 const IsOver& is_over = {});

/// The problems that a run over the bug's subject groups its findings into.
struct Grouping {
  std::uint64_t cases = 0;
  std::vector<cases::Problem> problems = {};
};
document::Result<Grouping> group(const Bug& bug, const RunOf& run_of, std::uint64_t seed, std::uint64_t cases,
                                 const IsOver& is_over = {});

}  // namespace fixpoint::score
