#include "harness/runner/run_summary.h"

#include <algorithm>
#include <tuple>

#include "harness/cases/redaction.h"

namespace fixpoint::runner {

void Acted::take_denial(const std::string& denial) {
  const std::string message = cases::Redaction().sentence(denial);
  constexpr std::size_t kMessagesMax = 32;
  const auto found = denials.find(message);
  if (found != denials.end())
    ++found->second;
  else if (denials.size() < kMessagesMax)
    denials.emplace(message, 1);
}

namespace {

constexpr std::uint64_t kCasesToJudgeActing = 200;

/// Returns the two most frequent messages with which a webhook refused.
std::string denials_text(const Acted& counts) {
  std::vector<std::pair<std::uint64_t, std::string>> all;
  for (const auto& [message, cases] : counts.denials) all.emplace_back(cases, message);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, all.size()); ++i)
    text += "; it refused " + std::to_string(all[i].first) + " with \"" + all[i].second + "\"";
  return text;
}

/// Returns the reason why there is no verdict on a subject; empty if it acted often enough.
std::string missing_verdict(const std::string& subject, const Acted& counts, std::uint64_t acted_min,
                            const char* objects) {
  const std::uint64_t cases = counts.acted + counts.no_effect;
  const bool is_seldom = cases >= kCasesToJudgeActing && counts.acted * 100 < acted_min * cases;
  if (counts.acted > 0 && counts.refused == counts.acted)
    return subject + " changed none of " + std::to_string(cases) + objects + " and refused " +
           std::to_string(counts.refused) + denials_text(counts);
  if (cases == 0 || (counts.acted > 0 && !is_seldom)) return "";
  std::string text =
      subject + " acted in " + std::to_string(counts.acted) + " of " + std::to_string(cases) + " Cases";
  if (counts.acted > 0) text += ", fewer than " + std::to_string(acted_min) + "%";
  return text + denials_text(counts);
}

}  // namespace

std::vector<std::string> missing_verdicts(const RunSummary& summary) {
  std::vector<std::string> all;
  for (const auto& [subject, counts] : summary.acted) {
    const std::string sentence =
        missing_verdict(subject, counts, summary.acted_min, summary.is_about_pods() ? " Pods" : " objects");
    if (!sentence.empty()) all.push_back(sentence);
  }
  std::uint64_t acted = 0;
  for (const auto& [subject, counts] : summary.acted) acted += counts.acted;
  if (acted > 0 && summary.kinds.size() > 1)
    for (const auto& [kind, counts] : summary.kinds)
      if (counts.cases >= kCasesToJudgeActing && counts.acted == 0)
        all.push_back("no webhook under test acted on " + kind + " in " + std::to_string(counts.cases) +
                      " Cases");
  for (const Observed& seen : summary.observations)
    if (seen.observation.kind == properties::kUnservedKind && 2 * seen.cases >= acted)
      all.push_back(seen.observation.webhook + " " + seen.observation.reason + " (in " +
                    std::to_string(seen.cases) + " Cases)");
  const bool is_decided =
      std::any_of(summary.properties.begin(), summary.properties.end(),
                  [](const auto& each) { return each.second.held + each.second.violated > 0; });
  if (!is_decided && summary.cases > 0 && !summary.properties.empty())
    all.push_back("no property was decided in " + std::to_string(summary.cases) + " Cases");
  if (summary.cases == 0 && summary.why == "time")
    all.emplace_back("the time was over before the first Case");
  return all;
}

bool is_vacuous(const RunSummary& summary) {
  return !missing_verdicts(summary).empty() ||
         std::any_of(summary.vacuity_checks.begin(), summary.vacuity_checks.end(),
                     [](const VacuityCheck& check) { return check.judged && !check.held; });
}

std::vector<VacuityCheck> vacuity_checks_of(const RunSummary& summary, bool draws_cases,
                                            std::uint64_t vacuity_cases_min) {
  std::vector<VacuityCheck> vacuity_checks;
  const auto check = [&](std::string name, bool held) {
    vacuity_checks.push_back({std::move(name), held, summary.cases >= vacuity_cases_min});
  };
  if (draws_cases) {
    check("some request was reinvoked", summary.reinvoked > 0);
    check("some request was admitted", summary.rejected + summary.sequences < summary.cases);
    if (summary.drawn.containers > 0) check("some container came late", summary.late_containers > 0);
  }
  // No property can be reached for a webhook that never acts: that is reported once.
  if (!missing_verdicts(summary).empty()) return vacuity_checks;
  for (const auto& [name, tally] : summary.properties) {
    check(name + " was reached", tally.was_reached());
  }
  if (summary.kinds.size() < 2) return vacuity_checks;
  for (const auto& [kind, counts] : summary.kinds) {
    if (counts.cases < vacuity_cases_min) continue;
    for (const auto& [name, tally] : counts.properties)
      if (!tally.was_reached()) check(name + " was reached for " + kind, false);
  }
  return vacuity_checks;
}

