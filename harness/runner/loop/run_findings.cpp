#include "harness/runner/loop/run_findings.h"

#include <algorithm>

#include "harness/document/cut.h"
#include "harness/runner/diagnosis/describe_finding.h"

namespace fixpoint::runner {

namespace sequences = properties::sequences;
using cases::Case;
using cases::Finding;
using properties::Property;

void RunFindings::take(const CaseResult& slot, std::span<const CaseResult> later, std::uint64_t number) {
  // A difference by chance explains other violations, which are seldom seen again.
  std::vector<CaseViolation> violations = slot.violations;
  std::ranges::stable_partition(violations, [](const CaseViolation& one) { return one.is_of_chance(); });
  for (const CaseViolation& violated : violations) take(slot, violated, later, number);
  for (const auto& [property, violation] : slot.of_sequence) {
    const auto& value = std::get<cases::Sequence>(*slot.value);
    const std::string print = fingerprint(value, property->name, violation);
    if (!log_.has_enough() && log_.is_first(print)) report(value, *property, print);
  }
}

void RunFindings::take(const CaseResult& slot, const CaseViolation& violated,
                       std::span<const CaseResult> later, std::uint64_t number) {
  if (log_.has_enough() || !log_.is_first(violated.fingerprint)) return;
  const Case& value = std::get<Case>(*slot.value);
  const double begin = time_.elapsed();
  try {
    report(plausible(value, violated, later), violated, number);
  } catch (const document::Cut&) {
    report_as_drawn(value, violated);
  }
  waiting_.shrunk(time_.elapsed() - begin);
}

/// Reports a violation without another call: there is no time, or a limit of ours ends the calls.
void RunFindings::report_as_drawn(const Case& value, const CaseViolation& violated) {
  const document::Bounded unbounded([] { return false; });  // to describe it takes no time
  Finding finding = undescribed({.value = value, .violation = violated.violation}, *violated.property,
                                violated.fingerprint);
  finding.found = log_.where_found(0, true);
  is_judged(options_.subjects, value, cases::webhook_ref(value, finding.webhook)) ? log_.found(finding)
                                                                                  : log_.noted(finding);
}

/// Returns the Case, or a later one of the round that shows the same and whose Pod the server would accept
/// without the webhooks: shrinking keeps that property, and such a Case is convincing.
const Case& RunFindings::plausible(const Case& value, const CaseViolation& violated,
                                   std::span<const CaseResult> later) const {
  if (is_valid(options_, value)) return value;
  for (const CaseResult& slot : later) {
    for (const CaseViolation& other : slot.violations) {
      if (other.property != violated.property || other.fingerprint != violated.fingerprint) continue;
      const Case& candidate = std::get<Case>(*slot.value);
      if (is_valid(options_, candidate)) return candidate;
    }
  }
  return value;
}

/// Reports a violation of a Sequence. A reconciler is alone in its Sequence, so that no other can be to
/// blame.
void RunFindings::report(const cases::Sequence& value, const sequences::Property& property,
                         const std::string& print) {
  const auto shrunk = shrink(value, property, print, options_.subjects.resolve_reconciler,
                             options_.drawing.reduce_sequence, options_.effort.limits);
  if (!shrunk) return;
  Finding finding = finding_of(*shrunk, property);
  finding.found = log_.where_found(shrunk->steps, shrunk->is_unfinished);
  log_.found(finding);
}

/// Helper threads are bounded as this thread is (run()), and their calls end with its calls.
Together RunFindings::together() const {
  const auto threads = static_cast<std::size_t>(std::max(1, options_.effort.jobs));
  return {.width = std::min(options_.effort.candidates_together, threads),
          .in_thread = [this](const auto& work) {
            const Naming naming;
            const document::Bounded bounded([this] { return time_.naming_is_over(); });
            work();
          }};
}

/// Reports a finding once it was reproduced: programs are shrunk in new processes, and its Case must show it
/// again in others.
void RunFindings::report(const Case& value, const CaseViolation& violated, std::uint64_t number) {
  const auto& [property, violation, print] = violated;
  const webhooks::Resolve& resolve = options_.subjects.resolve;
  const Limits& limits = options_.effort.limits;
  const auto anew = [&] { return resolve.anew ? resolve.anew() : resolve; };
  const std::uint64_t skipped_calls = resolve.calls_skipped_so_far();
  const webhooks::Resolve again = resolve.anew_beside ? resolve.anew_beside() : anew();
  bool is_cut = false;
  const auto is_shown = [&](const Shrunk& one) {
    return shows(one.value, *property, print, anew(), limits).has_value();
  };
  // Answers that vary by themselves may be equal once; what they break once is no defect of its own.
  constexpr int kTriesOfChance = 6, kTimesOfChance = 3;
  std::optional<Shrunk> shrunk, moved;
  bool is_seen_again = false;
  for (int left = violated.is_of_chance() ? kTriesOfChance : 1; left > 0 && !is_seen_again; --left) {
    shrunk = shrink(smallest_.shortcut(value, *property, print), *property, print, again,
                    time_.bounded_reduce(is_cut), limits, together());
    moved = shrunk ? in_default_namespace(*shrunk, *property, print, anew(), limits) : std::nullopt;
    is_seen_again = moved || (shrunk && is_shown(*shrunk));
  }
  if (!violated.is_of_chance() && history_.varies(violation.webhook))
    for (int left = kTimesOfChance; left > 0 && is_seen_again; --left) is_seen_again = is_shown(*shrunk);
  const bool has_skipped_calls = resolve.calls_skipped_so_far() != skipped_calls;
  // If the run is over, the Case stays as it was drawn.
  if (!shrunk && has_skipped_calls) shrunk = Shrunk{.value = value, .violation = violation};
  if (!is_seen_again && !has_skipped_calls) {
    if (!violated.is_of_chance() && report_chance(shrunk ? shrunk->value : value, number)) return;
    return history_.report_once_seen(shrunk ? shrunk->value : value, *property, violation,
                                     [&] { return cases_before_(number); });
  }
  Finding finding = describe(moved ? *moved : *shrunk, *property, print, resolve, limits);
  finding.value = shrunk->value;  // until it has its cause it is asked beside other Cases
  finding.found = log_.where_found(shrunk->steps, is_cut || has_skipped_calls);
  // The answers of a webhook that vary by themselves are its own, whatever its neighbours do.
  if (!violated.is_of_chance()) blame(finding, *property, print, again);
  if (!is_judged(options_.subjects, finding.value, finding.blamed())) return log_.noted(finding);
  smallest_.keep(finding.value);
  classify(finding, *property, shrunk->violation, again, limits, options_.subjects.example_pods);
  if (moved) finding.value = std::move(moved->value);
  log_.found(finding);
}

/// Reports that equal requests are answered differently, if new programs do so: then what was seen once and
/// not again follows from no history, and from that alone.
bool RunFindings::report_chance(const Case& value, std::uint64_t number) {
  const webhooks::Resolve& resolve = options_.subjects.resolve;
  const Limits& limits = options_.effort.limits;
  const auto is_elsewhere = [](const auto& one) { return std::holds_alternative<cases::Url>(one.second); };
  if (!resolve.anew || std::ranges::any_of(value.webhooks, is_elsewhere)) return false;
  constexpr int kTries = 4;
  const std::uint64_t skipped_calls = resolve.calls_skipped_so_far();
  const auto asked_anew = [&] { return prepare(value, resolve.anew(), limits, kWithoutWarnings); };
  const auto first = asked_anew();
  if (!first) return false;
  bool varies = false;
  for (int left = kTries; left > 0 && !varies; --left) {
    const auto other = asked_anew();
    if (!other) return false;
    varies = !(other->admission.object == first->admission.object);
  }
  const Property& property = *properties::find("deterministic");
  for (int left = kTries; varies && left > 0; --left) {
    const auto judgement = judged_by(property, examination_of(*first, limits));
    if (resolve.calls_skipped_so_far() != skipped_calls) return false;
    const auto* found = std::get_if<properties::Violated>(&judgement);
    if (found == nullptr) continue;
    const properties::Violation& violation = found->violations.front();
    const CaseViolation chance{&property, violation, fingerprint(value, property.name, violation)};
    if (log_.is_first(chance.fingerprint)) report(value, chance, number);
    return true;
  }
  return false;
}

/// Sets who is to blame. A neighbour that only makes the subject's defect visible is not; a validating
/// webhook is for what it answers itself.
void RunFindings::blame(Finding& finding, const Property& property, const std::string& print,
                        const webhooks::Resolve& again) const {
  const auto mutating = cases::configured_webhooks(finding.value.cluster);
  const bool is_mutating =
      finding.blamed().is_policy || std::ranges::find(mutating, finding.webhook) != mutating.end();
  if (!is_mutating) return;
  const auto guilty = runner::blame(finding.value, property, print, again, options_.effort.limits);
  const auto subject = std::find_if(guilty.rbegin(), guilty.rend(), [&](const auto& webhook) {
    return is_judged(options_.subjects, finding.value, cases::webhook_ref(finding.value, webhook));
  });
  if (!guilty.empty()) finding.webhook = subject == guilty.rend() ? guilty.back() : *subject;
}

}  // namespace fixpoint::runner
