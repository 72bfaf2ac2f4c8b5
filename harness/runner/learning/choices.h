#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace fixpoint::runner {

/// The source of a generator's decisions: a seed, or recorded decisions that are replayed (zero after the
/// last). The first choice of everything is the simplest one. The sequence depends on nothing else, not even
/// on the platform.
class Choices {
 public:
  /// Creates the decisions of Case `index` of a run.
  Choices(std::uint64_t seed, std::uint64_t index);
  explicit Choices(std::vector<std::uint64_t> recorded) : recorded_(std::move(recorded)), replays_(true) {}

  /// Returns the number of the Case; none if decisions are replayed.
  std::optional<std::uint64_t> index() const { return index_; }

  /// Returns other decisions, which `size` successive Cases share.
  Choices shared_by(std::uint64_t size) const;

  /// 0 to bound - 1, evenly; 0 when bound is 0.
  std::uint64_t below(std::uint64_t bound);
  /// low to high, both included.
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low) + 1));
  }
  bool coin() { return below(2) == 1; }
  /// Returns true once in `n` times.
  bool one_in(std::uint64_t n) { return below(n) == n - 1; }
  template <class List>
  const auto& pick(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::uint64_t next();

  std::uint64_t state_[4] = {};
  std::vector<std::uint64_t> recorded_;
  std::size_t at_ = 0;
  std::uint64_t seed_ = 0;
  std::optional<std::uint64_t> index_ = {};
  bool replays_ = false;
};

/// Mixes two numbers into one for the seeds of shards, of rounds and of parts.
std::uint64_t mix(std::uint64_t a, std::uint64_t b);

}  // namespace fixpoint::runner
