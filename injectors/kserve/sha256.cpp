#include "injectors/kserve/sha256.h"

#include <array>
#include <bit>
#include <cstdint>

namespace fixpoint::injectors::kserve {

namespace {

using Words = std::array<std::uint32_t, 8>;
__extension__ typedef unsigned __int128 Wide;

/// The first 32 bits of the fractional part of the k-th root of the first primes: what the standard's tables
/// hold. Found by bisection in whole numbers.
template <std::size_t Count>
constexpr std::array<std::uint32_t, Count> fractions(int root) {
  std::array<std::uint32_t, Count> words{};
  std::size_t found = 0;
  for (unsigned candidate = 2; found < Count; ++candidate) {
    bool is_prime = true;
    for (unsigned d = 2; d * d <= candidate; ++d) is_prime = is_prime && candidate % d != 0;
    if (!is_prime) continue;
    Wide low = 0, high = Wide{32} << 32;
    while (high - low > 1) {
      const Wide middle = (low + high) / 2;
      const Wide square = middle * middle;
      const Wide target = Wide{candidate} << 64;
      const bool is_below = root == 2 ? square <= target : (square >> 16) * middle <= target << 16;
      (is_below ? low : high) = middle;
    }
    words[found++] = static_cast<std::uint32_t>(low);
  }
  return words;
}

constexpr std::array<std::uint32_t, 64> kRounds = fractions<64>(3);
constexpr Words kStart = fractions<8>(2);
static_assert(kStart[0] == 0x6a09e667 && kRounds[0] == 0x428a2f98 && kRounds[63] == 0xc67178f2);

void take_block(Words& state, const unsigned char* block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t byte = 0; byte < 4; ++byte) w[i] = w[i] << 8 | block[4 * i + byte];
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const auto a = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
    const auto b = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + a + w[i - 7] + b;
  }
  Words s = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const auto sum1 = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
    const auto choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const auto first = s[7] + sum1 + choice + kRounds[i] + w[i];
    const auto sum0 = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
    const auto majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    s = {first + sum0 + majority, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
  }
  for (std::size_t i = 0; i < 8; ++i) state[i] += s[i];
}

}  // namespace

std::string sha256(std::string_view text) {
  std::string padded(text);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift & 0xFF);
  Words state = kStart;
  for (std::size_t at = 0; at < padded.size(); at += 64)
    take_block(state, reinterpret_cast<const unsigned char*>(padded.data()) + at);
  std::string out;
  for (const std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[word >> shift & 15];
  }
  return out;
}

}  // namespace fixpoint::injectors::kserve
