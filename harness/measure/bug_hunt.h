#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/problem.h"
#include "harness/document/result.h"
#include "harness/runner/run.h"

namespace fixpoint::measure {

/// A bug that is known, to measure the harness by: a planted defect, or a failure of a release that a later
/// one does not have.
struct Bug {
  std::string name;         ///< defects/timestamp; of a release's failure the name of its regression
  std::string subject;      ///< with its release: who has the bug
  std::string fixed;        ///< who has it no more
  std::string property;     ///< that is expected to find it, or the kind of observation that names it
  std::string fingerprint;  ///< of a release's failure, else empty: whatever the property finds is it
  bool is_sequence = false;
};

/// All planted defects, and the regressions of the corpus that a release after the last that shows them is
/// silent on; sorted by name.
document::Result<std::vector<Bug>> known_bugs(const std::string& corpus);

/// Makes the run that `fuzz NAME` makes; seed and bounds are set afterwards.
using RunOf = std::function<document::Result<runner::RunOptions>(const std::string& name)>;

/// A search for a bug, as `fuzz` would search.
struct Hunt {
  std::optional<cases::Finding> finding = {};               ///< of the expected property, shrunk
  std::optional<properties::Observation> observation = {};  ///< of the expected kind
  std::int64_t cases = 0;                                   ///< until it was found
  std::int64_t milliseconds = 0;                            ///< of this thread, until it was found
  std::vector<std::string> others = {};                     ///< properties that found something before
};
/// When it holds, a search or a run ends with what it has.
using IsOver = std::function<bool()>;

/// Ends with the finding or after `cases_max` Cases.
document::Result<Hunt> hunt(const Bug& bug, const RunOf& run_of, std::uint64_t seed, std::uint64_t cases_max,
                            const IsOver& is_over = {});

/// A run over the fixed variant, on which nothing may be found; of a release, not this failure.
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

}  // namespace fixpoint::measure
