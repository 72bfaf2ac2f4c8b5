#include "harness/runner/loop/run.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include "harness/document/cut.h"
#include "harness/runner/diagnosis/describe_finding.h"
#include "harness/runner/loop/case_result.h"
#include "harness/runner/loop/coverage.h"
#include "harness/runner/loop/history_search.h"
#include "harness/runner/loop/pace.h"
#include "harness/runner/loop/waiting_findings.h"

namespace fixpoint::runner {

namespace {

namespace sequences = properties::sequences;
using cases::Case;
using cases::Finding;
using document::Value;
using properties::Property;
using properties::Violated;
using properties::Violation;

/// Cases of consecutive numbers, which any thread may examine.
struct Round {
  Round(std::uint64_t first, std::uint64_t count, bool whole) : begin(first), is_whole(whole), slots(count) {}
  std::uint64_t end() const { return begin + slots.size(); }

  const std::uint64_t begin;
  const bool is_whole;  ///< it ends at the same number without cases_max
  std::vector<CaseResult> slots;
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> is_over{false};  ///< its other Cases are not needed
};

/// A condition that was always true in fewer Cases says little.
constexpr std::uint64_t kConstantCasesMin = 64;

class Runner {
 public:
  Runner(const RunOptions& options, Listener& listener)
      : options_(options),
        listener_(listener),
        summary_(options.from.summary),
        known_(options.from.known),
        recent_(options.from.recent),
        steering_(options.from.steering),
        recent_counts_(options.from.recent_counts),
        seen_(options.from.seen),
        waiting_(options.from.seen),
        pace_(options.adapts_to_pace) {
    order_ = least_decided_first(options_.catalog.of_cases(), summary_);
    summary_.acted_min = options_.acted_min;
    summary_.not_simulated = options_.not_simulated;
    start_ = options_.clock() - summary_.seconds;
    draws_.assign(static_cast<std::size_t>(std::max(1, options_.jobs)), options_.draw);
    for (std::size_t job = 1; job < draws_.size() && options_.draw_anew; ++job)
      draws_[job] = options_.draw_anew();
    if (options_.draws_cases) {
      for (const Property* property : options_.catalog.of_cases())
        summary_.properties[std::string(property->name)];
    }
    if (options_.draws_sequences) {
      for (const auto* property : options_.catalog.of_sequences())
        summary_.properties[std::string(property->name)];
    }
    for (const std::string& subject : options_.subject_names) summary_.acted[subject];
    for (std::size_t i = steering_.size(); i < options_.triggers.size(); ++i)
      steering_.push_back(i < options_.steering.size() ? options_.steering[i] : Steering());
    recent_counts_.resize(steering_.size());
    for (const Finding& earlier : summary_.findings) {
      if (!earlier.sequence) keep(earlier.value);
    }
  }

  /// While this thread shrinks the findings of a round, the others already examine the next one. Therefore a
  /// round uses the results of all rounds but the last, however many threads there are.
  RunSummary run() {
    const document::Bounded bounded([this] { return is_cut(); });
    auto round = stop().empty() ? next_round(summary_.cases) : nullptr;
    if (round != nullptr) examine_beside(*round, [] {});
    while (round != nullptr) {
      auto next = stop().empty() ? next_round(round->end()) : nullptr;
      if (next != nullptr) {
        examine_beside(*next, [&] { take(*round); });
      } else {
        take(*round);
      }
      round = has_enough_ ? nullptr : std::move(next);
    }
    summary_.why = stop();
    summary_.forget_rare_constants(kConstantCasesMin);
    summary_.seconds = elapsed();
    summary_.pace = pace_.text();
    summary_.vacuity_checks = vacuity_checks_of(summary_, options_.draws_cases, options_.vacuity_cases_min);
    return std::move(summary_);
  }

 private:
  void tell_state() {
    RunState state{.summary = summary_,
                   .seen = seen_,
                   .known = known_,
                   .recent = recent_,
                   .steering = steering_,
                   .recent_counts = recent_counts_};
    state.summary.seconds = elapsed();
    listener_.round_ended(state);
  }
  double elapsed() const { return options_.clock() - start_; }
  bool out_of_time() const { return options_.seconds_max > 0 && elapsed() >= options_.seconds_max; }
  bool interrupted() const { return options_.interrupted && options_.interrupted(); }
  /// Returns true once what has begun is cut off, too: a moment after the end of the run.
  bool is_cut() const {
    if (!out_of_time() && !interrupted()) return false;
    const double now = elapsed();
    double since = kNotYet;
    over_since_.compare_exchange_strong(since, now);
    return since != kNotYet && now - since >= kGraceSeconds;
  }

