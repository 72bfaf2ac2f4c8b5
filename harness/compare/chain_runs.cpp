#include "harness/compare/chain_runs.h"

#include "generators/reduce.h"
#include "harness/cases/webhook_configuration.h"

namespace fixpoint::compare {

using cases::Case;
using properties::Property;
using runner::Prepared;

std::optional<Prepared> ChainRuns::prepare(const Case& plain, const Arrangement& arrangement) const {
  auto prepared = runner::prepare(arranged(plain, chain_, arrangement), options_.resolve, options_.limits,
                                  runner::kWithoutWarnings);
  if (!prepared) return std::nullopt;
  return *std::move(prepared);
}

std::optional<ChainProblem> ChainRuns::problem_of(const Prepared& run,
                                                  std::span<const std::string_view> names,
                                                  const std::set<std::string>& left_out) const {
  for (std::string_view name : names) {
    const Property* property = properties::find(name);
    for (const runner::PropertyJudgement& asked : runner::ask(run, {&property, 1}, {}, options_.limits)) {
      const auto* violated = std::get_if<properties::Violated>(&asked.judgement);
      if (violated == nullptr) continue;
      for (const properties::Violation& violation : violated->violations)
        if (!left_out.contains(cases::webhook_ref(run.value, violation.webhook).name))
          return ChainProblem{std::string(name), violation.reason, violation.webhook};
    }
  }
  return std::nullopt;
}

std::optional<ShownProblem> ChainRuns::smallest_problem(const Case& plain, const Arrangement& arrangement,
                                                        const std::set<std::string>& left_out) const {
  const auto problem_in = [&](const Case& candidate) -> std::optional<ChainProblem> {
    const auto run = prepare(candidate, arrangement);
    return run && runner::has_valid_pod(*run) ? problem_of(*run, kOfTheChain, left_out) : std::nullopt;
  };
  auto problem = problem_in(plain);
  if (!problem) return std::nullopt;
  const Case small = shrink(plain, [&](const Case& tried) {
    auto still = problem_in(tried);
    const bool is_it = still && still->property == problem->property;
    if (is_it) problem = std::move(still);
    return is_it;
  });
  return ShownProblem{*std::move(problem), arranged(small, chain_, arrangement)};
}

Case ChainRuns::shrink(Case best, const std::function<bool(const Case&)>& still_shows) const {
  std::size_t tries = 0;
  for (bool progress = true; progress && tries < options_.limits.shrink_tries_max;) {
    progress = false;
    generators::reduce(best, [&](const Case& candidate) {
      if (++tries > options_.limits.shrink_tries_max || !still_shows(candidate)) return false;
      best = candidate;
      return progress = true;
    });
  }
  return best;
}

}  // namespace fixpoint::compare
