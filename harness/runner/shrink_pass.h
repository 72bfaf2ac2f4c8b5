#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "harness/cases/case.h"
#include "harness/properties/property.h"

namespace fixpoint::runner {

/// One pass of reductions in a fixed order: offers simpler variants of a Case to `take` and continues from
/// those that it took. The generators' floor has one; here it is a value.
using Reduce = std::function<void(cases::Case, const std::function<bool(const cases::Case&)>& take)>;

/// How many candidates of a reduction are examined at a time, each in a thread.
struct Together {
  std::size_t width = 1;
  /// Runs the work of another thread, under the bounds of the thread that waits for it; unset: just runs it.
  std::function<void(const std::function<void()>& work)> in_thread = {};
};

/// A pass of reductions that examines several candidates at a time and takes the first that holds in the
/// order of the reduction: it takes what it takes with a width of 1. While the answers are out, it goes on as
/// if none held, and begins the pass again, with the answers that it has, where one did.
class ShrinkPass {
 public:
  /// The result of a candidate that holds.
  struct Shown {
    properties::Violation violation;
    bool is_valid;  ///< the object before the webhooks
  };
  /// Examines a candidate; called from several threads. Nothing: it does not hold.
  using Examine = std::function<std::optional<Shown>(const cases::Case& candidate)>;
  using Take = std::function<void(const cases::Case& candidate, Shown shown)>;

  /// All but the functions must outlive it.
  ShrinkPass(const Reduce& reduce, const Together& together, Examine examine, Take take)
      : reduce_(reduce), together_(together), examine_(std::move(examine)), take_(std::move(take)) {}

  /// Runs the pass with at most so many tries, and returns how many there were: the candidates up to each
  /// that was taken, as with a width of 1.
  std::size_t run(cases::Case start, std::size_t tries_max);

 private:
  bool offer(const cases::Case& candidate, std::size_t tries_max);
  std::optional<std::size_t> first_that_holds();

  const Reduce& reduce_;
  const Together& together_;
  const Examine examine_;
  const Take take_;
  std::vector<bool> answers_ = {};         ///< of this pass, in the order of its candidates
  std::vector<cases::Case> pending_ = {};  ///< candidates behind them, which are taken to be refused
  std::size_t offered_ = 0;
  bool is_stale_ = false;  ///< one of those held: what follows is another pass
};

}  // namespace fixpoint::runner