  /// Returns true if drawing has ended, and from then on always.
  bool drawing_is_over() const {
    if (options_.seconds_max <= 0) return false;
    if (drawing_is_over_) return true;
    const double left = options_.seconds_max - elapsed();
    const bool is_over = left <= options_.seconds_max * kShareOfTheEnd && left <= waiting_.seconds_needed();
    if (is_over || left <= 0) drawing_is_over_ = true;
    return drawing_is_over_;
  }

  /// Returns `options_.reduce` within the time of a pass and of the run. `is_cut` becomes true if the clock
  /// ended it.
  Reduce bounded_reduce(bool& is_cut) const {
    if (!options_.reduce) return {};
    return [this, &is_cut](Case value, const std::function<bool(const Case&)>& take) {
      const double begin = elapsed(), bound = options_.shrink_seconds_max;
      const Case original = value;
      options_.reduce(std::move(value), [&](const Case& candidate) {
        if (!keeps_subjects(options_, original, candidate)) return false;
        const bool is_late = bound > 0 && elapsed() - begin >= bound;
        if (!is_late && !out_of_time() && !interrupted()) return take(candidate);
        is_cut = true;
        return false;
      });
    };
  }

  std::string stop() const {
    if (has_enough_) return "found";
    if (options_.cases_max && summary_.cases >= *options_.cases_max) return "cases";
    if (interrupted()) return "interrupted";
    return drawing_is_over() ? "time" : "";
  }

  /// Returns the next round, or nothing if there is none. Short rounds come first, so that the first finding
  /// does not wait for a thousand Cases; the findings depend on the order of the Cases alone.
  std::unique_ptr<Round> next_round(std::uint64_t begin) const {
    const std::uint64_t usual = std::min(begin + kFirstRoundCases, kRoundCases);  // doubles from the first
    const std::uint64_t whole = pace_.cases_of_a_round(usual, draws_.size());
    const std::uint64_t count = options_.cases_max ? std::min(whole, *options_.cases_max - begin) : whole;
    return count == 0 ? nullptr : std::make_unique<Round>(begin, count, count == whole);
  }

  void work(Round& round, const Draw& draw) const {
    const document::Bounded bounded([this] { return is_cut(); });
    const std::uint64_t count = round.slots.size();
    for (std::uint64_t i = round.next.fetch_add(1); i < count; i = round.next.fetch_add(1)) {
      if (round.is_over || (i % options_.look_every == 0 && (drawing_is_over() || interrupted()))) return;
      try {
        round.slots[i] = examine(options_, {known_, steering_, order_, pace_}, draw, round.begin + i);
      } catch (const document::Cut& cut) {
        if (!cut.is_limit()) return;
        round.slots[i] = {.done = true, .broken = true};
      }
      if (options_.seconds_max > 0) count_waiting(round.slots[i]);
    }
  }

  void count_waiting(const CaseResult& slot) const {
    for (const CaseViolation& violated : slot.violations) waiting_.meet(violated.fingerprint);
  }

  /// Examines a round: the other threads from now on, this one after its first task.
  template <class First>
  void examine_beside(Round& round, const First& first) {
    std::vector<std::thread> helpers;
    for (std::size_t job = 1; job < draws_.size(); ++job)
      helpers.emplace_back([this, &round, job] { work(round, draws_[job]); });
    first();
    if (has_enough_) round.is_over = true;
    work(round, draws_.front());
    for (std::thread& helper : helpers) helper.join();
    known_.add(recent_.all());
    recent_ = {};
    for (std::size_t i = 0; i < steering_.size(); ++i) {
      if (recent_counts_[i].cases < Steering::kCasesToJudge) continue;  // a short round: with the next one
      steering_[i].learn(recent_counts_[i]);
      recent_counts_[i] = {};
    }
    order_ = least_decided_first(options_.catalog.of_cases(), summary_);
  }

  void take(const Round& round) {
    const std::span<const CaseResult> slots(round.slots);
    try {
      for (std::size_t i = 0; i < slots.size() && !has_enough_; ++i) {
        if (slots[i].done) take(slots[i], slots.subspan(i + 1), round.begin + i);
      }
      probe_history(slots);
    } catch (const document::Cut&) {  // the run is over, and what it has found is told
    }
    listener_.progress(summary_, elapsed());
    if (round.is_whole && summary_.cases == round.end()) tell_state();
  }

