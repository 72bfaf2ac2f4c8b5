#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/score/bug_hunt.h"
#include "harness/score/scoreboard.h"

namespace fixpoint::score {

/// The seeds of the run over the fixed variant and of the run whose problems are counted; the searches have
/// the seeds 1, 2, 3, …
inline constexpr std::uint64_t kSilenceSeed = 1000, kGroupingSeed = 1001;
inline constexpr std::uint64_t kTrialSeedsMax = kSilenceSeed - 1;

struct TrialOptions {
  std::uint64_t seeds = 20;          ///< searches for each bug
  std::uint64_t silence = 10'000;    ///< Cases drawn for each fixed variant; 0: none
  std::uint64_t grouping = 1500;     ///< Cases drawn for each planted defect to count its problems; 0: none
  std::uint64_t cases_max = 20'000;  ///< bound on the Cases of a search
  int jobs = 1;                      ///< threads; the outcome does not depend on it
  IsOver is_over = [] { return false; };
};

/// All searches for one bug, and the run over its fixed variant.
struct Trial {
  Bug bug;
  std::vector<Hunt> hunts = {};
  Silence silence = {};
  Grouping grouping = {};  ///< of a planted defect; else empty
};

/// Finds the known bugs of the corpus with these names, or all without names; an error for an unknown name.
document::Result<std::vector<Bug>> bugs_named(const std::vector<std::string>& names);

/// Tries every bug. If `is_over` ends it early, returns only the bugs for which all searches were completed.
std::vector<Trial> try_all(const std::vector<Bug>& bugs, const RunOf& run_of, const TrialOptions& options);

/// Returns the scores of all trials.
Scoreboard scoreboard_of(const std::vector<Trial>& trials, const TrialOptions& options);

}  // namespace fixpoint::score
