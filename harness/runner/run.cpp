#include "harness/runner/run.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <thread>

#include "harness/runner/behaviour.h"
#include "harness/runner/story.h"

namespace fixpoint::runner {

namespace {

namespace sequences = properties::sequences;
using cases::Case;
using cases::Finding;
using document::Value;
using properties::Property;
using properties::Violated;
using properties::Violation;

/// What one Case of a round left behind.
struct Slot {
  bool done = false;
  bool broken = false;  ///< it could not run
  bool fully = false, reinvoked = false, rejected = false, late_container = false, has_faults = false;
  bool untouched = false;
  bool is_sequence = false;
  std::vector<std::pair<std::size_t, bool>> acted =
      {};  ///< number of a subject in the Case, whether it acted
  Contents contents = {};
  std::vector<std::pair<std::string_view, char>> outcomes =
      {};  ///< h, v, s, n: held, violated, skipped, not applicable
  std::vector<std::pair<const Property*, Violation>> violations = {};
  std::vector<std::pair<const sequences::Property*, Violation>> of_sequence = {};
  std::optional<Drawn> value = {};  ///< kept when something is violated
  Marks marks = {};                 ///< when one of them is new
};

char outcome_of(const properties::Judgement& judgement) {
  if (std::holds_alternative<Violated>(judgement)) return 'v';
  const auto* skipped = std::get_if<properties::Skipped>(&judgement);
  if (skipped == nullptr) return 'h';
  return skipped->why == properties::Skipped::Why::not_reached ? 's' : 'n';
}

Contents contents_of(const Prepared& prepared) {
  const Value& spec = prepared.value.request.object["spec"];
  Contents contents{.containers = spec["containers"].size(),
                    .init_containers = spec["initContainers"].size(),
                    .webhooks = prepared.admission.webhooks.size(),
                    .updates = prepared.value.request.is_update() ? 1u : 0u,
                    .dry_runs = prepared.value.request.dry_run ? 1u : 0u};
  for (const Value& container : spec["containers"].elements()) {
    for (const char* probe : {"livenessProbe", "readinessProbe", "startupProbe"})
      contents.probes += container.find(probe) == nullptr ? 0 : 1;
  }
  for (const auto& webhook : prepared.admission.webhooks) contents.if_needed += webhook.if_needed ? 1 : 0;
  return contents;
}

bool has_late_container(const apiserver::Admission& admission) {
  for (const apiserver::CallEvent& event : admission.calls) {
    if (event.index > 0 &&
        event.hop.after["spec"]["containers"].size() > event.before["spec"]["containers"].size()) {
      return true;
    }
  }
  return false;
}

bool is_judged(const RunOptions& options, const std::string& webhook) {
  if (options.judged_configurations.empty()) return true;
  const std::string configuration = webhook.substr(0, webhook.find('/'));
  const auto& judged = options.judged_configurations;
  return std::any_of(judged.begin(), judged.end(), [&](const std::string& name) {
    // A shrinker may have taken what looks like the prefix of a place off.
    const auto dash = name.find('-');
    return name == configuration || (dash <= 2 && name.substr(dash + 1) == configuration);
  });
}

bool is_faulted(const Case& value, const std::string& webhook, int number) {
  return std::any_of(value.faults.begin(), value.faults.end(), [&](const cases::Fault& fault) {
    return fault.webhook == webhook && (!fault.call || *fault.call == number);
  });
}

bool has_acted(const apiserver::CallEvent& event) {
  const bool denied = event.hop.error == apiserver::CallError::denied;
  return event.left_another() || (denied && event.hop.answer.status.code != 500);
}

/// Returns true if the webhook is one of the subject with that number, counted over the judged
/// configurations.
bool is_of_subject(const RunOptions& options, std::size_t number, const Case& value,
                   const std::string& webhook) {
  const std::string_view configuration = std::string_view(webhook).substr(0, webhook.find('/'));
  if (!configuration.ends_with(options.judged_configurations[number])) return false;
  const auto backend = value.webhooks.find(webhook);
  if (backend == value.webhooks.end()) return false;
  const auto* injector = std::get_if<cases::InjectorName>(&backend->second);
  return injector == nullptr || injector->name == options.subject_names[number];
}

/// The entry of <configuration>/<webhook> in the Case's cluster, or null.
Value configured(const Case& value, const std::string& webhook) {
  const auto slash = webhook.find('/');
  const Value* configuration =
      value.cluster.find("MutatingWebhookConfiguration", "", webhook.substr(0, slash));
  if (configuration == nullptr) return {};
  for (const Value& entry : (*configuration)["webhooks"].elements())
    if (entry["name"].text() == webhook.substr(slash + 1)) return entry;
  return {};
}

bool is_called_alike(const Value& before, const Value& after) {
  constexpr std::array<std::string_view, 5> kMembers{"rules", "objectSelector", "namespaceSelector",
                                                     "matchConditions", "matchPolicy"};
  return std::all_of(kMembers.begin(), kMembers.end(),
                     [&](std::string_view member) { return before[member] == after[member]; });
}

std::vector<std::pair<std::size_t, bool>> acted_in(const RunOptions& options, const Prepared& prepared) {
  std::vector<std::pair<std::size_t, bool>> all;
  const apiserver::Admission& admission = prepared.admission;
  for (std::size_t number = 0; number < options.judged_configurations.size(); ++number) {
    const auto is_of = [&](const std::string& webhook) {
      return is_of_subject(options, number, prepared.value, webhook);
    };
    const auto& webhooks = prepared.value.webhooks;
    if (std::none_of(webhooks.begin(), webhooks.end(), [&](const auto& one) { return is_of(one.first); }))
      continue;
    all.emplace_back(
        number, std::any_of(admission.calls.begin(), admission.calls.end(), [&](const auto& event) {
          const std::string& webhook = admission.webhooks[static_cast<std::size_t>(event.index)].key;
          return has_acted(event) && is_of(webhook) && !is_faulted(prepared.value, webhook, event.number);
        }));
  }
  return all;
}

/// A reconciler acts when it asks the API server for something.
std::vector<std::pair<std::size_t, bool>> acted_in(const RunOptions& options,
                                                   const PreparedSequence& prepared) {
  const auto& names = options.subject_names;
  const auto found = std::find(names.begin(), names.end(), prepared.value.subject);
  if (found == names.end()) return {};
  const auto& turns = prepared.course.turns;
  return {{static_cast<std::size_t>(found - names.begin()),
           std::any_of(turns.begin(), turns.end(),
                       [](const apiserver::Turn& turn) { return !turn.reconciled.requests.empty(); })}};
}

bool is_untouched(const RunOptions& options, const apiserver::Admission& admission) {
  return std::none_of(admission.calls.begin(), admission.calls.end(), [&](const apiserver::CallEvent& event) {
    return event.left_another() &&
           is_judged(options, admission.webhooks[static_cast<std::size_t>(event.index)].key);
  });
}

Slot examine_case(const RunOptions& options, const KnownBehaviour& known, Case value, bool fully) {
  Slot slot{.done = true};
  const std::uint64_t withheld = options.resolve.withheld_so_far();
  auto prepared = prepare(std::move(value), options.resolve, options.limits, kJudging);
  if (!prepared) {
    slot.broken = true;
    slot.done = options.resolve.withheld_so_far() == withheld;
    return slot;
  }
  Marks marks = marks_of(prepared->admission);
  const bool is_new = known.has_new(marks);
  if (is_new) slot.marks = std::move(marks);
  slot.fully = fully || (is_new && options.asks_news);
  slot.reinvoked = prepared->admission.passes == 2;
  slot.rejected = !prepared->admission.allowed;
  slot.late_container = has_late_container(prepared->admission);
  slot.untouched = is_untouched(options, prepared->admission);
  slot.acted = acted_in(options, *prepared);
  slot.contents = contents_of(*prepared);
  slot.has_faults = !prepared->value.faults.empty();
  for (const Asked& asked : ask(*prepared, properties::all(), !slot.fully, options.limits, options.resolve)) {
    slot.outcomes.emplace_back(asked.property->name, outcome_of(asked.judgement));
    const auto* violated = std::get_if<Violated>(&asked.judgement);
    if (violated == nullptr) continue;
    for (const Violation& violation : violated->violations)
      slot.violations.emplace_back(asked.property, violation);
  }
  if (!slot.violations.empty()) slot.value = std::move(prepared->value);
  return slot;
}

/// A Sequence is asked everything, whatever its number.
Slot examine_sequence(const RunOptions& options, cases::Sequence value) {
  Slot slot{.done = true, .fully = true, .is_sequence = true};
  auto prepared = prepare(std::move(value), options.resolve_reconciler);
  if (!prepared) {
    slot.broken = true;
    return slot;
  }
  slot.acted = acted_in(options, *prepared);
  for (const sequences::Property& property : sequences::all()) {
    const auto judgement = ask(*prepared, property, options.limits);
    slot.outcomes.emplace_back(property.name, outcome_of(judgement));
    const auto* violated = std::get_if<Violated>(&judgement);
    if (violated == nullptr) continue;
    for (const Violation& violation : violated->violations)
      slot.of_sequence.emplace_back(&property, violation);
  }
  if (!slot.of_sequence.empty()) slot.value = std::move(prepared->value);
  return slot;
}

/// `known` is what the rounds before did.
Slot examine(const RunOptions& options, const KnownBehaviour& known, const Draw& draw, std::uint64_t index) {
  Choices choices(options.seed, index);
  Drawn drawn = draw(choices);
  if (auto* sequence = std::get_if<cases::Sequence>(&drawn))
    return examine_sequence(options, std::move(*sequence));
  return examine_case(options, known, std::get<Case>(std::move(drawn)), index % options.sample_every == 0);
}

/// Cases of consecutive numbers, which any thread may examine.
struct Round {
  Round(std::uint64_t first, std::uint64_t count, bool whole) : begin(first), is_whole(whole), slots(count) {}
  std::uint64_t end() const { return begin + slots.size(); }