  void take(const CaseResult& slot, std::span<const CaseResult> later, std::uint64_t number) {
    ++summary_.cases;
    summary_.broken += slot.broken ? 1 : 0;
    summary_.all_properties += slot.fully ? 1 : 0;
    summary_.reinvoked += slot.reinvoked ? 1 : 0;
    summary_.rejected += slot.rejected ? 1 : 0;
    summary_.late_containers += slot.late_container ? 1 : 0;
    summary_.without_effect += slot.without_effect ? 1 : 0;
    summary_.faults += slot.has_faults ? 1 : 0;
    summary_.sequences += slot.is_sequence ? 1 : 0;
    for (const SubjectInCase& subject : slot.subjects) take(subject);
    summary_.drawn.add(slot.counts);
    recent_.add(slot.features);
    for (const properties::Observation& seen : slot.observations) {
      summary_.observe(seen);
      has_enough_ = has_enough_ || (options_.is_enough_to_see && options_.is_enough_to_see(seen));
    }
    summary_.take(slot.kind, slot.acted, slot.decisions);
    for (const auto& [property, violation, print] : slot.violations) {
      const Case& value = std::get<Case>(*slot.value);
      if (has_enough_ || !seen_.insert(print).second) continue;
      const double begin = elapsed();
      try {
        report(plausible(value, *property, print, later), *property, violation, print, number);
      } catch (const document::Cut&) {
        report_as_drawn(value, *property, violation, print);
      }
      waiting_.shrunk(elapsed() - begin);
    }
    for (const auto& [property, violation] : slot.of_sequence) {
      const auto& value = std::get<cases::Sequence>(*slot.value);
      const std::string print = fingerprint(value, property->name, violation);
      if (!has_enough_ && seen_.insert(print).second) report(value, *property, print);
    }
  }

  /// Reports a violation without another call: there is no time, or a limit of ours ends the calls.
  void report_as_drawn(const Case& value, const Property& property, const Violation& violation,
                       const std::string& print) {
    const document::Bounded unbounded([] { return false; });  // to describe it takes no time
    Finding finding = undescribed({.value = value, .violation = violation}, property, print);
    finding.found = found(0);
    finding.found.unfinished = true;
    if (is_judged(options_, value, finding.webhook)) return take_finding(finding);
    summary_.notes.push_back(finding);
    listener_.noted(finding);
  }

  void take(const SubjectInCase& subject) {
    Acted& counts = summary_.acted[options_.subject_names[subject.number]];
    ++(subject.acted ? counts.acted : counts.no_effect);
    counts.refused += subject.acted && !subject.changed ? 1 : 0;
    if (!subject.denial.empty()) counts.take_denial(subject.denial);
    if (subject.number < recent_counts_.size())
      recent_counts_[subject.number].take(subject.options, subject.changed);
  }

  bool is_valid(const Case& value) const {
    const auto prepared = prepare(value, options_.resolve, options_.limits, kWithoutWarnings);
    return prepared && has_valid_pod(*prepared);
  }

  /// Returns the Case, or a later one of the round that shows the same and whose Pod the server would accept
  /// without the webhooks: shrinking keeps that property, and such a Case is convincing.
  const Case& plausible(const Case& value, const Property& property, const std::string& print,
                        std::span<const CaseResult> later) const {
    if (is_valid(value)) return value;
    for (const CaseResult& slot : later) {
      for (const auto& [other, violation, shown] : slot.violations) {
        if (other != &property || shown != print) continue;
        const Case& candidate = std::get<Case>(*slot.value);
        if (is_valid(candidate)) return candidate;
      }
    }
    return value;
  }

  cases::Found found(std::int64_t shrinks) const {
    return {.seed = options_.seed, .cases = static_cast<std::int64_t>(summary_.cases), .shrinks = shrinks};
  }

  /// Reports a violation of a Sequence. A reconciler is alone in its Sequence, so that no other can be to
  /// blame.
  void report(const cases::Sequence& value, const sequences::Property& property, const std::string& print) {
    const auto shrunk = shrink(value, property, print, options_.resolve_reconciler, options_.reduce_sequence,
                               options_.limits);
    if (!shrunk) return;
    Finding finding = finding_of(*shrunk, property);
    finding.found = found(shrunk->steps);
    finding.found.unfinished = shrunk->is_unfinished;
    take_finding(finding);
  }

