#include "harness/runner/learning/choices.h"

namespace fixpoint::runner {

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): spreads a counter over all 64 bits.
std::uint64_t spread(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::uint64_t rotate(std::uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

}  // namespace

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t state = a;
  state = spread(state) ^ b;
  return spread(state);
}

Choices::Choices(std::uint64_t seed, std::uint64_t index) : seed_(seed), index_(index) {
  std::uint64_t state = mix(seed, index);
  for (std::uint64_t& word : state_) word = spread(state);
}

Choices Choices::shared_by(std::uint64_t size) const {
  constexpr std::uint64_t kShared = 0x636C7573746572;  // other decisions than those of any Case
  return index_ ? Choices(mix(seed_, kShared), *index_ / size) : Choices(std::vector<std::uint64_t>{});
}

/// xoshiro256** (Blackman, Vigna 2018).
std::uint64_t Choices::next() {
  const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = rotate(state_[3], 45);
  return result;
}

std::uint64_t Choices::below(std::uint64_t bound) {
  if (replays_) {
    const std::uint64_t choice = at_ < recorded_.size() ? recorded_[at_++] : 0;
    return bound == 0 ? 0 : choice % bound;
  }
  if (bound == 0) return 0;
  // Lemire's multiplication is uniform enough: the bias is below bound / 2^64.
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(next()) * bound) >> 64);
}

}  // namespace fixpoint::runner
