#include "harness/runner/loop/run.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

#include "harness/document/cut.h"
#include "harness/runner/loop/coverage.h"
#include "harness/runner/loop/pace.h"
#include "harness/runner/loop/round.h"
#include "harness/runner/loop/run_findings.h"
#include "harness/runner/loop/run_log.h"
#include "harness/runner/loop/run_time.h"
#include "harness/runner/loop/task_thread.h"
#include "harness/runner/loop/waiting_findings.h"

namespace fixpoint::runner {

namespace {

using cases::Case;
using properties::Property;

/// A condition that was always true in fewer Cases says little.
constexpr std::uint64_t kConstantCasesMin = 64;

/// The knowledge from earlier rounds.
struct Lessons {
  explicit Lessons(const RunOptions& options)
      : known(options.from.known),
        recent(options.from.recent),
        steering(options.from.steering),
        recent_counts(options.from.recent_counts) {
    const std::vector<Steering>& first = options.drawing.steering;
    for (std::size_t i = steering.size(); i < options.subjects.triggers.size(); ++i)
      steering.push_back(i < first.size() ? first[i] : Steering());
    recent_counts.resize(steering.size());
  }

  void take(const CaseResult& slot) {
    recent.add(slot.features);
    for (const SubjectInCase& subject : slot.subjects) {
      if (subject.number < recent_counts.size())
        recent_counts[subject.number].take(subject.options, subject.changed);
    }
  }
  void end_round() {
    const std::lock_guard lock(mutex);
    known.add(recent.all());
    recent = {};
    for (std::size_t i = 0; i < steering.size(); ++i) {
      if (recent_counts[i].cases < Steering::kCasesToJudge) continue;  // a short round: with the next one
      steering[i].learn(recent_counts[i]);
      recent_counts[i] = {};
    }
  }

  /// Returns the steering of now; another thread may ask.
  std::vector<Steering> present_steering() const {
    const std::lock_guard lock(mutex);
    return steering;
  }

  mutable std::mutex mutex = {};
  CoverageMap known;                       ///< read by all threads while a round is examined
  CoverageMap recent;                      ///< the behaviour in the round that is being processed
  std::vector<Steering> steering;          ///< of each subject, without the counts of the last round
  std::vector<RoundCounts> recent_counts;  ///< of the round that is being processed
};

/// Draws the Cases before that one again.
std::vector<Case> cases_before(std::uint64_t number, const RunDrawing& drawing,
                               const std::vector<Steering>& steering) {
  constexpr std::uint64_t kHistoryCases = 16;  // that are tried as the history of a Case
  std::vector<Case> all;
  for (std::uint64_t i = number - std::min(number, kHistoryCases); i < number; ++i) {
    Choices choices(drawing.seed, i);
    Drawn drawn = drawing.draw(choices, steering);
    if (auto* value = std::get_if<Case>(&drawn)) all.push_back(std::move(*value));
  }
  return all;
}

void add_subject(Acted& counts, const SubjectInCase& subject) {
  ++(subject.acted ? counts.acted : counts.no_effect);
  counts.refused += subject.acted && !subject.changed ? 1 : 0;
  if (!subject.denial.empty()) counts.take_denial(subject.denial);
}

class Runner {
 public:
  Runner(const RunOptions& options, Listener& listener)
      : options_(options),
        listener_(listener),
        log_(options, listener),
        lessons_(options),
        waiting_(options.from.seen),
        time_(options, waiting_),
        pace_(options.effort.adapts_to_pace),
        findings_(options, time_, waiting_, log_, [this](std::uint64_t number) {
          return cases_before(number, options_.drawing, lessons_.present_steering());
        }) {
    const RunDrawing& drawing = options.drawing;
    order_ = least_decided_first(options.subjects.catalog.of_cases(), summary());
    draws_.assign(static_cast<std::size_t>(std::max(1, options.effort.jobs)), drawing.draw);
    for (std::size_t job = 1; job < draws_.size() && drawing.draw_anew; ++job)
      draws_[job] = drawing.draw_anew();
  }

  /// While this thread takes a round, and names its findings, the others already examine the next one.
  /// Therefore a round uses the results of all rounds but the last, however many threads there are.
  RunSummary run() {
    const document::Bounded bounded([this] { return time_.naming_is_over(); });
    auto round = stop().empty() ? next_round(summary().cases) : nullptr;
    if (round != nullptr) examine_beside(*round, [] {});
    std::shared_ptr<const Round> last;
    while (round != nullptr) {
      last = round;
      auto next = stop().empty() ? next_round(round->end()) : nullptr;
      if (next != nullptr) {
        examine_beside(*next, [&] { take(round); });
      } else {
        take(round);
      }
      round = log_.has_enough() ? nullptr : std::move(next);
    }
    naming_.wait();
    if (last != nullptr) tell_state(*last);
    summary().why = stop();
    summary().forget_rare_constants(kConstantCasesMin);
    summary().seconds = time_.elapsed();
    summary().pace = pace_.text(draws_.size());
    summary().vacuity_checks =
        vacuity_checks_of(summary(), options_.drawing.draws_cases, options_.effort.vacuity_cases_min);
    return std::move(summary());
  }

 private:
  RunSummary& summary() { return log_.summary(); }
  const RunSummary& summary() const { return log_.summary(); }

  /// Once in a round, if it was examined to its end and no finding waits.
  void tell_state(const Round& round) {
    if (!round.is_whole || summary().cases != round.end() || !naming_.is_idle()) return;
    if (std::exchange(state_cases_, round.end()) == round.end()) return;
    RunState state{.summary = summary(),
                   .seen = log_.seen(),
                   .known = lessons_.known,
                   .recent = lessons_.recent,
                   .steering = lessons_.steering,
                   .recent_counts = lessons_.recent_counts};
    state.summary.seconds = state_at_ = time_.elapsed();
    listener_.round_ended(state);
  }

