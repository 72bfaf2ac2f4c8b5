#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/runner/choices.h"
#include "harness/runner/trigger.h"

namespace fixpoint::runner {

/// In how many Cases an option of a trigger was there, and in how many of them the subject acted, other than
/// by refusing: what it refuses it leaves undone.
struct OptionCount {
  std::uint64_t cases = 0, acted = 0;
  bool operator==(const OptionCount&) const = default;
};

/// What the Cases of one round say of one subject: the counts of each option of each of its triggers.
struct RoundCounts {
  std::uint64_t cases = 0, acted = 0;
  std::vector<std::vector<OptionCount>> triggers = {};
  /// Takes a Case in which the triggers had these options.
  void take(const std::vector<std::size_t>& options, bool is_acting);
  void add(const RoundCounts& other);
  bool operator==(const RoundCounts&) const = default;
};

/// Keeps the share of Cases in which a subject acts between a half and nine tenths: some Cases are drawn with
/// the options of its triggers that made it act, or, where it acts nearly always, with those that did not;
/// the others as before. A value: a round uses what the round before the last one learned
/// (docs/architecture.md#determinism).
class Steering {
 public:
  /// Of 16 Cases so many are drawn toward acting, or, below zero, away from it.
  static constexpr int kLeanMax = 14;

  /// Of fewer Cases the share says nothing.
  static constexpr std::uint64_t kCasesToJudge = 6;

  /// Takes the counts of a round.
  void learn(const RoundCounts& round);

  enum class Way { free, toward, away };
  /// How the next Case is drawn; `free` without a decision where nothing is to be kept.
  Way draw_way(Choices& choices) const;
  /// Absent (0) or one of the trigger's values (from 1), the likelier the more it leads that way. `number` is
  /// the trigger's among those of its subject. What was seldom seen is given the benefit of the doubt, less
  /// of it where the trigger is rare.
  std::size_t draw_option(Choices& choices, const Trigger& trigger, std::size_t number, Way way) const;

  int lean() const { return lean_; }
  const RoundCounts& counts() const { return total_; }
  /// As it was stored between two rounds.
  static Steering stored(RoundCounts total, int lean);

 private:
  RoundCounts total_ = {};
  int lean_ = 0;
};

}  // namespace fixpoint::runner
