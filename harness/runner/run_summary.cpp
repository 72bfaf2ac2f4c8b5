#include "harness/runner/run_summary.h"

#include <algorithm>

namespace fixpoint::runner {

std::vector<std::string> missing_verdicts(const RunSummary& summary) {
  std::vector<std::string> all;
  for (const auto& [subject, counts] : summary.acted) {
    if (counts.acted == 0 && counts.no_effect > 0)
      all.push_back(subject + " acted in 0 of " + std::to_string(counts.no_effect) + " Cases");
  }
  const bool is_decided =
      std::any_of(summary.properties.begin(), summary.properties.end(),
                  [](const auto& each) { return each.second.held + each.second.violated > 0; });
  if (!is_decided && summary.cases > 0 && !summary.properties.empty())
    all.push_back("no property was decided in " + std::to_string(summary.cases) + " Cases");
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

}  // namespace fixpoint::runner