  const std::uint64_t begin;
  const bool is_whole;  ///< it ends where it would end without cases_max
  std::vector<Slot> slots;
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> is_over{false};  ///< nobody wants the rest
};

/// The findings that wait to be shrunk, counted by the threads that meet them, and the time that they need.
class Waiting {
 public:
  explicit Waiting(const std::set<std::string>& met) : met_(met) {}

  void meet(const std::string& print) {
    const std::lock_guard lock(mutex_);
    if (met_.insert(print).second) ++count_;
  }
  void shrunk(double seconds) {
    const std::lock_guard lock(mutex_);
    if (count_ > 0) --count_;
    ++measured_;
    seconds_ += seconds;
  }
  double seconds_needed() const {
    const std::lock_guard lock(mutex_);
    const double each = measured_ == 0 ? kSecondsOfTheFirst : seconds_ / static_cast<double>(measured_);
    return each * static_cast<double>(count_);
  }

 private:
  static constexpr double kSecondsOfTheFirst = 0.1;  ///< before one was measured

  mutable std::mutex mutex_;
  std::set<std::string> met_;
  std::uint64_t count_ = 0, measured_ = 0;
  double seconds_ = 0;
};

class Runner {
 public:
  Runner(const RunOptions& options, Listener& listener)
      : options_(options),
        listener_(listener),
        summary_(options.from.summary),
        known_(options.from.known),
        recent_(options.from.recent),
        seen_(options.from.seen),
        waiting_(options.from.seen) {
    start_ = options_.clock() - summary_.seconds;
    draws_.assign(static_cast<std::size_t>(std::max(1, options_.jobs)), options_.draw);
    for (std::size_t job = 1; job < draws_.size() && options_.draw_anew; ++job)
      draws_[job] = options_.draw_anew();
    if (options_.draws_cases) {
      for (const Property& property : properties::all()) summary_.properties[std::string(property.name)];
    }
    if (options_.draws_sequences) {
      for (const auto& property : sequences::all()) summary_.properties[std::string(property.name)];
    }
    for (const std::string& subject : options_.subject_names) summary_.acted[subject];
    for (const Finding& earlier : summary_.findings) {
      if (!earlier.sequence) keep(earlier.value);
    }
  }

