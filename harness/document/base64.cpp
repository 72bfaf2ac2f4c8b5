#include "harness/document/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace fixpoint::document {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 64;

constexpr std::array<std::uint8_t, 256> digits_of_alphabet() {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  return digits;
}
constexpr auto kDigits = digits_of_alphabet();

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  std::string packed(text), bytes;
  std::erase_if(packed, [](char c) { return c == '\n' || c == '\r'; });
  if (packed.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = packed.ends_with("==") ? 2 : packed.ends_with('=') ? 1 : 0;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < packed.size() - padding; ++i) {
    const std::uint8_t six = kDigits[static_cast<unsigned char>(packed[i])];
    if (six == kNoDigit) return std::nullopt;
    bits = (bits << 6) | six;
    if (i % 4 != 0) bytes += static_cast<char>((bits >> (6 - 2 * (i % 4))) & 0xFF);
  }
  return bytes;
}

std::string encode_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j > bytes.size() ? '=' : kAlphabet[bits >> (18 - 6 * j) & 0x3F];
  }
  return text;
}

}  // namespace fixpoint::document