  void take_finding(const Finding& finding) {
    summary_.findings.push_back(finding);
    listener_.found(finding);
    has_enough_ = has_enough_ || (options_.is_enough && options_.is_enough(finding));
  }

  /// Returns the webhooks in the state before any call, as far as that is possible.
  webhooks::Resolve anew() const {
    return options_.resolve.anew ? options_.resolve.anew() : options_.resolve;
  }

  /// Reports a finding once it was reproduced: programs are shrunk in new processes, and its Case must show
  /// it again in others.
  void report(const Case& value, const Property& property, const Violation& violation,
              const std::string& print, std::uint64_t number) {
    const std::uint64_t skipped_calls = options_.resolve.calls_skipped_so_far();
    const webhooks::Resolve again = options_.resolve.anew_beside ? options_.resolve.anew_beside() : anew();
    bool is_cut = false;
    auto shrunk = shrink(shortcut(value, property, print), property, print, again, bounded_reduce(is_cut),
                         options_.limits);
    const bool is_seen_again =
        shrunk && shows(shrunk->value, property, print, anew(), options_.limits).has_value();
    const bool has_skipped_calls = options_.resolve.calls_skipped_so_far() != skipped_calls;
    // If the run is over, the Case stays as it was drawn.
    if (!shrunk && has_skipped_calls) shrunk = Shrunk{.value = value, .violation = violation};
    if (!is_seen_again && !has_skipped_calls)
      return report_once_seen(shrunk ? shrunk->value : value, property, violation, number);
    Finding finding = describe(*shrunk, property, print, options_.resolve, options_.limits);
    finding.found = found(shrunk->steps);
    finding.found.unfinished = is_cut || has_skipped_calls;
    const auto guilty = blame(shrunk->value, property, print, again, options_.limits);
    // A neighbour that only makes the subject's defect visible is not to blame.
    const auto subject = std::find_if(guilty.rbegin(), guilty.rend(), [&](const auto& webhook) {
      return is_judged(options_, shrunk->value, webhook);
    });
    if (!guilty.empty()) finding.webhook = subject == guilty.rend() ? guilty.back() : *subject;
    if (is_judged(options_, shrunk->value, finding.webhook)) {
      keep(finding.value);
      classify(finding, property, shrunk->violation, again, options_.limits, options_.example_pods);
      return take_finding(finding);
    }
    summary_.notes.push_back(finding);
    listener_.noted(finding);
  }

  /// Draws the Cases before that one again, with the present knowledge.
  std::vector<Case> cases_before(std::uint64_t number) const {
    std::vector<Case> all;
    for (std::uint64_t i = number - std::min(number, kHistoryCases); i < number; ++i) {
      Choices choices(options_.seed, i);
      Drawn drawn = draws_.front()(choices, steering_);
      if (auto* value = std::get_if<Case>(&drawn)) all.push_back(std::move(*value));
    }
    return all;
  }

  /// Checks once in a round whether a program answers a Case differently after another one: state from its
  /// first request shows in no Case alone.
  void probe_history(std::span<const CaseResult> slots) {
    if (!options_.resolve.anew || !with_history_.empty() || has_enough_ || pace_.is_slow()) return;
    const auto sample =
        std::find_if(slots.begin(), slots.end(), [](const CaseResult& slot) { return slot.is_sample; });
    if (sample == slots.end() || out_of_time() || interrupted()) return;
    const Case& value = std::get<Case>(*sample->value);
    std::vector<Case> earlier{in_another_namespace(value)};
    if (last_sample_) earlier.push_back(*std::move(last_sample_));
    last_sample_ = value;
    const double begin = elapsed(), share = options_.seconds_max * kShareOfAProbe;
    if (share > 0 && probing_seconds_ > kProbesMax * share) return;
    find_and_report_history(value, earlier, properties::Severity::warning,
                            [&] { return share > 0 && elapsed() - begin > share; });
    probing_seconds_ += elapsed() - begin;
  }

  /// Returns true if there is one.
  bool find_and_report_history(const Case& value, const std::vector<Case>& earlier,
                               properties::Severity severity, const std::function<bool()>& is_enough) {
    bool is_cut = false;
    auto dependence = find_history(value, earlier, options_.resolve, bounded_reduce(is_cut), options_.limits,
                                   [&] { return out_of_time() || interrupted() || is_enough(); });
    if (!dependence || !is_judged(options_, dependence->value, dependence->violation.webhook)) return false;
    report(*dependence, severity, is_cut);
    return true;
  }