  /// While this thread shrinks what a round found, the others examine the next one already; that is why a
  /// round knows what the rounds before the last did, and no more, however many threads there are.
  RunSummary run() {
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
    summary_.seconds = elapsed();
    summary_.gates = gates_of(summary_, options_.draws_cases, options_.gate_cases_min);
    return std::move(summary_);
  }

 private:
  void tell_state() {
    RunState state{.summary = summary_, .seen = seen_, .known = known_, .recent = recent_};
    state.summary.seconds = elapsed();
    listener_.round_ended(state);
  }
  double elapsed() const { return options_.clock() - start_; }
  bool out_of_time() const { return options_.seconds_max > 0 && elapsed() >= options_.seconds_max; }
  bool interrupted() const { return options_.interrupted && options_.interrupted(); }

  /// Once it is over it stays so.
  bool drawing_is_over() const {
    if (options_.seconds_max <= 0) return false;
    if (drawing_is_over_) return true;
    const double left = options_.seconds_max - elapsed();
    const bool is_over = left <= options_.seconds_max * kShareOfTheEnd && left <= waiting_.seconds_needed();
    if (is_over || left <= 0) drawing_is_over_ = true;
    return drawing_is_over_;
  }

  /// Returns true if each judged webhook of the candidate answers as in the original and is called for the
  /// same requests. A bundled webhook is its name, which no reduction changes.
  bool keeps_subject(const Case& original, const Case& candidate) const {
    return std::all_of(candidate.webhooks.begin(), candidate.webhooks.end(), [&](const auto& kept) {
      const auto& [key, backend] = kept;
      if (std::holds_alternative<cases::InjectorName>(backend) || !is_judged(options_, key)) return true;
      const std::string name = key.substr(key.find('/'));
      return std::any_of(original.webhooks.begin(), original.webhooks.end(), [&](const auto& before) {
        return before.first.ends_with(name) && before.second == backend &&
               is_called_alike(configured(original, before.first), configured(candidate, key));
      });
    });
  }