  std::string stop() const {
    if (log_.has_enough()) return "found";
    if (options_.effort.cases_max && summary().cases >= *options_.effort.cases_max) return "cases";
    if (time_.is_interrupted()) return "interrupted";
    return time_.drawing_is_over() ? "time" : "";
  }

  /// Returns the next round, or nothing if there is none. Short rounds come first, so that the first finding
  /// does not wait for a thousand Cases; the findings depend on the order of the Cases alone.
  std::shared_ptr<Round> next_round(std::uint64_t begin) const {
    const std::uint64_t usual = std::min(begin + kFirstRoundCases, kRoundCases);  // doubles from the first
    const std::uint64_t whole = pace_.cases_of_a_round(usual, draws_.size());
    const std::uint64_t count =
        options_.effort.cases_max ? std::min(whole, *options_.effort.cases_max - begin) : whole;
    return count == 0 ? nullptr : std::make_shared<Round>(begin, count, count == whole);
  }

  void work(Round& round, const Draw& draw) const {
    const document::Bounded bounded([this] { return time_.is_cut(); });
    const std::uint64_t count = round.slots.size();
    for (std::uint64_t i = round.next.fetch_add(1); i < count; i = round.next.fetch_add(1)) {
      if (log_.has_enough() ||
          (i % options_.effort.look_every == 0 && (time_.drawing_is_over() || time_.is_interrupted())))
        return;
      try {
        round.slots[i] =
            examine(options_, {lessons_.known, lessons_.steering, order_, pace_}, draw, round.begin + i);
      } catch (const document::Cut& cut) {
        if (!cut.is_limit()) return;
        round.slots[i] = {.done = true, .totals = {.cases = 1, .broken = 1}};
      }
      if (options_.effort.seconds_max <= 0) continue;
      for (const CaseViolation& violated : round.slots[i].violations) waiting_.meet(violated.fingerprint);
    }
  }

  /// Examines a round: the other threads from now on, this one after its first task, unless a thread beside
  /// it names findings.
  template <class First>
  void examine_beside(Round& round, const First& first) {
    std::vector<std::thread> helpers;
    for (std::size_t job = 1; job < draws_.size(); ++job)
      helpers.emplace_back([this, &round, job] { work(round, draws_[job]); });
    first();
    if (naming_.is_idle()) work(round, draws_.front());
    for (std::thread& helper : helpers) helper.join();
    lessons_.end_round();
    order_ = least_decided_first(options_.subjects.catalog.of_cases(), summary());
  }

  /// Counts a round and names its findings; of a slow webhook on a thread beside the next rounds, since to
  /// shrink one finding may take as long as many of them. While findings wait the run has no state to
  /// continue from.
  void take(const std::shared_ptr<const Round>& round) {
    constexpr double kSecondsWithoutAState = 60;
    const bool is_beside = pace_.is_slow() && draws_.size() > 1 && !options_.drawing.draws_sequences &&
                           time_.elapsed() - state_at_ < kSecondsWithoutAState;
    if (!is_beside) naming_.wait();
    const Naming naming;
    const std::span<const CaseResult> slots(round->slots);
    try {
      for (std::size_t i = 0; i < slots.size() && !log_.has_enough(); ++i) {
        if (!slots[i].done) continue;
        count(slots[i]);
        if (is_beside) {
          name_beside(round, i);
        } else {
          log_.met_after(round->begin + i + 1);
          findings_.take(slots[i], round->behind(i), round->begin + i);
        }
      }
      if (!is_beside && !log_.has_enough() && !pace_.is_slow()) {
        log_.met_after(summary().cases);
        findings_.probe_history(slots);
      }
    } catch (const document::Cut&) {  // the run is over, and what it has found is reported
    }
    const auto lock = log_.lock();
    listener_.progress(summary(), time_.elapsed());
    tell_state(*round);
  }

  void count(const CaseResult& slot) {
    for (const properties::Observation& seen : slot.observations) log_.observed(seen);
    const auto lock = log_.lock();
    summary().count(slot.totals);
    for (const SubjectInCase& subject : slot.subjects)
      add_subject(summary().acted[options_.subjects.names[subject.number]], subject);
    add_counts(summary().drawn, slot.counts);
    lessons_.take(slot);
    summary().take(slot.kind, slot.acted, slot.decisions);
  }

  void name_beside(const std::shared_ptr<const Round>& round, std::size_t slot) {
    for (std::size_t left = waiting_.add(round, slot); left > 0; --left) {
      naming_.add([this] {
        const document::Bounded bounded([this] { return time_.naming_is_over(); });
        const Naming naming;
        const auto next = waiting_.next();
        if (!next) return;
        const CaseResult& result = next->round->slots[next->slot];
        const std::uint64_t number = next->round->begin + next->slot;
        log_.met_after(number + 1);
        findings_.take(result, result.violations[next->violation], next->round->behind(next->slot), number);
      });
    }
  }

  const RunOptions& options_;
  Listener& listener_;
  RunLog log_;
  std::vector<Draw> draws_ = {};  ///< one of each thread
  Lessons lessons_;
  mutable WaitingFindings waiting_;
  const RunTime time_;
  mutable Pace pace_;
  std::uint64_t state_cases_ = 0;  ///< of the last state
  double state_at_ = 0;            ///< in seconds of the run
  PropertyOrders order_ = {};      ///< those that were decided least first
  RunFindings findings_;
  TaskThread naming_ = {};  ///< idle while the webhooks are fast; last, since it uses the others
};

}  // namespace

RunSummary run(const RunOptions& options, Listener& listener) { return Runner(options, listener).run(); }

}  // namespace fixpoint::runner
