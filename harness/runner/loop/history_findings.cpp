#include "harness/runner/loop/history_findings.h"

#include <algorithm>
#include <utility>

#include "harness/runner/diagnosis/describe_finding.h"

namespace fixpoint::runner {

using cases::Case;
using cases::Finding;
using properties::Property;
using properties::Violation;

namespace {

/// The share of a run for one probe, and the number of probes.
constexpr double kShareOfAProbe = 0.03, kProbesMax = 4;

}  // namespace

void HistoryFindings::probe(std::span<const CaseResult> round) {
  const auto sample =
      std::find_if(round.begin(), round.end(), [](const CaseResult& slot) { return slot.is_sample; });
  if (!options_.subjects.resolve.anew || !reported_.empty() || sample == round.end() || time_.is_over())
    return;
  const Case& value = std::get<Case>(*sample->value);
  std::vector<Case> earlier{in_another_namespace(value)};
  if (last_sample_) earlier.push_back(*std::move(last_sample_));
  last_sample_ = value;
  const double begin = time_.elapsed(), share = options_.effort.seconds_max * kShareOfAProbe;
  if (share > 0 && probing_seconds_ > kProbesMax * share) return;
  find(value, earlier, properties::Severity::warning,
       [&] { return share > 0 && time_.elapsed() - begin > share; });
  probing_seconds_ += time_.elapsed() - begin;
}

bool HistoryFindings::find(const Case& value, const std::vector<Case>& earlier, properties::Severity severity,
                           const std::function<bool()>& is_enough) {
  bool is_cut = false;
  auto dependence = find_history(value, earlier, options_.subjects.resolve, time_.bounded_reduce(is_cut),
                                 options_.effort.limits, [&] { return time_.is_over() || is_enough(); });
  if (!dependence || !is_judged(options_.subjects, dependence->value,
                                cases::webhook_ref(dependence->value, dependence->violation.webhook)))
    return false;
  report(*dependence, severity, is_cut);
  return true;
}

void HistoryFindings::report_once_seen(const Case& value, const Property& property,
                                       const Violation& violation,
                                       const std::function<std::vector<Case>()>& cases_before) {
  if (reported_.contains(violation.webhook) ||
      !is_judged(options_.subjects, value, cases::webhook_ref(value, violation.webhook)))
    return;
  const webhooks::Resolve& resolve = options_.subjects.resolve;
  const std::uint64_t skipped_calls = resolve.calls_skipped_so_far();
  // Who answers at random is seen once again and again, and has no history.
  constexpr int kSearchesMax = 3;
  const auto known = searches_in_vain_.find(violation.webhook);
  if (known == searches_in_vain_.end() || known->second < kSearchesMax) {
    if (find(value, cases_before(), violation.severity, [] { return false; })) return;
    ++searches_in_vain_[violation.webhook];
  }
  if (resolve.calls_skipped_so_far() != skipped_calls) return;
  log_.observed({.kind = "seen-once",
                 .webhook = violation.webhook,
                 .path = violation.shape,
                 .reason = "violated " + std::string(property.name) +
                           " once and not when asked again: " + violation.reason});
}

void HistoryFindings::report(const HistoryDependence& dependence, properties::Severity severity,
                             bool is_cut) {
  const Property& property = *properties::find("independent-of-history");
  const std::string print = fingerprint(dependence.value, property.name, dependence.violation);
  reported_.insert(dependence.violation.webhook);
  if (!log_.is_first(print)) return;
  Shrunk shrunk{.value = dependence.value, .violation = dependence.violation};
  shrunk.violation.severity = severity;
  Finding finding = describe(shrunk, property, print, options_.subjects.resolve, options_.effort.limits);
  finding.before = dependence.before;
  finding.found = log_.where_found(0, is_cut);
  log_.found(finding);
}

}  // namespace fixpoint::runner