  /// `options_.reduce` within the time of a pass and of the run. `is_cut` becomes true when the clock ended
  /// it.
  Reduce bounded_reduce(bool& is_cut) const {
    if (!options_.reduce) return {};
    return [this, &is_cut](Case value, const std::function<bool(const Case&)>& take) {
      const double begin = elapsed(), bound = options_.shrink_seconds_max;
      const Case original = value;
      options_.reduce(std::move(value), [&](const Case& candidate) {
        if (!keeps_subject(original, candidate)) return false;
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

  /// Short rounds first, so that the first finding does not wait for a thousand Cases; what is found depends
  /// on the order of the Cases alone. Nothing when there is none.
  std::unique_ptr<Round> next_round(std::uint64_t begin) const {
    const std::uint64_t whole = std::min(begin + kFirstRoundCases, kRoundCases);  // doubles from the first
    const std::uint64_t count = options_.cases_max ? std::min(whole, *options_.cases_max - begin) : whole;
    return count == 0 ? nullptr : std::make_unique<Round>(begin, count, count == whole);
  }

  void work(Round& round, const Draw& draw) const {
    const std::uint64_t count = round.slots.size();
    for (std::uint64_t i = round.next.fetch_add(1); i < count; i = round.next.fetch_add(1)) {
      if (round.is_over || (i % options_.look_every == 0 && (drawing_is_over() || interrupted()))) return;
      round.slots[i] = examine(options_, known_, draw, round.begin + i);
      if (options_.seconds_max > 0) count_waiting(round.slots[i]);
    }
  }

  void count_waiting(const Slot& slot) const {
    if (!slot.value) return;
    const auto* value = std::get_if<Case>(&*slot.value);
    if (value == nullptr) return;
    for (const auto& [property, violation] : slot.violations)
      waiting_.meet(fingerprint(*value, property->name, violation));
  }

  /// Examines a round: the other threads from now on, this one when it is ready with what it does first.
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
  }

  void take(const Round& round) {
    const std::span<const Slot> slots(round.slots);
    for (std::size_t i = 0; i < slots.size() && !has_enough_; ++i) {
      if (slots[i].done) take(slots[i], slots.subspan(i + 1));
    }
    listener_.progress(summary_, elapsed());
    if (round.is_whole && summary_.cases == round.end()) tell_state();
  }

  void take(const Slot& slot, std::span<const Slot> later) {
    ++summary_.cases;
    summary_.broken += slot.broken ? 1 : 0;
    summary_.fully_asked += slot.fully ? 1 : 0;
    summary_.reinvoked += slot.reinvoked ? 1 : 0;
    summary_.rejected += slot.rejected ? 1 : 0;
    summary_.late_containers += slot.late_container ? 1 : 0;
    summary_.untouched += slot.untouched ? 1 : 0;
    summary_.faults += slot.has_faults ? 1 : 0;
    summary_.sequences += slot.is_sequence ? 1 : 0;
    for (const auto& [number, acted] : slot.acted) {
      Acted& counts = summary_.acted[options_.subject_names[number]];
      ++(acted ? counts.acted : counts.no_effect);
    }
    summary_.drawn.add(slot.contents);
    recent_.add(slot.marks);
    for (const auto& [property, outcome] : slot.outcomes) {
      Tally& tally = summary_.properties[std::string(property)];
      ++tally.asked;
      tally.held += outcome == 'h' ? 1 : 0;
      tally.violated += outcome == 'v' ? 1 : 0;
      tally.skipped += outcome == 's' ? 1 : 0;
      tally.not_applicable += outcome == 'n' ? 1 : 0;
    }
    for (const auto& [property, violation] : slot.violations) {
      const Case& value = std::get<Case>(*slot.value);
      const std::string print = fingerprint(value, property->name, violation);
      if (has_enough_ || !seen_.insert(print).second) continue;
      const double begin = elapsed();
      report(plausible(value, *property, print, later), *property, violation, print);
      waiting_.shrunk(elapsed() - begin);
    }
    for (const auto& [property, violation] : slot.of_sequence) {
      const auto& value = std::get<cases::Sequence>(*slot.value);
      const std::string print = fingerprint(value, property->name, violation);
      if (!has_enough_ && seen_.insert(print).second) report(value, *property, print);
    }
  }

  bool is_valid(const Case& value) const {
    const auto prepared = prepare(value, options_.resolve, options_.limits, kJudging);
    return prepared && has_valid_pod(*prepared);
  }

  /// The Case, or one that shows the same later in the round and whose Pod the server would take without the
  /// webhooks: shrinking keeps that, and such a Case convinces.
  const Case& plausible(const Case& value, const Property& property, const std::string& print,
                        std::span<const Slot> later) const {
    if (is_valid(value)) return value;
    for (const Slot& slot : later) {
      for (const auto& [other, violation] : slot.violations) {
        if (other != &property) continue;
        const Case& candidate = std::get<Case>(*slot.value);
        if (fingerprint(candidate, property.name, violation) == print && is_valid(candidate))
          return candidate;
      }
    }
    return value;
  }

  cases::Found found(std::int64_t shrinks) const {
    return {.seed = options_.seed, .cases = static_cast<std::int64_t>(summary_.cases), .shrinks = shrinks};
  }

  /// A reconciler stands alone in its Sequence: what it shows is its own doing.
  void report(const cases::Sequence& value, const sequences::Property& property, const std::string& print) {
    const auto shrunk = shrink(value, property, print, options_.resolve_reconciler, options_.reduce_sequence,
                               options_.limits);
    if (!shrunk) return;
    Finding finding = finding_of(*shrunk, property);
    finding.found = found(shrunk->steps);
    take_finding(finding);
  }

  void take_finding(const Finding& finding) {
    summary_.findings.push_back(finding);
    listener_.found(finding);
    has_enough_ = has_enough_ || (options_.is_enough && options_.is_enough(finding));
  }

  void report(const Case& value, const Property& property, const Violation& violation,
              const std::string& print) {
    const std::uint64_t withheld = options_.resolve.withheld_so_far();
    bool is_cut = false;
    auto shrunk = shrink(shortcut(value, property, print), property, print, options_.resolve,
                         bounded_reduce(is_cut), options_.limits);
    const bool is_withheld = options_.resolve.withheld_so_far() != withheld;
    // When the run is over the Case stays as it was drawn.
    if (!shrunk && is_withheld) shrunk = Shrunk{.value = value, .violation = violation};
    if (!shrunk) return;  // a webhook that is no function of its calls: what it showed, it shows no more
    Finding finding = describe(*shrunk, property, print);
    finding.found = found(shrunk->steps);
    finding.found.unfinished = is_cut || is_withheld;
    const auto guilty = blame(shrunk->value, property, print, options_.resolve, options_.limits);
    // A neighbour that is there to show what the subject does is not to blame beside it.
    const auto subject = std::find_if(guilty.rbegin(), guilty.rend(),
                                      [&](const auto& webhook) { return is_judged(options_, webhook); });
    if (!guilty.empty()) finding.webhook = subject == guilty.rend() ? guilty.back() : *subject;
    if (is_judged(options_, finding.webhook)) {
      keep(finding.value);
      return take_finding(finding);
    }
    summary_.notes.push_back(finding);
    listener_.noted(finding);
  }

  /// What one bug does is often told by several properties: the Case that an earlier finding ended with, when
  /// it shows this one too (and is valid where this one is), else the Case itself. Shrinking from there is a
  /// fraction of the work, and both findings have one Case.
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
    auto prepared = prepare(value, options_.resolve, options_.limits, kJudging);
    if (!prepared) return;
    if (shrunk_.size() == kShrunkMax) shrunk_.pop_front();
    shrunk_.push_back(*std::move(prepared));
  }

  Finding describe(const Shrunk& shrunk, const Property& property, const std::string& print) const {
    const Violation& violation = shrunk.violation;
    Finding finding{.property = std::string(property.name),
                    .severity = std::string(word(violation.severity)),
                    .webhook = violation.webhook,
                    .verdict = violation.verdict,
                    .value = shrunk.value,
                    .fingerprint = print};
    finding.evidence = {.path = violation.path, .value = violation.value, .because = violation.because};
    if (const auto prepared = prepare(shrunk.value, options_.resolve, options_.limits, kJudging)) {
      finding.evidence.calls = story_of(prepared->admission);
    }
    return finding;
  }

  const RunOptions& options_;
  Listener& listener_;
  std::vector<Draw> draws_ = {};  ///< one of each thread
  RunSummary summary_;
  KnownBehaviour known_ = {};   ///< read by all threads while a round is examined
  KnownBehaviour recent_ = {};  ///< what the round that is taken did
  std::set<std::string> seen_;
  std::deque<Prepared> shrunk_ = {};  ///< what the last findings ended with
  mutable Waiting waiting_;
  mutable std::atomic<bool> drawing_is_over_{false};
  double start_ = 0;
  bool has_enough_ = false;

  static constexpr double kShareOfTheEnd = 1.0 / 3;  ///< of the run, for findings that wait

  static constexpr std::size_t kShrunkMax = 32;
};

}  // namespace

std::vector<std::string> missing_verdicts(const RunSummary& summary) {
  std::vector<std::string> all;
  for (const auto& [subject, counts] : summary.acted) {
    if (counts.acted == 0 && counts.no_effect > 0)
      all.push_back(subject + " acted in 0 of " + std::to_string(counts.no_effect) + " Cases");
  }
  return all;
}

bool is_vacuous(const RunSummary& summary) {
  return !missing_verdicts(summary).empty() ||
         std::any_of(summary.gates.begin(), summary.gates.end(),
                     [](const Gate& gate) { return gate.judged && !gate.held; });
}

std::vector<Gate> gates_of(const RunSummary& summary, bool draws_cases, std::uint64_t gate_cases_min) {
  std::vector<Gate> gates;
  const auto gate = [&](std::string name, bool held) {
    gates.push_back({std::move(name), held, summary.cases >= gate_cases_min});
  };
  if (draws_cases) {
    gate("some request was reinvoked", summary.reinvoked > 0);
    gate("some request was admitted", summary.rejected + summary.sequences < summary.cases);
    gate("some container came late", summary.late_containers > 0);
  }
  // Of a webhook that never acts no property can be reached: that is said once.
  if (!missing_verdicts(summary).empty()) return gates;
  for (const auto& [name, tally] : summary.properties) {
    gate(name + " was reached", tally.held + tally.violated > 0 || tally.not_applicable == tally.asked);
  }
  return gates;
}

void Contents::add(const Contents& other) {
  for (const auto count :
       {&Contents::containers, &Contents::init_containers, &Contents::probes, &Contents::webhooks,
        &Contents::if_needed, &Contents::updates, &Contents::dry_runs}) {
    this->*count += other.*count;
  }
}

void RunSummary::add(const RunSummary& other) {
  for (const auto count : {&RunSummary::cases, &RunSummary::fully_asked, &RunSummary::reinvoked,
                           &RunSummary::rejected, &RunSummary::late_containers, &RunSummary::faults,
                           &RunSummary::broken, &RunSummary::sequences, &RunSummary::untouched}) {
    this->*count += other.*count;
  }
  for (const auto& [name, tally] : other.properties) {
    Tally& into = properties[name];
    for (const auto count :
         {&Tally::asked, &Tally::held, &Tally::violated, &Tally::skipped, &Tally::not_applicable}) {
      into.*count += tally.*count;
    }
  }
  for (const auto& [subject, counts] : other.acted) {
    acted[subject].acted += counts.acted;
    acted[subject].no_effect += counts.no_effect;
  }
  drawn.add(other.drawn);
  seconds += other.seconds;
}

RunSummary run(const RunOptions& options, Listener& listener) { return Runner(options, listener).run(); }

}  // namespace fixpoint::runner
