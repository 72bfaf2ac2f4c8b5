#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "harness/properties/pack.h"
#include "harness/runner/behaviour.h"
#include "harness/runner/choices.h"
#include "harness/runner/run_summary.h"
#include "harness/runner/sequences.h"
#include "harness/runner/shrink_finding.h"
#include "harness/runner/steering.h"
#include "harness/runner/subject.h"
#include "harness/runner/trigger.h"

namespace fixpoint::runner {

/// What a run draws: a Case for webhooks, or a Sequence for a reconciler. Both count as Cases.
using Drawn = std::variant<cases::Case, cases::Sequence>;
/// Draws one of them: the only thing a generator has to be. `steering` leads each subject, by its number, to
/// act; without it every subject is drawn freely.
using Draw = std::function<Drawn(Choices&, std::span<const Steering> steering)>;

/// A run between two of its rounds: another process goes on with it as if it had not been cut off.
struct RunState {
  RunSummary summary = {};          ///< `cases` is the number of the next Case
  std::set<std::string> seen = {};  ///< fingerprints that were met, whatever became of them
  KnownBehaviour known = {};        ///< what the next round knows of
  KnownBehaviour recent = {};       ///< what the last round did, of which the one after the next knows, too
  std::vector<Steering> steering = {};          ///< of each subject, as the next round knows it
  std::vector<RoundCounts> recent_counts = {};  ///< of the last round
};

/// A fuzz run. Everything that upper floors bring comes in as a value.
struct RunOptions {
  std::uint64_t seed = 0;
  std::optional<std::uint64_t> cases_max = {};  ///< stop after so many Cases
  /// The end of the run, 0 for none; a webhook call that has begun takes its time. Drawing stops when the
  /// rest is what findings need that were not shrunk yet, at most a third of all.
  double seconds_max = 60;
  /// Of one pass of reductions, 0 for no bound but the run's end: who waits for the first finding is better
  /// served by a larger Case.
  double shrink_seconds_max = 0;
  int jobs = 1;
  std::uint64_t sample_every =
      16;  ///< every so many Cases all properties are asked, of the others the cheap ones
  std::uint64_t look_every = 16;  ///< Cases of a thread between two looks at the clock
  std::uint64_t gate_cases_min = 1000;
  std::uint64_t acted_min = 5;  ///< in how many of a hundred Cases a subject must act, for a verdict
  Limits limits = {};
  std::vector<std::string> subject_names = {};  ///< as asked for; for the events and for who acted
  /// The configurations whose findings count; findings in which none of them has a part are notes. Empty: all
  /// count. Each stands at its subject's place in `subject_names`; reconcilers' names follow.
  std::vector<std::string> judged_configurations = {};
  /// What may make each subject act, at its place in `subject_names`; none: it is not steered.
  std::vector<std::vector<Trigger>> triggers = {};
  std::vector<Steering> steering = {};               ///< what is known of some of them before the first Case
  bool draws_cases = true, draws_sequences = false;  ///< which properties and gates are those of the run
  properties::Catalog catalog = {};                  ///< what is asked: what can apply to the subjects
  Draw draw = {};
  /// The same drawing over documents of its own, for another thread: counting the references of shared ones
  /// would be traffic between cores. Without it all threads use `draw`.
  std::function<Draw()> draw_anew = {};
  /// Cases of slow webhooks ask less (Pace): what a run asks then depends on the clock, too.
  bool adapts_to_pace = false;
  bool asks_news = true;  ///< everything is asked of a Case that does something new, too
  Reduce reduce = {};
  ReduceSequence reduce_sequence = {};
  webhooks::Resolve resolve = {};
  reconcile::ResolveReconciler resolve_reconciler = {};
  std::function<double()> clock = {};  ///< seconds, from any start
  std::function<bool()> interrupted = {};
  /// Whether a finding is what was looked for: the run ends with it.
  std::function<bool(const cases::Finding&)> is_enough = {};
  /// The same of an observation.
  std::function<bool(const properties::Observation&)> is_enough_to_see = {};
  RunState from = {};  ///< where a run that was cut off goes on
};

/// Events of a run, in an order that depends on the seed alone. Only durations differ between two runs.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void found(const cases::Finding&) {}
  virtual void noted(const cases::Finding&) {}
  virtual void progress(const RunSummary&, double /*seconds*/) {}
  /// After a round that was examined to its end.
  virtual void round_ended(const RunState&) {}
};

/// Draws Cases until a bound is reached, examines them on `jobs` threads in rounds of 1,024, and shrinks what
/// fails, on one thread beside the next round.
RunSummary run(const RunOptions& options, Listener& listener);

inline constexpr std::uint64_t kFirstRoundCases = 8, kRoundCases = 1024;

}  // namespace fixpoint::runner
