#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/draw.h"
#include "harness/document/result.h"
#include "harness/external/external_webhooks.h"
#include "harness/runner/run.h"

namespace fixpoint::generators {

/// The subjects of a run: webhooks in chains, and reconcilers each alone.
struct Subjects {
  DrawOptions chains = {};
  std::vector<std::string> reconcilers = {};
  std::vector<runner::Steering> steering = {};    ///< for each subject of the chains, as learned
  std::map<std::string, std::string> files = {};  ///< by configuration: the file that it was read from
  std::vector<std::string> notes = {};            ///< skipped documents of files, for standard error
  bool has_files = false;
  bool calls_out = false;    ///< to URLs or commands
  bool names_peers = false;  ///< a file lists the neighbours in the chain
  std::vector<std::string> names() const;
  std::vector<properties::Tested> tested() const;  ///< views of these
};

/// Finds the subjects with these names: rows of the catalog and files.
using FindSubjects = std::function<document::Result<Subjects>(const std::vector<std::string>& names,
                                                              const external::ExternalWebhooks& webhooks)>;

/// Returns true if a URL or a command answers for one of the subject's webhooks.
bool calls_out(const runner::Subject& subject);
/// Returns true if injectors of this program answer for all of its webhooks.
bool is_bundled(const runner::Subject& subject);

/// Draws a Case for a chain or a Sequence for a reconciler, each subject as often as any other.
runner::Draw draw_of(const Subjects& subjects, const external::Bundled& bundled);

/// Returns the options of a run over these subjects, with these webhooks behind them and the process's clock;
/// the caller sets seed, bounds and threads.
runner::RunOptions run_of(const Subjects& subjects, const external::ExternalWebhooks& webhooks);
/// The same with handlers of the caller's own.
runner::RunOptions run_of(const Subjects& subjects, const external::Bundled& bundled,
                          const webhooks::Resolve& resolve);

/// The time for learning in commands without a time of their own.
inline constexpr double kLearningSecondsMax = 15;
/// The share of its time that a run with a bound spends on learning.
inline constexpr double kShareOfLearning = 0.25;

/// Learns the vocabulary of subjects that come from files from the answers to their first 64 calls
/// (docs/judging.md#vocabulary). It takes at most that many seconds, 0 for no bound, and a call takes no
/// longer than that, or a second. An error if a webhook cannot be reached at all.
std::optional<document::Error> learn_from_calls(Subjects& subjects, const external::ExternalWebhooks& outside,
                                                std::uint64_t seed, double seconds_max);
/// The same with handlers of the caller's own, whose calls take the time that they take.
std::optional<document::Error> learn_from_calls(Subjects& subjects, const webhooks::Resolve& resolve,
                                                const Limits& limits, std::uint64_t seed, double seconds_max);

}  // namespace fixpoint::generators