  /// Reports a violation that could not be reproduced: the webhook depends on earlier requests, which is a
  /// finding of its own, or on something outside its requests.
  void report_once_seen(const Case& value, const Property& property, const Violation& violation,
                        std::uint64_t number) {
    if (!is_judged(options_, value, violation.webhook)) return;
    if (with_history_.contains(violation.webhook)) return;
    const std::uint64_t skipped_calls = options_.resolve.calls_skipped_so_far();
    const auto never = [] { return false; };
    if (find_and_report_history(value, cases_before(number), violation.severity, never)) return;
    if (options_.resolve.calls_skipped_so_far() != skipped_calls) return;
    summary_.observe({.kind = "seen-once",
                      .webhook = violation.webhook,
                      .path = violation.shape,
                      .because = "violated " + std::string(property.name) +
                                 " once and not when asked again: " + violation.because});
  }

  void report(const HistoryDependence& dependence, properties::Severity severity, bool is_cut) {
    const Property& property = *properties::find("independent-of-history");
    const std::string print = fingerprint(dependence.value, property.name, dependence.violation);
    with_history_.insert(dependence.violation.webhook);
    if (!seen_.insert(print).second) return;
    Shrunk shrunk{.value = dependence.value, .violation = dependence.violation};
    shrunk.violation.severity = severity;
    Finding finding = describe(shrunk, property, print, options_.resolve, options_.limits);
    finding.before = dependence.before;
    finding.found = found(0);
    finding.found.unfinished = is_cut;
    take_finding(finding);
  }

  /// Returns the smallest Case of an earlier finding if it also shows this one (and is valid if this one is),
  /// else the Case itself: one bug often violates several properties. Shrinking from there is much faster,
  /// and both findings get the same Case.
  const Case& shortcut(const Case& value, const Property& property, const std::string& print) const {
    if (shrunk_.empty()) return value;
    const bool must_be_valid = is_valid(value);
    for (auto earlier = shrunk_.rbegin(); earlier != shrunk_.rend(); ++earlier) {
      if (must_be_valid && !has_valid_pod(*earlier)) continue;
      if (shows(*earlier, property, print, options_.limits)) return earlier->value;
    }
    return value;
  }

  void keep(const Case& value) {
    const auto is_there = [&](const Prepared& earlier) { return earlier.value == value; };
    if (std::any_of(shrunk_.begin(), shrunk_.end(), is_there)) return;
    auto prepared = prepare(value, options_.resolve, options_.limits, kWithoutWarnings);
    if (!prepared) return;
    if (shrunk_.size() == kShrunkMax) shrunk_.pop_front();
    shrunk_.push_back(*std::move(prepared));
  }

  const RunOptions& options_;
  Listener& listener_;
  std::vector<Draw> draws_ = {};  ///< one of each thread
  RunSummary summary_;
  CoverageMap known_ = {};                       ///< read by all threads while a round is examined
  CoverageMap recent_ = {};                      ///< the behaviour in the round that is being processed
  std::vector<Steering> steering_ = {};          ///< of each subject, without the counts of the last round
  std::vector<RoundCounts> recent_counts_ = {};  ///< of the round that is being processed
  std::set<std::string> seen_;
  std::deque<Prepared> shrunk_ = {};         ///< the smallest Cases of the last findings
  std::optional<Case> last_sample_ = {};     ///< checked after other Cases
  std::set<std::string> with_history_ = {};  ///< webhooks whose dependence on earlier requests was reported
  mutable WaitingFindings waiting_;
  mutable Pace pace_;
  std::vector<const Property*> order_ = {};  ///< those that were decided least first
  mutable std::atomic<bool> drawing_is_over_{false};
  mutable std::atomic<double> over_since_{kNotYet};
  double start_ = 0, probing_seconds_ = 0;
  bool has_enough_ = false;

  /// The time that the last finding has after the end of the run, before it is told as it was drawn.
  static constexpr double kGraceSeconds = 0.25, kNotYet = -1;
  static constexpr double kShareOfTheEnd = 1.0 / 3;  ///< of the run, for findings that wait
  /// The share of a run for one probe of history, which starts new processes, and the number of these probes.
  static constexpr double kShareOfAProbe = 0.03, kProbesMax = 4;

  static constexpr std::size_t kShrunkMax = 32;
  static constexpr std::uint64_t kHistoryCases = 16;  ///< that are tried as the history of a Case
};

}  // namespace

RunSummary run(const RunOptions& options, Listener& listener) { return Runner(options, listener).run(); }

}  // namespace fixpoint::runner
