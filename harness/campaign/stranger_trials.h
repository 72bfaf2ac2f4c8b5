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
#include "harness/external/external_webhooks.h"
#include "reports/stranger_scores.h"

namespace fixpoint::campaign {

/// Finds subjects with the Pods of these files to begin with, as `fuzz --example` does.
using FindWithExamples = std::function<document::Result<generators::FindSubjects>(
    const std::vector<std::string>& examples, const Limits& limits)>;

struct StrangerTrials {
  std::uint64_t seeds = 2;                  ///< runs of each stranger, with the seeds 1, 2, 3, …
  double seconds_max = 8;                   ///< of one run; 0: no bound
  std::optional<std::uint64_t> cases = {};  ///< of one run
  int jobs = 1;                             ///< runs at a time, each on one thread
  external::Bundled bundled = {};
  FindWithExamples find = {};
  std::function<bool()> is_over = [] { return false; };
};

/// The strangers of a folder with these names, without any all; an error for a name that none has.
document::Result<std::vector<corpus::Stranger>> strangers_named(const std::string& folder,
                                                                const std::vector<std::string>& names);

/// Fuzzes every stranger as `fuzz CONFIGURATION --webhook NAME=exec:… --example FILE` does; Go programs are
/// built first. One whose tool is not on this machine is not run, and its score says so. When that is over
/// early, the scores are those of the strangers whose runs have all come to their end. An error for a Go
/// program that does not build and for what `fuzz` takes for bad input.
document::Result<std::vector<reports::StrangerScore>> try_strangers(
    const std::vector<corpus::Stranger>& strangers, const StrangerTrials& trials);

}  // namespace fixpoint::campaign
