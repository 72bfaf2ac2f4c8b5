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

#include "harness/properties/packs/pack.h"
#include "harness/runner/learning/choices.h"
#include "harness/runner/learning/steering.h"
#include "harness/runner/learning/subject.h"
#include "harness/runner/learning/trigger.h"
#include "harness/runner/loop/coverage.h"
#include "harness/runner/run_summary.h"
#include "harness/runner/sequences.h"
#include "harness/runner/shrink_finding.h"

namespace fixpoint::runner {

/// A drawn value: a Case for webhooks, or a Sequence for a reconciler. Both count as Cases.
using Drawn = std::variant<cases::Case, cases::Sequence>;
/// Draws one of them: the whole interface of a generator. `steering` leads each subject, by its number, to
/// act; without it every subject is drawn freely.
using Draw = std::function<Drawn(Choices&, std::span<const Steering> steering)>;

/// The state of a run between two of its rounds, from which another process continues as if the run had never
/// stopped.
struct RunState {
  RunSummary summary = {};          ///< `cases` is the number of the next Case
  std::set<std::string> seen = {};  ///< all fingerprints of the run, reported or not
  CoverageMap known = {};           ///< the coverage map of the next round
  CoverageMap recent = {};          ///< the behaviour of the last round, added for the round after the next
  std::vector<Steering> steering = {};          ///< of each subject, for the next round
  std::vector<RoundCounts> recent_counts = {};  ///< of the last round
};

/// How long a run goes on, and how much it asks of each Case.
struct RunEffort {
  std::optional<std::uint64_t> cases_max = {};  ///< stop after so many Cases
  /// The end of the run, 0 for none; a webhook call that has begun may take longer. Drawing stops when the
  /// remaining time is needed for findings that were not shrunk yet, at most a third of all.
  double seconds_max = 60;
  /// The time behind that end in which the findings that wait are reproduced and their causes are looked for,
  /// without shrinking; a finding that has no cause then keeps the severity and the words of its property.
  double naming_seconds_max = 0.25;
  /// The bound for the reductions of one finding, 0 for none but the run's end: a user who waits for the
  /// first finding is better served by a larger Case.
  double shrink_seconds_max = 0;
  int jobs = 1;
  std::size_t candidates_together = 1;  ///< of a finding that is shrunk (Together::width), at most `jobs`
  /// On one of so many Cases all properties are checked, on the others the cheap ones.
  std::uint64_t sample_every = 16;
  std::uint64_t look_every = 16;  ///< Cases of a thread between two looks at the clock
  std::uint64_t vacuity_cases_min = 1000;
  std::uint64_t acted_min = 5;  ///< in how many of a hundred Cases a subject must act, for a verdict
  /// Fewer properties are checked on Cases of slow webhooks (Pace), so that the run depends on the clock,
  /// too.
  bool adapts_to_pace = false;
  bool asks_news = true;  ///< all properties are also checked on Cases with new behaviour
  Limits limits = {};
};

/// Whom a run judges, and what answers for them.
struct RunSubjects {
  std::vector<std::string> names = {};  ///< as given by the user; for the events and for who acted
  /// The configurations whose findings count; findings in which none of them has a part are notes. Empty: all
  /// count. Each has the index of its subject in `names`; reconcilers' names follow.
  std::vector<std::string> configurations = {};
  /// The triggers of each subject, at its index in `names`; none: it is not steered.
  std::vector<std::vector<Trigger>> triggers = {};
  std::vector<document::Value> example_pods = {};  ///< of the users of the subjects
  /// The objects of the cluster on which a server would act, and this run does not (RunSummary).
  std::vector<std::string> not_simulated = {};
  properties::Catalog catalog = {};  ///< the properties that can apply to the subjects
  webhooks::Resolve resolve = {};
  reconcile::ResolveReconciler resolve_reconciler = {};
};

/// How Cases are made and made smaller. Case i follows from the seed, i, and the steering.
struct RunDrawing {
  std::uint64_t seed = 0;
  std::vector<Steering> steering = {};               ///< the knowledge before the first Case
  bool draws_cases = true, draws_sequences = false;  ///< select the properties and gates of the run
  Draw draw = {};
  /// Returns the same draw over documents of its own, for another thread: counting references to shared ones
  /// would cause traffic between cores. Without it all threads use `draw`.
  std::function<Draw()> draw_anew = {};
  Reduce reduce = {};
  ReduceSequence reduce_sequence = {};
};

/// The functions by which a run reaches what is around it.
struct RunHooks {
  std::function<double()> clock = {};  ///< seconds, from any start
  std::function<bool()> interrupted = {};
  /// Returns true for a finding that ends the run.
  std::function<bool(const cases::Finding&)> is_enough = {};
  /// Returns true for an observation that ends the run.
  std::function<bool(const properties::Observation&)> is_enough_to_see = {};
};

/// The options of a fuzz run. Everything from upper floors is passed as a value:
///
///     RunOptions options{.effort = {.cases_max = 600, .seconds_max = 0},
///                        .subjects = {.names = {"kserve/agent"}, .resolve = injectors::resolve},
///                        .drawing = {.seed = 7, .draw = draw, .reduce = generators::reduce},
///                        .hooks = {.clock = now}};
///     Listener nobody;
///     for (const cases::Finding& finding : run(options, nobody).findings) …
struct RunOptions {
  RunEffort effort = {};
  RunSubjects subjects = {};
  RunDrawing drawing = {};
  RunHooks hooks = {};
  RunState from = {};  ///< the state from which the run continues
};

/// Events of a run, in an order that depends on the seed alone. Only durations differ between two runs.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void found(const cases::Finding&) {}
  virtual void noted(const cases::Finding&) {}
  virtual void progress(const RunSummary&, double /*seconds*/) {}
  /// Called after a round that was examined to its end.
  virtual void round_ended(const RunState&) {}
};

/// Draws Cases until a bound is reached, examines them on `jobs` threads in rounds of 1,024, and shrinks the
/// findings on one thread beside the next round.
RunSummary run(const RunOptions& options, Listener& listener);

inline constexpr std::uint64_t kFirstRoundCases = 8, kRoundCases = 1024;

}  // namespace fixpoint::runner
