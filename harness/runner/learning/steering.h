#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/runner/learning/choices.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::runner {

/// The number of Cases with an option of a trigger, and of those in which the subject acted other than by
/// refusing: a refused object stays unchanged.
struct OptionCount {
  std::uint64_t cases = 0, acted = 0;
  bool operator==(const OptionCount&) const = default;
};

/// The counts of one round for one subject: of each option of each of its triggers.
struct RoundCounts {
  std::uint64_t cases = 0, acted = 0;
  std::vector<std::vector<OptionCount>> triggers = {};
  /// Counts a Case in which the triggers had these options.
  void take(const std::vector<std::size_t>& options, bool is_acting);
  void add(const RoundCounts& other);
  bool operator==(const RoundCounts&) const = default;
};

/// Keeps the share of Cases in which a subject acts between a half and nine tenths: some Cases are drawn with
/// the options of its triggers that made it act, or, if it acts nearly always, with those that did not; the
/// others are drawn freely. A value: a round uses the knowledge of the round before the last one
/// (docs/architecture.md#determinism).
class Steering {
 public:
  /// The most of 16 Cases that are drawn toward acting or, if negative, away from it.
  static constexpr int kLeanMax = 14;

  /// The share of fewer Cases is not meaningful.
  static constexpr std::uint64_t kCasesToJudge = 6;

  /// Adds the counts of a round.
  void learn(const RoundCounts& round);

  enum class Way { free, toward, away };
  /// Decides how the next Case is drawn; `free`, without a decision, if nothing is to be adjusted.
  Way draw_way(Choices& choices) const;
  /// Draws absent (0) or one of the trigger's values (from 1), the more likely the more it leads that way.
  /// `number` is the trigger's index among those of its subject. A rarely drawn option is assumed to be good,
  /// less so if the trigger is rare.
  std::size_t draw_option(Choices& choices, const Trigger& trigger, std::size_t number, Way way) const;
  /// Draws the options of all triggers of the subject. One Case in eight that leads to acting is bare: beside
  /// one of the triggers, it has those alone without which the subject never acted. Users write no more, and
  /// code fails where a map is empty.
  std::vector<std::size_t> draw_options(Choices& choices, std::span<const Trigger> triggers, Way way) const;

  /// Returns true if the subject acts much more rarely where the trigger is absent.
  bool is_needed(std::size_t number) const;

  int lean() const { return lean_; }
  const RoundCounts& counts() const { return total_; }
  /// Returns a steering as it was stored between two rounds.
  static Steering stored(RoundCounts total, int lean);

 private:
  RoundCounts total_ = {};
  int lean_ = 0;
};

}  // namespace fixpoint::runner
