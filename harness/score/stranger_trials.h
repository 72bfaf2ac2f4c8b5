#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "corpus/strangers.h"
#include "generators/subjects.h"
#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/score/scoreboard.h"

namespace fixpoint::score {

/// Finds subjects with the Pods of these files as examples, as `fuzz --example` does.
using FindWithExamples = std::function<document::Result<generators::FindSubjects>(
    const std::vector<std::string>& examples, const Limits& limits)>;

struct StrangerTrials {
  std::uint64_t seeds = 2;                  ///< runs of each stranger, with the seeds 1, 2, 3, …
  double seconds_max = 8;                   ///< the time limit of one run; 0: no bound
  std::optional<std::uint64_t> cases = {};  ///< the number of Cases of one run
  int jobs = 1;                             ///< the number of concurrent runs, each on one thread
  bool has_examples = true;                 ///< false: the example of a stranger's row is left out
  external::Bundled bundled = {};
  FindWithExamples find = {};
  std::function<bool()> is_over = [] { return false; };
};

/// Returns the strangers of these names in a folder, or all of them if there are no names; an error if a name
/// is unknown.
document::Result<std::vector<corpus::Stranger>> strangers_named(const std::string& folder,
                                                                const std::vector<std::string>& names);

/// Fuzzes every stranger as `fuzz CONFIGURATION --webhook NAME=exec:… --example FILE` does; Go programs are
/// built first. A stranger whose tool is not installed is not run, and its score says so. If the trials are
/// interrupted, only strangers whose runs have all ended get a score. Returns an error if a Go program does
/// not build, or if `fuzz` rejects its input.
document::Result<std::vector<Score>> try_strangers(const std::vector<corpus::Stranger>& strangers,
                                                   const StrangerTrials& trials);

}  // namespace fixpoint::score
