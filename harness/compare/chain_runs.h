#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "harness/compare/chain_advice.h"
#include "harness/compare/chain_order.h"
#include "harness/runner/examine.h"

namespace fixpoint::compare {

/// The properties of the final Pod, by which the effect of a policy is judged. An order must also converge.
inline constexpr std::string_view kOfTheResult[] = {"no-duplicate-names", "valid-spec"};
inline constexpr std::string_view kOfTheChain[] = {"no-duplicate-names", "valid-spec", "converges"};

/// A problem of a run of the chain.
struct ChainProblem {
  std::string property;
  std::string reason;
  std::string webhook = {};  ///< to blame
};

/// A problem of the chain, and the smallest Case that shows it in its arrangement.
struct ShownProblem {
  ChainProblem problem;
  cases::Case value;
};

/// Runs Cases through the members of a chain, arranged in one way or another.
class ChainRuns {
 public:
  /// Both must outlive it.
  ChainRuns(const Chain& chain, const AdviceOptions& options) : chain_(chain), options_(options) {}

  const Chain& chain() const { return chain_; }
  /// Returns nothing for a Case that cannot run.
  std::optional<runner::Prepared> prepare(const cases::Case& plain, const Arrangement& arrangement) const;
  /// Returns the first of these properties that the run violates, ignoring violations by the webhooks in
  /// `left_out`.
  std::optional<ChainProblem> problem_of(const runner::Prepared& run, std::span<const std::string_view> names,
                                         const std::set<std::string>& left_out = {}) const;
  std::optional<ShownProblem> smallest_problem(const cases::Case& plain, const Arrangement& arrangement,
                                               const std::set<std::string>& left_out) const;
  cases::Case shrink(cases::Case best, const std::function<bool(const cases::Case&)>& still_shows) const;

 private:
  const Chain& chain_;
  const AdviceOptions& options_;
};

}  // namespace fixpoint::compare
