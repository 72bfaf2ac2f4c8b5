#include "harness/runner/learning/steering.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fixpoint::runner {

namespace {

/// Shares of Cases in which a subject acts, in hundredths: within these limits nothing is adjusted, else the
/// share is led back to the wanted one.
constexpr int kShareMin = 50, kShareMax = 90, kShareWanted = 65;
/// A rate of 1 in the counts below.
constexpr std::uint64_t kWhole = 1u << 16;
/// A trigger is absent at least that often where a subject is led to act: users leave out what is optional.
constexpr std::uint64_t kAbsentOnceIn = 12;
/// The number of Cases with the usual rate that are assumed for every option before it occurs.
constexpr std::uint64_t kDoubt = 3;

std::uint64_t good_of(const OptionCount& count, Steering::Way way) {
  return way == Steering::Way::toward ? count.acted : count.cases - count.acted;
}

/// Returns the fourth power: an option that acts half as often as the best is drawn once in sixteen; every
/// option is drawn sometimes.
std::uint64_t weight_of_rate(std::uint64_t rate, std::uint64_t best) {
  constexpr std::uint64_t kShares = 256;
  const std::uint64_t share = rate * kShares / best, square = share * share;
  return square * square / (kShares * kShares) + kShares;
}

}  // namespace

void RoundCounts::take(const std::vector<std::size_t>& options, bool is_acting) {
  ++cases;
  acted += is_acting ? 1 : 0;
  if (triggers.size() < options.size()) triggers.resize(options.size());
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (triggers[i].size() <= options[i]) triggers[i].resize(options[i] + 1);
    ++triggers[i][options[i]].cases;
    triggers[i][options[i]].acted += is_acting ? 1 : 0;
  }
}

void RoundCounts::add(const RoundCounts& other) {
  cases += other.cases;
  acted += other.acted;
  if (triggers.size() < other.triggers.size()) triggers.resize(other.triggers.size());
  for (std::size_t i = 0; i < other.triggers.size(); ++i) {
    if (triggers[i].size() < other.triggers[i].size()) triggers[i].resize(other.triggers[i].size());
    for (std::size_t j = 0; j < other.triggers[i].size(); ++j) {
      triggers[i][j].cases += other.triggers[i][j].cases;
      triggers[i][j].acted += other.triggers[i][j].acted;
    }
  }
}

void Steering::learn(const RoundCounts& round) {
  total_.add(round);
  if (round.cases < kCasesToJudge) return;
  const int share = static_cast<int>(round.acted * 100 / round.cases);
  if (share >= kShareMin && share <= kShareMax) return;
  // Half of the difference: its effect shows in the round after the next.
  const int step = (kShareWanted - share) * 16 / 200;
  lean_ = std::clamp(lean_ + (step != 0 ? step : share < kShareMin ? 1 : -1), -kLeanMax, kLeanMax);
}

Steering::Way Steering::draw_way(Choices& choices) const {
  if (lean_ == 0) return Way::free;
  const int drawn = choices.between(0, 15);
  if (drawn >= std::abs(lean_)) return Way::free;
  return lean_ > 0 ? Way::toward : Way::away;
}

std::size_t Steering::draw_option(Choices& choices, const Trigger& trigger, std::size_t number,
                                  Way way) const {
  // An option that rarely occurred counts as good as the others together; a rare one half as good.
  const std::uint64_t usual =
      (good_of({.cases = total_.cases, .acted = total_.acted}, way) + 1) * kWhole / (total_.cases + 2);
  std::vector<std::uint64_t> rates, weights;
  for (std::size_t i = 0; i <= trigger.values.size(); ++i) {
    const bool is_known = number < total_.triggers.size() && i < total_.triggers[number].size();
    const OptionCount count = is_known ? total_.triggers[number][i] : OptionCount{};
    const std::uint64_t doubt = kDoubt * usual / (trigger.is_rare && i > 0 ? 2 : 1);
    rates.push_back(
        std::max<std::uint64_t>(1, (good_of(count, way) * kWhole + doubt) / (count.cases + kDoubt)));
  }
  const std::uint64_t best = *std::max_element(rates.begin(), rates.end());
  for (const std::uint64_t rate : rates) weights.push_back(weight_of_rate(rate, best));
  // In Cases that are drawn freely everything is often absent at once, which says little about one of them.
  const std::uint64_t all = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  if (way == Way::toward) weights[0] = std::max(weights[0], all / kAbsentOnceIn);
  const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::uint64_t drawn = choices.below(sum);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (drawn < weights[i]) return i;
    drawn -= weights[i];
  }
  return 0;
}

std::vector<std::size_t> Steering::draw_options(Choices& choices, std::span<const Trigger> triggers,
                                                Way way) const {
  constexpr int kBareOnceIn = 8;
  const bool is_bare = way == Way::toward && !triggers.empty() && choices.one_in(kBareOnceIn);
  const std::size_t kept = is_bare ? choices.below(triggers.size()) : 0;
  std::vector<std::size_t> options;
  for (std::size_t i = 0; i < triggers.size(); ++i) {
    const bool is_left_out = is_bare && i != kept && !is_needed(i);
    options.push_back(is_left_out ? 0 : draw_option(choices, triggers[i], i, way));
  }
  return options;
}

bool Steering::is_needed(std::size_t number) const {
  constexpr std::uint64_t kMuchRarer = 8;
  if (number >= total_.triggers.size() || total_.triggers[number].empty()) return false;
  const OptionCount& absent = total_.triggers[number].front();
  return absent.acted * total_.cases * kMuchRarer < total_.acted * absent.cases;
}

Steering Steering::stored(RoundCounts total, int lean) {
  Steering steering;
  steering.total_ = std::move(total);
  steering.lean_ = std::clamp(lean, -kLeanMax, kLeanMax);
  return steering;
}

}  // namespace fixpoint::runner