namespace {

/// Returns true for observations that each Case must make.
bool is_constant(const properties::Observation& observation) {
  return observation.kind == "always-true" || observation.kind == "always-false";
}
void add_tallies(const Tallies& tallies, Tallies& into) {
  for (const auto& [name, tally] : tallies) add_counts(into[name], tally);
}
std::string condition_of(const properties::Observation& observation) {
  return observation.webhook + " " + observation.path;
}

}  // namespace

void RunSummary::forget_rare_constants(std::uint64_t cases_min) {
  std::erase_if(observations,
                [&](const Observed& one) { return is_constant(one.observation) && one.cases < cases_min; });
}

void RunSummary::observe(const properties::Observation& observation, std::uint64_t more) {
  if (is_constant(observation) || observation.kind == properties::kVaries) {
    const auto contradicts = [&](const Observed& one) {
      return is_constant(one.observation) && one.observation.kind != observation.kind &&
             condition_of(one.observation) == condition_of(observation);
    };
    if (observation.kind == properties::kVaries ||
        std::any_of(observations.begin(), observations.end(), contradicts))
      varying.insert(condition_of(observation));
    if (varying.contains(condition_of(observation))) {
      std::erase_if(observations, [&](const Observed& one) {
        return is_constant(one.observation) && condition_of(one.observation) == condition_of(observation);
      });
      return;
    }
  }
  const auto key = [](const Observed& one) {
    return std::tie(one.observation.webhook, one.observation.kind, one.observation.path);
  };
  const Observed wanted{.observation = observation};
  const auto at =
      std::lower_bound(observations.begin(), observations.end(), wanted,
                       [&](const Observed& one, const Observed& other) { return key(one) < key(other); });
  const bool is_known = at != observations.end() && key(*at) == key(wanted);
  (is_known ? at : observations.insert(at, wanted))->cases += more;
}

void Tally::take(Decision decision) {
  ++asked;
  ++(decision == Decision::held       ? held
     : decision == Decision::violated ? violated
     : decision == Decision::skipped  ? skipped
                                      : not_applicable);
}

bool Tally::was_reached() const {
  constexpr std::uint64_t kHardlyAny = 8;
  return held + violated > 0 || skipped < std::min(kHardlyAny, asked);
}

void RunSummary::take(const std::string& kind, bool has_acted, const Decisions& decisions) {
  for (const auto& [property, decision] : decisions) properties[std::string(property)].take(decision);
  if (kind.empty()) return;
  KindCounts& counts = kinds[kind];
  ++counts.cases;
  counts.acted += has_acted ? 1 : 0;
  for (const auto& [property, decision] : decisions) counts.properties[std::string(property)].take(decision);
}

void RunSummary::add(const RunSummary& other) {
  acted_min = cases == 0 ? other.acted_min : std::max(acted_min, other.acted_min);
  for (const std::string& what : other.not_simulated)
    if (std::find(not_simulated.begin(), not_simulated.end(), what) == not_simulated.end())
      not_simulated.push_back(what);
  count(other);
  add_tallies(other.properties, properties);
  for (const auto& [kind, counts] : other.kinds) {
    kinds[kind].cases += counts.cases;
    kinds[kind].acted += counts.acted;
    add_tallies(counts.properties, kinds[kind].properties);
  }
  for (const auto& [subject, counts] : other.acted) {
    acted[subject].acted += counts.acted;
    acted[subject].refused += counts.refused;
    acted[subject].no_effect += counts.no_effect;
    for (const auto& [message, count] : counts.denials) acted[subject].denials[message] += count;
  }
  varying.insert(other.varying.begin(), other.varying.end());
  std::erase_if(observations, [&](const Observed& one) {
    return is_constant(one.observation) && varying.contains(condition_of(one.observation));
  });
  for (const Observed& one : other.observations) observe(one.observation, one.cases);
  fails_on_warnings = fails_on_warnings || other.fails_on_warnings;
  add_counts(drawn, other.drawn);
  seconds += other.seconds;
}

}  // namespace fixpoint::runner
