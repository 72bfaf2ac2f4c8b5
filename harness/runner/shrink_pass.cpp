#include "harness/runner/shrink_pass.h"

#include <exception>
#include <thread>
#include <utility>

namespace fixpoint::runner {

using cases::Case;

namespace {

/// Calls `work` with each number below `count`, at the same time, the last one in this thread. Throws what
/// the first of them threw.
void at_once(std::size_t count, const Together& together, const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> thrown(count);
  const auto guarded = [&](std::size_t i) {
    try {
      work(i);
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 0; i + 1 < count; ++i)
      others.emplace_back([&, i] {
        if (!together.in_thread) return guarded(i);
        together.in_thread([&] { guarded(i); });
      });
    guarded(count - 1);
  }
  for (const std::exception_ptr& one : thrown)
    if (one) std::rethrow_exception(one);
}

}  // namespace

/// Examines what is pending, and takes the first that holds.
std::optional<std::size_t> ShrinkPass::first_that_holds() {
  const std::vector<Case> asked = std::exchange(pending_, {});
  if (asked.empty()) return std::nullopt;
  std::vector<std::optional<Shown>> shown(asked.size());
  at_once(asked.size(), together_, [&](std::size_t i) { shown[i] = examine_(asked[i]); });
  for (std::size_t i = 0; i < asked.size(); ++i) {
    answers_.push_back(shown[i].has_value());
    if (!shown[i]) continue;
    take_(asked[i], *std::move(shown[i]));
    return asked.size() - 1 - i;
  }
  return std::nullopt;
}

bool ShrinkPass::offer(const Case& candidate, std::size_t tries_max) {
  const std::size_t number = offered_++;
  if (number < answers_.size()) return answers_[number];
  if (is_stale_ || answers_.size() + pending_.size() >= tries_max) return false;
  pending_.push_back(candidate);
  if (pending_.size() < together_.width) return false;
  const auto behind = first_that_holds();
  is_stale_ = behind.value_or(0) > 0;
  return behind == std::size_t{0};
}

/// The start is its own: `take` may change what the caller passes.
std::size_t ShrinkPass::run(Case start, std::size_t tries_max) {
  answers_.clear();
  do {
    offered_ = 0;
    is_stale_ = false;
    reduce_(start, [&](const Case& candidate) { return offer(candidate, tries_max); });
    if (!is_stale_) is_stale_ = first_that_holds().has_value();
  } while (is_stale_);
  return answers_.size();
}

}  // namespace fixpoint::runner
